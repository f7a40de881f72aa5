import { definePlugin, supplierOf, supplierSetting } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'lcscplugin',
  name: 'LCSCPlugin',
  title: 'Supplier Integration - LCSC',
  version: '1.0.0',
  description: 'Reads the labels of LCSC.',
  author: 'Stockroom',
  settings: { SUPPLIER_ID: supplierSetting('LCSC') },
  supplierBarcode: {
    async read(text, context) {
      const pairs = pairsOf(text)
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

/** `{key:value,key:value}`, the whole text; values may be empty. Without the number of the part, as in JSON, it is no label of LCSC. */
const PAIRS = /^\{([^:,{}]+:[^:,{}]*(?:,[^:,{}]+:[^:,{}]*)*)\}$/

function pairsOf(text: string): ReadonlyMap<string, string> | undefined {
  const [, pairs] = PAIRS.exec(text.trim()) ?? []
  if (pairs === undefined) return undefined
  const values = new Map(pairs.split(',').map((pair) => pair.split(':') as [string, string]))
  return values.has('pc') ? values : undefined
}
