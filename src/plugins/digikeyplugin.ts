import { definePlugin, labelOf, readIdentifiers, supplierOf, supplierSetting } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'digikeyplugin',
  name: 'DigiKeyPlugin',
  title: 'Supplier Integration - DigiKey',
  version: '1.0.0',
  description: 'Reads the labels of DigiKey.',
  author: 'Stockroom',
  settings: { SUPPLIER_ID: supplierSetting('DigiKey') },
  supplierBarcode: {
    async read(text, context) {
      const identifiers = readIdentifiers(text)
      return identifiers && { ...labelOf(identifiers), ...(await supplierOf(context, 'DigiKey')) }
    },
  },
})
