import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'inventreelabelmachine',
  name: 'InvenTreeLabelMachine',
  title: 'InvenTree machine label printer',
  version: '1.0.0',
  description: 'Prints labels on a machine that the service knows.',
  author: 'Stockroom',
})
