import { definePlugin, supplierOf, supplierSetting } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'lcscplugin',
  name: 'LCSCPlugin',
  title: 'Supplier Integration - LCSC',
  version: '1.0.0',
  description: 'Reads LCSC labels.',
  author: 'Stockroom',
  settings: { SUPPLIER_ID: supplierSetting('LCSC') },
  supplierBarcode: {
    async read(text, context) {
      const pairs = parsePairs(text)
      return (
        pairs && {
          supplier_part_number: pairs.get('pc'),
          manufacturer_part_number: pairs.get('pm'),
          quantity: pairs.get('qty'),
          supplier_order_number: pairs.get('on'),
          ...(await supplierOf(context, 'LCSC')),
        }
      )
    },
  },
})

/** The keys of an LCSC label. Other keys may follow these. */
const KEYS = 'pbn|on|pc|pm|qty|mc|cc|pdi|hp|wh'

/**
 * The pairs of `{key:value,key:value}`, which must be the whole text. A value may be empty, and may contain commas and colons, as a
 * manufacturer part number does (`pm:BZX884-B3V0,315`): a pair ends at the next key of a label. Without a part number, as in JSON, it is
 * not an LCSC label.
 */
function parsePairs(text: string): ReadonlyMap<string, string> | undefined {
  const [, pairs] = /^\{(.*)\}$/s.exec(text.trim()) ?? []
  if (pairs === undefined || !/^[a-z]+:/.test(pairs)) return undefined
  const values = new Map(
    pairs.split(new RegExp(`,(?=(?:${KEYS}):)`)).map((pair) => {
      const end = pair.indexOf(':')
      const [key, value] = [pair.slice(0, end).trim(), pair.slice(end + 1)]
      // no other value contains a comma: an unknown key follows it
      return [key, key === 'pm' ? value : (value.split(',')[0] ?? '')] as const
    }),
  )
  return values.has('pc') ? values : undefined
}
