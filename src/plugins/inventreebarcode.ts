import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'inventreebarcode',
  name: 'InvenTreeBarcode',
  title: 'InvenTree Barcodes',
  version: '2.0.0',
  description: 'Finds what a barcode of this service stands for, or one that was linked to an object.',
  author: 'Stockroom',
})
