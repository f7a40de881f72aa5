import type { Area } from '../area.ts'
import { linkBarcode } from './link.action.ts'
import { allocateToPurchaseOrder } from './po-allocate.action.ts'
import { scanBarcode } from './scan.action.ts'
import { unlinkBarcode } from './unlink.action.ts'

export const barcode: Area = {
  resources: [],
  actions: [scanBarcode, linkBarcode, unlinkBarcode, allocateToPurchaseOrder],
}
