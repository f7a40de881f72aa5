import { definePlugin, labelOf, readIdentifiers, supplierOf, supplierSetting } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'digikeyplugin',
  name: 'DigiKeyPlugin',
  title: 'Supplier Integration - DigiKey',
  version: '1.0.0',
  description: 'Reads DigiKey labels.',
  author: 'Stockroom',
  settings: { SUPPLIER_ID: supplierSetting('DigiKey') },
  supplierBarcode: {
    async read(text, context) {
      const identifiers = readIdentifiers(text)
      if (!identifiers || ![...identifiers.keys()].some(isDigiKeyIdentifier)) return undefined
      return { ...labelOf(identifiers), ...(await supplierOf(context, 'DigiKey')) }
    },
  },
})

/** Whether an identifier is printed only by DigiKey: its numbers of the invoice (`10K`), of picking, part and load, and the padding (`11Z` to `20Z`). */
const isDigiKeyIdentifier = (identifier: string): boolean => /^(?:10K|\d\dZ)$/.test(identifier)
