import type { Body, Write } from '../../../kit/definition/resource.ts'
import { unknownReference } from '../../../kit/request/errors.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { parseReferencedKey } from '../../../kit/values/json.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { lockStockItems } from '../../stock/movement/locked-items.ts'
import { buildErrors } from '../build-errors.ts'
import { ACTIVE_STATES } from '../build-status.ts'
import { findAllocationErrors, readLines } from './allocation-rules.ts'
import { findTrackableParts } from './trackable-parts.ts'

/** Locks the build orders of these allocations and of the line that a change names, then the stock items. */
export async function lockForChange(tx: Tx, pks: readonly number[], body: Body): Promise<void> {
  await lockBuilds(tx, pks, parseReferencedKey(body.build_line))
  const items = await tx.query<{ item: number }>(
    `select unnest(array[stock_item, install_into]) as item from build_allocation where pk = any($1::integer[])`,
    [pks],
  )
  const itemKeys = [parseReferencedKey(body.stock_item), parseReferencedKey(body.install_into)]
  await lockStockItems(
    tx,
    [...items.map(({ item }) => item), ...itemKeys].filter((pk): pk is number => pk !== null),
  )
}

async function lockBuilds(tx: Tx, pks: readonly number[], line: number | null): Promise<void> {
  await tx.query(
    `select from build_order where pk in (
       select build from build_line
       where pk in (select build_line from build_allocation where pk = any($1::integer[]) union all select $2::integer)
     ) order by pk for no key update`,
    [pks, line],
  )
}

/** Checks a POST, PUT or PATCH of an allocation. The quantity that it has already allocated counts as available. */
export async function checkAllocation(write: Write): Promise<void> {
  const { tx, before, after, errors } = write
  const [linePk, itemPk, outputPk] = [after('build_line'), after('stock_item'), after('install_into')] as [
    number | null,
    number,
    number | null,
  ]
  if (linePk === null) {
    Object.assign(errors, { build_line: [valueErrors.null_not_allowed], stock_item: ['It is allocated to no line'] })
    return
  }
  const quantity = after('quantity') as Decimal
  const line = (await readLines(tx, [linePk])).get(linePk)
  const items = await lockStockItems(tx, outputPk === null ? [itemPk] : [itemPk, outputPk])
  const item = items.get(itemPk)
  if (!line || !item) {
    // it was deleted since the body was read
    if (!line) errors.build_line = [unknownReference(linePk)]
    if (!item) errors.stock_item = [unknownReference(itemPk)]
    return
  }
  const build = await tx.first<{ status: number }>('select status from build_order where pk = $1', [line.build])
  if (before?.is_open === false || !ACTIVE_STATES.includes(build?.status as number)) {
    errors.build_line = [buildErrors.build_of_line_closed]
    return
  }
  if (line.consumable) {
    errors.build_line = [buildErrors.consumable_not_allocated]
    return
  }
  if (before?.stock_item === itemPk)
    item.allocated_to_build_orders = subtract(item.allocated_to_build_orders, before.quantity as Decimal)
  const trackable = await findTrackableParts(tx, [item])
  const output = outputPk === null ? null : items.get(outputPk)
  Object.assign(errors, findAllocationErrors(line, item, trackable.has(item.part), quantity, output, { output: 'install_into' }))
}
