import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'inventreelabelmachine',
  name: 'InvenTreeLabelMachine',
  title: 'InvenTree machine label printer',
  version: '1.0.0',
  description: 'Prints labels on a configured machine.',
  author: 'Stockroom',
})
