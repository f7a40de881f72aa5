import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'inventreelabelsheet',
  name: 'InvenTreeLabelSheet',
  title: 'InvenTree Label Sheet Printer',
  version: '1.0.0',
  description: 'Creates a PDF with several labels per page, for label sheets.',
  author: 'Stockroom',
})
