import { statusView } from '../../kit/definition/status.ts'
import type { Area } from '../area.ts'
import { addStock } from './add.action.ts'
import { undoStockAdjustment } from './adjustment/undo.action.ts'
import { assignStock } from './assign.action.ts'
import { stockItemAttachment } from './attachment/stock-item-attachment.resource.ts'
import { changeStockItems } from './change-many.action.ts'
import { changeStockStatus } from './change-status.action.ts'
import { convertStock } from './convert.action.ts'
import { countStock } from './count.action.ts'
import { createStock } from './create-stock.action.ts'
import { disassembleStock } from './disassemble.action.ts'
import { installStock } from './install.action.ts'
import { locationTree } from './location/location-tree.resource.ts'
import { stockLocation } from './location/stock-location.resource.ts'
import { stockLocationType } from './location-type/stock-location-type.resource.ts'
import { mergeStock } from './merge.action.ts'
import { stockHistoryCode } from './movement/stock-history.ts'
import { releasedAllocations } from './released/released-allocation.resource.ts'
import { removeStock } from './remove.action.ts'
import { returnStock } from './return.action.ts'
import { returnStockItems } from './return-items.action.ts'
import { readNeighborSerials } from './serial-numbers.view.ts'
import { serializeStock } from './serialize.action.ts'
import { stockItem } from './stock-item.resource.ts'
import { stockStatus } from './stock-status.ts'
import { stockItemTestResult } from './test/stock-item-test-result.resource.ts'
import { stockTracking } from './track/stock-tracking.resource.ts'
import { transferStock } from './transfer.action.ts'
import { uninstallStock } from './uninstall.action.ts'
import { verifyStock } from './verify.action.ts'
import { readVerification } from './verify.view.ts'

export const stock: Area = {
  resources: [
    stockItem,
    stockLocation,
    locationTree,
    stockLocationType,
    stockTracking,
    releasedAllocations,
    stockItemTestResult,
    stockItemAttachment,
  ],
  actions: [
    statusView('/api/stock/status/', stockStatus),
    statusView('/api/stock/track/status/', stockHistoryCode),
    createStock,
    ...changeStockItems,
    countStock,
    addStock,
    removeStock,
    transferStock,
    undoStockAdjustment,
    changeStockStatus,
    assignStock,
    mergeStock,
    returnStock,
    returnStockItems,
    disassembleStock,
    readNeighborSerials,
    installStock,
    uninstallStock,
    convertStock,
    serializeStock,
    verifyStock,
    readVerification,
  ],
}
