import assert from 'node:assert/strict'
import { Database } from '../../../kit/sql/tx.ts'
import type { TestService } from '../../../testing/service.ts'
import { readHistory } from '../fixture.ts'
import { verifyStock } from '../verification/verify-stock.ts'
import { FAMILIES, type Item, type ModelState, OVERWRITABLE_PARTS, toThousandths } from './model-action.ts'
import { readAllItems } from './model-state.ts'

/** Asserts the invariants that hold after any actions. */
export async function assertInvariants(modelState: ModelState): Promise<void> {
  const { service } = modelState
  const items = await readAllItems(modelState)
  const findings = await new Database(service.pool).snapshot((read) => verifyStock(read, { isThrottled: false }))
  assert.deepEqual(
    findings.filter(({ count }) => count > 0),
    [],
  )
  for (const [index, family] of FAMILIES.entries()) {
    if (modelState.clients > 1 && family.some((part) => OVERWRITABLE_PARTS.has(part))) continue
    const onHand = items.filter(({ part }) => family.includes(part)).reduce((sum, { quantity }) => sum + quantity, 0)
    assert.equal(onHand, modelState.expected[index], `parts ${family}`)
  }
  for (const item of items) await replayHistory(modelState, item)
  for (const { pk } of modelState.lines)
    assert.equal((await service.member.get(`/api/order/po-line/${pk}/`)).body.received, modelState.received.get(pk) ?? 0)
  await assertSums(modelState)
  await assertAllocated(modelState, items)
}

/** Replays the history that clients see from the first entry to the last, and compares it with the quantity on hand. */
async function replayHistory({ service, lines }: ModelState, { pk, quantity: onHand, serial }: Item): Promise<void> {
  // the history of a serialized item also has the quantities of the item that it was split from, or of the whole delivery
  if (serial) return assert.equal(onHand, 1000)
  let quantity = 0
  for (const [code, deltas] of await readHistory(service, pk)) {
    const recordedQuantity = deltas.quantity === undefined ? undefined : toThousandths(deltas.quantity)
    if (code === 11) quantity += toThousandths(deltas.added)
    else if (code === 12 || code === 42) quantity -= toThousandths(deltas.removed)
    else if (code === 70) quantity = (recordedQuantity ?? 0) * (await readPackQuantity(service, pk, lines))
    else if (recordedQuantity !== undefined) quantity = recordedQuantity
    if (recordedQuantity !== undefined && code !== 70)
      assert.equal(recordedQuantity, quantity, `item ${pk}: code ${code} records ${recordedQuantity}, not ${quantity}`)
  }
  assert.equal(onHand, quantity, `item ${pk}`)
}

async function readPackQuantity(service: TestService, item: number, lines: ModelState['lines']): Promise<number> {
  const [row] = await service.rows('select supplier_part from stock_item where pk = $1', [item])
  return lines[row.supplier_part - 1]?.pack ?? 1
}

/** Asserts that the sums of each part match the items that clients see. */
async function assertSums({ service: { member } }: ModelState): Promise<void> {
  for (const part of FAMILIES.flat()) {
    const { body } = await member.get(`/api/stock/?part=${part}&include_variants=false&in_stock=true&limit=1000`)
    const listed = body.results.reduce((sum: number, item: { quantity: number }) => sum + toThousandths(item.quantity), 0)
    assert.equal(toThousandths((await member.get(`/api/part/${part}/`)).body.in_stock), listed, `part ${part}`)
  }
}

/** Asserts that no item is overallocated, and that the shipped quantity of a line matches its shipped allocations. */
async function assertAllocated({ service: { member }, sales }: ModelState, items: readonly Item[]): Promise<void> {
  const { body } = await member.get('/api/order/so-allocation/?limit=1000')
  const allocatedQuantities = new Map<number, number>()
  const shippedQuantities = new Map<number, number>()
  for (const { item, line, quantity, shipment_date } of body.results) {
    const [totals, key] = shipment_date === null ? [allocatedQuantities, item] : [shippedQuantities, line]
    totals.set(key, (totals.get(key) ?? 0) + toThousandths(quantity))
  }
  for (const [pk, quantity] of allocatedQuantities) {
    const onHand = items.find((item) => item.pk === pk)?.quantity ?? 0
    assert.ok(quantity <= onHand, `item ${pk}: ${quantity} allocated of ${onHand}`)
  }
  for (const { pk } of sales.flatMap(({ lines }) => lines)) {
    const shipped = toThousandths((await member.get(`/api/order/so-line/${pk}/`)).body.shipped)
    // records of shipped goods can be deleted
    assert.ok(shipped >= (shippedQuantities.get(pk) ?? 0), `line ${pk}: ${shipped} shipped, ${shippedQuantities.get(pk)} left`)
  }
}
