import type { Write } from '../../kit/definition/resource.ts'
import type { Services } from '../../kit/services/services.ts'
import { add, compare, type Decimal, isZero, normalize, subtract, toJsonNumber } from '../../kit/values/decimal.ts'
import { pluginsWithHook } from '../../plugin-host/call-in-write.ts'
import { setting } from '../../settings/live.ts'
import { rejectNegativePrices } from '../currency/price-rule.ts'
import { ALLOCATED_COLUMNS } from './allocated-quantities.ts'
import { INSIDE_ITSELF, isInside } from './installed.ts'
import type { NewStockItem } from './movement/create-stock-items.ts'
import { findStockErrors } from './movement/plugin-validation.ts'
import { historyWrites } from './movement/stock-history.ts'
import { completeStatus, type ItemStatus, statusDeltas } from './read-status.ts'
import { stockErrors } from './stock-errors.ts'
import { checkStockItems } from './stock-item-rules.ts'

/** An item can only be made by a build order of its own part. */
export const BUILD_OF_OTHER_PART = stockErrors.build_of_other_part

/** Checks and completes a PUT or PATCH of a stock item. Rules apply only to the fields that the request changes. */
export async function changeStockItem(write: Write): Promise<void> {
  const { values, hidden, before, after, errors } = write
  Object.assign(errors, await completeStatus(write.tx, values, before as ItemStatus | undefined))
  hidden.updated = new Date().toISOString()
  const changes = (name: string) => values[name] !== undefined && values[name] !== before?.[name]
  const serial = after('serial') as string | null
  if (serial) {
    values.delete_on_deplete = false
    if (isZero(after('quantity') as Decimal)) values.quantity = '1'
  }
  if (before?.serial && changes('serial') && !setting(write, 'STOCK_ALLOW_EDIT_SERIAL'))
    errors.serial = [stockErrors.serial_number_fixed]
  if (after('is_building') && !after('build')) errors.build = [stockErrors.build_required_in_production]
  if (changes('build') && values.build && write.referred.build?.part !== after('part')) errors.build = [BUILD_OF_OTHER_PART]
  rejectNegativePrices(values, errors, 'purchase_price')
  checkAllocated(write)
  if (before && values.belongs_to && changes('belongs_to') && (await isInside(write.tx, values.belongs_to as number, before.pk)))
    errors.belongs_to = [INSIDE_ITSELF]
  const isPartChanged = changes('part')
  const isQuantityChecked = isPartChanged || changes('quantity') || changes('serial')
  const itemErrors = await checkStockItems(write, [
    {
      pk: before?.pk,
      part: after('part') as number,
      quantity: isQuantityChecked ? (after('quantity') as Decimal) : '1',
      serial: isQuantityChecked ? serial : null,
      location: changes('location') ? (after('location') as number | null) : null,
      supplier_part: isPartChanged || changes('supplier_part') ? (after('supplier_part') as number | null) : null,
    },
  ])
  if (!isPartChanged) delete itemErrors.part
  Object.assign(errors, itemErrors)
}

/**
 * Lets plugins validate a batch code or serial number that an item receives with a PUT or PATCH, including a number that it takes to
 * another part.
 */
export function createPluginCheck(services: Services): ((write: Write) => Promise<void>) | undefined {
  const hooks = ['validation.batchCode', 'validation.serialNumber']
  if (hooks.every((hook) => pluginsWithHook(services, hook).length === 0)) return undefined
  return async (write) => {
    const { values, before, after, errors } = write
    const changes = (name: string) => values[name] !== undefined && values[name] !== before?.[name]
    const item = { ...before, ...values } as unknown as NewStockItem
    const serial = changes('serial') || changes('part') ? (after('serial') as string | null) : null
    const names = { ...(changes('batch') && { batch: 'batch' }), serial: 'serial' }
    Object.assign(errors, await findStockErrors(write, [{ ...item, serial }], names))
  }
}

/** Records in the history how a PUT or PATCH changed an item's location, quantity and status. */
export async function recordStockItemChange(write: Write, pk: number): Promise<void> {
  const { values, before } = write
  const deltas: Record<string, unknown> = {}
  const state = (values.status_custom_key ?? null) as number | null
  const changesState = values.status_custom_key !== undefined && state !== before?.status_custom_key
  if ((values.status !== undefined && values.status !== before?.status) || changesState)
    Object.assign(deltas, statusDeltas({ status: write.after('status') as number, status_custom_key: state }))
  if (values.location !== undefined && values.location !== before?.location) deltas.location = values.location
  const change = subtract(write.after('quantity') as Decimal, before?.quantity as Decimal)
  if (!isZero(change)) deltas.quantity = toJsonNumber(values.quantity as Decimal)
  if (Object.keys(deltas).length) await write.tx.pipeline(...historyWrites(write, [{ item: pk, type: 'EDITED', change, deltas }]))
}

/** Checks that allocated stock stays in stock, and keeps its part. */
function checkAllocated({ before, values, after, errors }: Write): void {
  const allocated = ALLOCATED_COLUMNS.reduce((sum: Decimal, name) => add(sum, (before?.[name] ?? '0') as Decimal), '0')
  if (isZero(allocated)) return
  const allocatedError = stockErrors.stock_item_allocated
  if (compare(after('quantity') as Decimal, allocated) < 0)
    errors.quantity = [stockErrors.quantity_allocated_to_orders({ allocated: normalize(allocated) })]
  if (values.part !== undefined && values.part !== before?.part) errors.part = [allocatedError]
  for (const name of ['customer', 'sales_order', 'belongs_to', 'consumed_by', 'is_building'])
    if (values[name] && values[name] !== before?.[name]) errors[name] = [allocatedError]
}
