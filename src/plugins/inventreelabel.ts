import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'inventreelabel',
  name: 'InvenTreeLabel',
  title: 'InvenTree PDF label printer',
  version: '1.0.0',
  description: 'Makes a PDF of labels, one on each page.',
  author: 'Stockroom',
  settings: {
    DEBUG: {
      type: 'boolean',
      default: false,
      name: 'Debug mode',
      description: 'Labels are made as HTML instead of a PDF, to find mistakes in a template.',
    },
  },
})
