import type { ItemAdjustment } from '../../../stock/adjustment/undo-adjustments.ts'
import type { AllocationUndo } from './allocation.ts'
import type { BuildAllocationUndo } from './build-allocation.ts'
import type { ReceiptUndo } from './receipt.ts'

/** Result of a scan that can be undone. */
export type UndoRecord = ItemAdjustment | AllocationUndo | BuildAllocationUndo | ReceiptUndo
