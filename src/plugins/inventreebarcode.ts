import { definePlugin } from '../plugin-api/index.ts'

/** The object types in short codes. */
const KINDS: Readonly<Record<string, string>> = {
  BO: 'build',
  SP: 'supplierpart',
  MP: 'manufacturerpart',
  PO: 'purchaseorder',
  SO: 'salesorder',
  RO: 'returnorder',
  SS: 'salesordershipment',
  TO: 'transferorder',
  PA: 'part',
  SI: 'stockitem',
  SL: 'stocklocation',
}

/** Maximum length of a short code in characters: the longest prefix, and the rest. */
const MAX_CODE_LENGTH = 2_100

export default definePlugin({
  slug: 'inventreebarcode',
  name: 'InvenTreeBarcode',
  title: 'InvenTree Barcodes',
  version: '2.0.0',
  description:
    'Resolves barcodes of this service, and barcodes linked to an object. While it is disabled, barcodes can be neither resolved nor linked.',
  author: 'Stockroom',
  settings: {
    INTERNAL_BARCODE_FORMAT: {
      type: 'choice',
      default: 'json',
      choices: [
        { value: 'json', display_name: 'JSON' },
        { value: 'short', display_name: 'Short' },
      ],
      name: 'Internal Barcode Format',
      description: 'The form of generated codes of objects: {"part": 42}, or short like INV-PA42. Both can be scanned.',
    },
    SHORT_BARCODE_PREFIX: {
      type: 'string',
      default: 'INV-',
      name: 'Short Barcode Prefix',
      description: 'The prefix of short barcodes, such as INV-PA42 for part 42; empty to disable short barcodes.',
    },
  },
  barcode: {
    async scan(text, context) {
      const [end, code = '', digits] = /([A-Z]{2})0*([1-9]\d{0,9})$/.exec(text) ?? []
      // checked first, since most codes are not short codes: their setting is not read
      if (end === undefined || text.length > MAX_CODE_LENGTH) return undefined
      const prefix = await context.settings.get('SHORT_BARCODE_PREFIX')
      if (!prefix || text !== `${prefix}${end}`) return undefined
      const kind = KINDS[code]
      const pk = Number(digits)
      return kind && pk < 2 ** 31 ? { kind, pk } : undefined
    },
    async generate({ kind, pk }, context) {
      const prefix = await context.settings.get('SHORT_BARCODE_PREFIX')
      const [code] = Object.entries(KINDS).find(([, kindName]) => kindName === kind) ?? []
      const isShort = (await context.settings.get('INTERNAL_BARCODE_FORMAT')) === 'short'
      return isShort && prefix && code ? `${prefix}${code}${pk}` : `{"${kind}": ${pk}}`
    },
  },
})
