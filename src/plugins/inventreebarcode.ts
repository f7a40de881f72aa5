import { definePlugin } from '../plugin-api/index.ts'

/** The kinds as short codes name them. */
const KINDS: Readonly<Record<string, string>> = {
  BO: 'build',
  SP: 'supplierpart',
  MP: 'manufacturerpart',
  PO: 'purchaseorder',
  SO: 'salesorder',
  RO: 'returnorder',
  PA: 'part',
  SI: 'stockitem',
  SL: 'stocklocation',
}

/** The most characters of a short code: those of the longest prefix, and behind it. */
const MOST = 2_100

export default definePlugin({
  slug: 'inventreebarcode',
  name: 'InvenTreeBarcode',
  title: 'InvenTree Barcodes',
  version: '2.0.0',
  description:
    'Finds what a barcode of this service stands for, or one that was linked to an object. While it is off, neither is found, and none is linked.',
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
      description: 'How codes of objects are generated: as {"part": 42}, or short as INV-PA42. Both are found.',
    },
    SHORT_BARCODE_PREFIX: {
      type: 'string',
      default: 'INV-',
      name: 'Short Barcode Prefix',
      description: 'What short barcodes begin with, such as INV-PA42 of part 42; with an empty one there are none.',
    },
  },
  barcode: {
    async scan(text, context) {
      const [end, code = '', digits] = /([A-Z]{2})0*([1-9]\d{0,9})$/.exec(text) ?? []
      // most codes are none of these: the setting is not read for them
      if (end === undefined || text.length > MOST) return undefined
      const prefix = await context.settings.get('SHORT_BARCODE_PREFIX')
      if (!prefix || text !== `${prefix}${end}`) return undefined
      const kind = KINDS[code]
      const pk = Number(digits)
      return kind && pk < 2 ** 31 ? { kind, pk } : undefined
    },
    async generate({ kind, pk }, context) {
      const prefix = await context.settings.get('SHORT_BARCODE_PREFIX')
      const [code] = Object.entries(KINDS).find(([, named]) => named === kind) ?? []
      const isShort = (await context.settings.get('INTERNAL_BARCODE_FORMAT')) === 'short'
      return isShort && prefix && code ? `${prefix}${code}${pk}` : `{"${kind}": ${pk}}`
    },
  },
})
