import type { AdjustmentMade } from '../../../stock/adjustment/undo-adjustments.ts'
import type { AllocationMade } from './allocation.ts'
import type { BuildAllocationMade } from './build-allocation.ts'
import type { ReceiptMade } from './receipt.ts'

/** Result of a scan that can be undone. */
export type Made = AdjustmentMade | AllocationMade | BuildAllocationMade | ReceiptMade
