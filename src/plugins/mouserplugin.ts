import { definePlugin, labelOf, readIdentifiers, supplierOf, supplierSetting } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'mouserplugin',
  name: 'MouserPlugin',
  title: 'Supplier Integration - Mouser',
  version: '1.0.0',
  description: 'Reads the labels of Mouser.',
  author: 'Stockroom',
  settings: { SUPPLIER_ID: supplierSetting('Mouser') },
  supplierBarcode: {
    async read(text, context) {
      const identifiers = readIdentifiers(text)
      if (!identifiers) return undefined
      const label = labelOf(identifiers)
      // Mouser prints one number for the order, that of its buyer
      const supplier_order_number = label.supplier_order_number ?? (label.customer_order_number || undefined)
      return { ...label, supplier_order_number, ...(await supplierOf(context, 'Mouser')) }
    },
  },
})
