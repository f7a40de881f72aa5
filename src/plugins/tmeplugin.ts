import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'tmeplugin',
  name: 'TMEPlugin',
  title: 'Supplier Integration - TME',
  version: '1.0.0',
  description: 'Reads the labels of TME.',
  author: 'Stockroom',
  settings: {
    SUPPLIER_ID: {
      type: 'model',
      model: 'company.company',
      apiUrl: '/api/company/',
      name: 'Supplier',
      description: 'The company that is TME; without one, the only supplier whose name holds TME.',
    },
  },
})
