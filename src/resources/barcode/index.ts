import type { Area } from '../area.ts'
import { processBatch } from './batch.action.ts'
import { barcodePicture } from './generate/picture.view.ts'
import { generateBarcode } from './generate.action.ts'
import { barcodeScan } from './history/barcode-scan.resource.ts'
import { undoScan } from './history/undo.action.ts'
import { linkBarcode } from './link.action.ts'
import { toAction } from './operation.ts'
import { allocateToPurchaseOrder } from './po-allocate.action.ts'
import { receiveByBarcode } from './po-receive.action.ts'
import { scanBarcode } from './scan.action.ts'
import { allocateByBarcode } from './so-allocate.action.ts'
import { unlinkBarcode } from './unlink.action.ts'

export const barcode: Area = {
  resources: [barcodeScan],
  actions: [
    ...[scanBarcode, linkBarcode, allocateToPurchaseOrder, receiveByBarcode, allocateByBarcode].map(toAction),
    unlinkBarcode,
    processBatch,
    undoScan,
    generateBarcode,
    barcodePicture,
  ],
}
