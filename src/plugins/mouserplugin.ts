import { definePlugin, labelOf, readIdentifiers, supplierOf, supplierSetting } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'mouserplugin',
  name: 'MouserPlugin',
  title: 'Supplier Integration - Mouser',
  version: '1.0.0',
  description: 'Reads Mouser labels.',
  author: 'Stockroom',
  settings: { SUPPLIER_ID: supplierSetting('Mouser') },
  supplierBarcode: {
    async read(text, context) {
      const identifiers = readIdentifiers(text)
      if (!identifiers || !isMouser(text, identifiers)) return undefined
      const { supplier_part_number: _, ...label } = labelOf(identifiers)
      // Mouser prints one order number, the buyer's
      const supplier_order_number = label.supplier_order_number ?? (label.customer_order_number || undefined)
      return {
        ...label,
        // Mouser prints the buyer's part number in the field that others use for their own
        customer_part_number: identifiers.get('P') || undefined,
        supplier_order_number,
        ...(await supplierOf(context, 'Mouser')),
      }
    },
  },
})

/** Whether a label is from Mouser: it has the line of the buyer's order (`14K`) and none of the DigiKey numbers; an old one begins with `>`. */
const isMouser = (text: string, identifiers: ReadonlyMap<string, string>): boolean =>
  text.trimStart().startsWith('>[)>') ||
  (identifiers.has('14K') && ![...identifiers.keys()].some((identifier) => /^(?:1K|10K|\d\dZ)$/.test(identifier)))
