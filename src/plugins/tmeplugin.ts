import { definePlugin, identified, labelOf, type SupplierLabel, supplierOf, supplierSetting } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'tmeplugin',
  name: 'TMEPlugin',
  title: 'Supplier Integration - TME',
  version: '1.0.0',
  description: 'Reads TME labels.',
  author: 'Stockroom',
  settings: { SUPPLIER_ID: supplierSetting('TME') },
  supplierBarcode: {
    async read(text, context) {
      const label = parseWordLabel(text) ?? parseOldLabel(text)
      if (!label) return undefined
      // the part after the slash is the partial delivery of the order
      const supplier_order_number = label.supplier_order_number?.split('/')[0]
      return { ...label, supplier_order_number, ...(await supplierOf(context, 'TME')) }
    },
  },
})

/** Reads the words of the QR code: `QTY:1 PN:WBP-302 ... https://...`, at least one pair followed by more text. */
function parseWordLabel(text: string): SupplierLabel | undefined {
  if (!/^(?:[A-Za-z]+:\S*\s+)+\S/.test(text)) return undefined
  const pairs = new Map(
    text.split(/\s+/).flatMap((word) => {
      const [, key, value] = /^([A-Za-z]+):(.*)$/.exec(word) ?? []
      return key === undefined || value === undefined ? [] : [[key, value] as const]
    }),
  )
  return {
    supplier_part_number: pairs.get('PN'),
    manufacturer_part_number: pairs.get('MPN'),
    manufacturer: pairs.get('MFR'),
    customer_order_number: pairs.get('CPO'),
    supplier_order_number: pairs.get('PO'),
    quantity: pairs.get('QTY'),
  }
}

/**
 * Reads the old Data Matrix: data identifiers with their values, separated by spaces. A single word, or a word without an identifier, does
 * not match.
 */
function parseOldLabel(text: string): SupplierLabel | undefined {
  const words = text.trim().split(/ +/)
  if (words.length < 2 || !words.every((word) => /^\d{0,3}[A-Z]/.test(word))) return undefined
  const identifiers = identified(words)
  return identifiers.has('P') || identifiers.has('30P') || identifiers.has('1P') ? labelOf(identifiers) : undefined
}
