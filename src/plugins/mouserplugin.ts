import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'mouserplugin',
  name: 'MouserPlugin',
  title: 'Supplier Integration - Mouser',
  version: '1.0.0',
  description: 'Reads the labels of Mouser.',
  author: 'Stockroom',
  settings: {
    SUPPLIER_ID: {
      type: 'model',
      model: 'company.company',
      apiUrl: '/api/company/',
      name: 'Supplier',
      description: 'The company that is Mouser; without one, the only supplier whose name holds Mouser.',
    },
  },
})
