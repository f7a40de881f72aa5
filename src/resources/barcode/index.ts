import type { Area } from '../area.ts'
import { pictureOfBarcode } from './generate/picture.view.ts'
import { generateBarcode } from './generate.action.ts'
import { linkBarcode } from './link.action.ts'
import { allocateToPurchaseOrder } from './po-allocate.action.ts'
import { receiveByBarcode } from './po-receive.action.ts'
import { scanBarcode } from './scan.action.ts'
import { allocateByBarcode } from './so-allocate.action.ts'
import { unlinkBarcode } from './unlink.action.ts'

export const barcode: Area = {
  resources: [],
  actions: [
    scanBarcode,
    linkBarcode,
    unlinkBarcode,
    generateBarcode,
    pictureOfBarcode,
    allocateToPurchaseOrder,
    receiveByBarcode,
    allocateByBarcode,
  ],
}
