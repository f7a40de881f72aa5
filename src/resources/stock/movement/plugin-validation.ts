import type { Errors } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { PendingWrite } from '../../../plugin-host/call-in-write.ts'
import { findBatchCodeError, findSerialNumbersError } from '../../plugins/validation.ts'
import type { NewStockItem } from './create-stock-items.ts'

/** The fields of a request at which plugin errors are reported. A batch code copied from another item is not validated. */
type FieldNames = { batch?: string; serial?: string }

/** Collects plugin errors for items to be created that differ only in their serial numbers. */
export async function findStockErrors(writing: PendingWrite, items: readonly NewStockItem[], names: FieldNames): Promise<Errors> {
  const [first] = items
  if (!first) return {}
  const errors: Errors = {}
  const { history: _, barcode: __, ...item } = first
  const batch = names.batch ? await findBatchCodeError(writing, item.batch ?? '', item) : undefined
  if (names.batch && batch) errors[names.batch] = [batch]
  const serials = items.flatMap(({ serial }) => serial || [])
  const serial = names.serial ? await findSerialNumbersError(writing, serials, item.part) : undefined
  if (names.serial && serial) errors[names.serial] = [serial]
  return errors
}

/** Rejects these items with 400 if plugins report errors. */
export async function validateStockWithPlugins(
  writing: PendingWrite,
  items: readonly NewStockItem[],
  names: FieldNames,
): Promise<void> {
  const errors = await findStockErrors(writing, items, names)
  if (Object.keys(errors).length) throw invalid(errors)
}
