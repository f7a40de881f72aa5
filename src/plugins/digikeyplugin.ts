import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'digikeyplugin',
  name: 'DigiKeyPlugin',
  title: 'Supplier Integration - DigiKey',
  version: '1.0.0',
  description: 'Reads the labels of DigiKey.',
  author: 'Stockroom',
  settings: {
    SUPPLIER_ID: {
      type: 'model',
      model: 'company.company',
      apiUrl: '/api/company/',
      name: 'Supplier',
      description: 'The company that is DigiKey; without one, the only supplier whose name holds DigiKey.',
    },
  },
})
