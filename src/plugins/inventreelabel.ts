import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'inventreelabel',
  name: 'InvenTreeLabel',
  title: 'InvenTree PDF label printer',
  version: '1.0.0',
  description: 'Creates a PDF of labels, one per page.',
  author: 'Stockroom',
  settings: {
    DEBUG: {
      type: 'boolean',
      default: false,
      name: 'Debug mode',
      description: 'Creates labels as HTML instead of a PDF, for debugging templates.',
    },
  },
})
