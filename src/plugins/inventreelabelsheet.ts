import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'inventreelabelsheet',
  name: 'InvenTreeLabelSheet',
  title: 'InvenTree Label Sheet Printer',
  version: '1.0.0',
  description: 'Makes a PDF with many labels on each page, for sheets of labels.',
  author: 'Stockroom',
})
