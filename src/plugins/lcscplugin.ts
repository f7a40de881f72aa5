import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'lcscplugin',
  name: 'LCSCPlugin',
  title: 'Supplier Integration - LCSC',
  version: '1.0.0',
  description: 'Reads the labels of LCSC.',
  author: 'Stockroom',
  settings: {
    SUPPLIER_ID: {
      type: 'model',
      model: 'company.company',
      apiUrl: '/api/company/',
      name: 'Supplier',
      description: 'The company that is LCSC; without one, the only supplier whose name holds LCSC.',
    },
  },
})
