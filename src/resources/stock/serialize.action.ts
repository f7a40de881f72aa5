import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { integer, text } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, subtract, toJsonNumber } from '../../kit/values/decimal.ts'
import { itemsResponse, listCreated } from './created-items.ts'
import { locationInput } from './location/location-input.ts'
import { historyNotes } from './movement/adjustment.ts'
import { createStockItems } from './movement/create-stock-items.ts'
import { allocationProblem, setQuantity, stockItemWrites } from './movement/locked-items.ts'
import { lockItemAndSerials, requireLocation } from './movement/one-item.ts'
import { validateStockWithPlugins } from './movement/plugin-validation.ts'
import { MAX_SERIALS_TEXT_LENGTH, readSerialNumbers, requireUnusedSerials, SERIAL_NUMBERS_HELP } from './movement/read-serials.ts'
import { exceedsStockError } from './movement/source-items.ts'
import { copyItem } from './movement/split-stock.ts'
import { historyWrites } from './movement/stock-history.ts'
import { statusDeltas } from './read-status.ts'
import { stockErrors } from './stock-errors.ts'
import { testResultWrites } from './test/copy-test-results.ts'

/** Maximum number of history entries that one request copies; of a longer history, the latest are copied. */
const MAX_COPIED_ENTRIES = 100_000

export const serializeStock = action({
  method: 'POST',
  path: '/api/stock/{id}/serialize/',
  summary: 'Assign serial numbers to units of a stock item',
  description:
    'Splits units off an item. Each becomes a new item with a serial number, the history, the test results and all other fields of the item, in the given location. The item retains the remaining quantity, or is deleted if none remains and its `delete_on_deplete` is set.',
  errors: {
    invalid:
      'The part is not trackable; the item already has a serial number, or its unallocated quantity is too small; the number of serial numbers does not match the quantity, or one is in use; or the location does not exist or is structural.',
  },
  example: { params: { id: 121 }, body: { quantity: 1, serial_numbers: 'A3', destination: 17, notes: 'Number engraved' } },
  access: roles('stock'),
  versioned: true,
  body: {
    quantity: integer({ required: true, min: 0, help: 'The number of units to serialize, in units of the part.' }),
    serial_numbers: text({
      required: true,
      max: MAX_SERIALS_TEXT_LENGTH,
      multiline: true,
      label: 'Serial Numbers',
      help: `As many serial numbers as the quantity. ${SERIAL_NUMBERS_HELP}`,
    }),
    destination: locationInput('The location of the new items', 'Location'),
    notes: historyNotes(),
  },
  api530: itemsResponse,
  response: Type.Object({
    quantity: Type.Integer(),
    serial_numbers: Type.String(),
    destination: Type.Integer(),
    notes: Type.Optional(Type.String()),
  }),
  async run(context) {
    const { tx, pk, body } = context
    const { destination: location, notes } = body
    const item = await lockItemAndSerials(context)
    await requireLocation(tx, location, 'destination')
    if (compare(String(body.quantity), item.quantity) > 0) throw invalid({ quantity: [exceedsStockError(item.quantity)] })
    const part = await tx.first<{ trackable: boolean }>('select trackable from part where pk = $1', [item.part])
    if (!part?.trackable) throw invalidObject(stockErrors.part_not_serialized)
    if (item.serial) throw invalidObject(stockErrors.stock_item_has_serial_number)
    const problem = allocationProblem(item, String(body.quantity))
    if (problem) throw invalid({ quantity: [problem] })
    const serials = await readSerialNumbers(context, item.part, body.serial_numbers, String(body.quantity))
    const newItem = { ...copyItem(item, '1'), location, delete_on_deplete: false }
    const history = { type: 'CREATED', deltas: { ...statusDeltas(item), location, quantity: 1 }, notes } as const
    const items = serials.map((serial) => ({ ...newItem, serial, history }))
    await validateStockWithPlugins(context, items, { serial: 'serial_numbers' })
    await requireUnusedSerials(context, item.part, serials)

    const change = setQuantity(item, subtract(item.quantity, String(body.quantity)))
    const pks = await createStockItems(context, items)
    await copyHistory(tx, pk, pks)
    const deltas = { removed: body.quantity, quantity: toJsonNumber(item.quantity) }
    tx.atCommit(
      ...testResultWrites(Array(pks.length).fill(pk), pks),
      ...historyWrites(
        context,
        pks.map((newItem, index) => ({
          item: newItem,
          type: 'ASSIGNED_SERIAL',
          deltas: { serial: serials[index], location },
          notes,
        })),
      ),
      ...stockItemWrites([item]),
      ...historyWrites(
        context,
        item.pendingWrite === 'deleted' ? [] : [{ item: pk, type: 'STOCK_REMOVE', change, deltas, notes }],
      ),
    )
    return context.config.wire.changedResponses ? listCreated(context, pks) : body
  },
})

/**
 * Copies the history of an item to others, with its dates and authors. The quantity changes are not copied, as they are those of the
 * original item.
 */
async function copyHistory(tx: Tx, source: number, copies: readonly number[]): Promise<void> {
  await tx.query(
    `insert into stock_tracking (item, tracking_type, date, notes, "user", deltas)
     select new_item.pk, entry.tracking_type, entry.date, entry.notes, entry."user", entry.deltas
     from unnest($2::integer[]) new_item (pk)
     cross join (select * from stock_tracking where item = $1 order by date desc, pk desc limit $3) entry
     order by new_item.pk, entry.date, entry.pk`,
    [source, copies, Math.floor(MAX_COPIED_ENTRIES / Math.max(copies.length, 1))],
  )
}
