import type { Errors } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Writing } from '../../../plugin-host/call-in-write.ts'
import { objectionToBatchCode, objectionToSerialNumbers } from '../../plugins/validation.ts'
import type { NewStockItem } from './create-stock-items.ts'

/** The fields of a request that plugin errors are reported at. A batch code that is taken over from another item is not validated. */
type FieldNames = { batch?: string; serial?: string }

/** Collects plugin errors for items to be created that differ only in their serial numbers. */
export async function objectionsToStock(writing: Writing, items: readonly NewStockItem[], names: FieldNames): Promise<Errors> {
  const [first] = items
  if (!first) return {}
  const errors: Errors = {}
  const { history: _, barcode: __, ...item } = first
  const batch = names.batch ? await objectionToBatchCode(writing, item.batch ?? '', item) : undefined
  if (names.batch && batch) errors[names.batch] = [batch]
  const serials = items.flatMap(({ serial }) => serial || [])
  const serial = names.serial ? await objectionToSerialNumbers(writing, serials, item.part) : undefined
  if (names.serial && serial) errors[names.serial] = [serial]
  return errors
}

/** Rejects these items with 400 if plugins report errors. */
export async function validateStockWithPlugins(
  writing: Writing,
  items: readonly NewStockItem[],
  names: FieldNames,
): Promise<void> {
  const errors = await objectionsToStock(writing, items, names)
  if (Object.keys(errors).length) throw invalid(errors)
}
