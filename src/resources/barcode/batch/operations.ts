import { linkBarcode } from '../link.action.ts'
import type { Operation } from '../operation.ts'
import { receiveByBarcode } from '../po-receive.action.ts'
import { scanBarcode } from '../scan.action.ts'
import { allocateByBarcode } from '../so-allocate.action.ts'
import { allocateToBuild } from './build-operations.ts'
import { countScanned, moveScanned, removeScanned } from './stock-operations.ts'

/** Operations that an entry of a batch may request, by name. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  [scanBarcode, linkBarcode, receiveByBarcode, moveScanned, countScanned, removeScanned, allocateByBarcode, allocateToBuild].map(
    (operation) => [operation.name, operation],
  ),
)
