import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { type TestService, testService } from '../../testing/service.ts'
import { fillStock, insertItem, locations, readHistory } from './fixture.ts'

const service = await testService()
const existing = await testService({ WIRE_FORM: 'inventree' })
const { member } = service
beforeEach(() => fillStock(service))

/** Reads the quantities in thousandths, by key. */
const readQuantities = async ({ rows }: Pick<TestService, 'rows'> = service) =>
  new Map<number, number>(
    (await rows('select pk, (quantity * 1000)::int as quantity from stock_item')).map((row) => [row.pk, row.quantity]),
  )

const toThousandths = (value: unknown) => Math.round(Number(value) * 1000)

/** Replays an item's history from its initial quantity, checks every step, and returns the final quantity. */
async function replayHistory(item: number, start: number, testedService = service): Promise<number> {
  let quantity = start
  for (const [code, deltas] of await readHistory(testedService, item)) {
    if (code === 11) quantity += toThousandths(deltas.added)
    else if (code === 12 || code === 42) quantity -= toThousandths(deltas.removed)
    else if (code === 10 || code === 40 || code === 45) quantity = toThousandths(deltas.quantity)
    else continue
    assert.equal(toThousandths(deltas.quantity), quantity, `item ${item}: code ${code}`)
  }
  return quantity
}

type Step = { action: 'count' | 'add' | 'remove' | 'transfer' | 'merge'; picks: number[]; amount: number; location: number }

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom('count', 'add', 'remove', 'transfer', 'merge'),
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  amount: fc.integer({ min: 0, max: 15_000 }),
  location: fc.constantFrom(locations.shelf, locations.box, locations.garage, locations.shed),
})

/**
 * Applies the same step to plain numbers; returns the quantity that each entry counts, adds, removes or moves, and the quantities that are
 * split off. An entry that exceeds the stock left by earlier entries takes the rest.
 */
function predict(
  quantities: Map<number, number>,
  { action, amount }: Step,
  pks: number[],
): { entryQuantities: number[]; splitQuantities: number[] } {
  const splitQuantities: number[] = []
  if (action === 'merge') {
    const [survivor, ...others] = pks as [number, ...number[]]
    for (const pk of others) {
      quantities.set(survivor, (quantities.get(survivor) ?? 0) + (quantities.get(pk) ?? 0))
      quantities.delete(pk)
    }
    return { entryQuantities: [], splitQuantities }
  }
  const remaining = new Map(quantities)
  const entryQuantities = pks.map((pk) => {
    const before = quantities.get(pk) ?? 0
    if (action === 'count' || action === 'add') {
      if (quantities.has(pk)) quantities.set(pk, action === 'count' ? amount : before + amount)
      if (quantities.get(pk) === 0) quantities.delete(pk)
      return amount
    }
    const moved = Math.min(amount, remaining.get(pk) ?? 0)
    remaining.set(pk, (remaining.get(pk) ?? 0) - moved)
    const isWholeItem = action === 'transfer' && moved === before
    if (moved === 0 || isWholeItem) return moved
    if (action === 'transfer') splitQuantities.push(moved)
    quantities.set(pk, before - moved)
    if (before === moved) quantities.delete(pk)
    return moved
  })
  return { entryQuantities, splitQuantities }
}

for (const wireForm of ['specification', 'inventree']) {
  test(`property: any sequence of counting and moving keeps the sums, and history and responses report them (${wireForm})`, async () => {
    const testedService = wireForm === 'inventree' ? existing : service
    const { member } = testedService
    await fillStock(testedService)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        await testedService.pool.query('delete from stock_item')
        for (let index = 0; index < 4; index++) await insertItem(testedService, { quantity: 10 })
        let quantities = await readQuantities(testedService)
        const starts = new Map(quantities)
        for (const { action, amount, location, picks } of steps) {
          const keys = [...quantities.keys()].sort((one, other) => one - other)
          if (keys.length === 0) break
          let pks = picks.map((pick) => keys[pick % keys.length] as number)
          if (action === 'merge') pks = [...new Set(pks)]
          const quantity = (amount / 1000).toFixed(3)
          const response =
            action === 'merge'
              ? await member.post('/api/stock/merge/', { items: pks.map((item) => ({ item })), location })
              : await member.post(`/api/stock/${action}/`, { items: pks.map((pk) => ({ pk, quantity })), location })
          const after = new Map(quantities)
          const { entryQuantities, splitQuantities } = predict(after, { action, amount, location, picks }, pks)
          const isRejected =
            action === 'merge' ? pks.length < 2 : wireForm === 'specification' && entryQuantities.some((taken) => taken < amount)
          assert.equal(response.status, isRejected ? 400 : 201, response.text)
          const now = await readQuantities(testedService)
          if (!isRejected) {
            const newKeys = [...now.keys()].filter((pk) => !quantities.has(pk)).sort((one, other) => one - other)
            assert.equal(newKeys.length, splitQuantities.length)
            quantities = after
            for (const [index, pk] of newKeys.entries()) quantities.set(pk, splitQuantities[index] as number)
            if (action !== 'merge')
              assert.deepEqual(
                response.body.items.map((entry: { quantity: unknown }) => toThousandths(entry.quantity)),
                entryQuantities,
              )
          }
          assert.deepEqual(new Map([...now].sort()), new Map([...quantities].sort()))
        }
        for (const [pk, quantity] of quantities)
          assert.equal(await replayHistory(pk, starts.get(pk) ?? 0, testedService), quantity)
        assert.deepEqual(await testedService.rows('select * from verify_quantities()'), [])
      }),
      { numRuns: 25 },
    )
  })
}

test('32 clients that add, remove, transfer and count the same few items lose no quantities', async () => {
  const pks: number[] = []
  for (let index = 0; index < 4; index++) pks.push(await insertItem(service, { part: index % 2 ? 1 : 4, quantity: 1000 }))
  const expected = { entries: 0, sum: 4_000_000 }
  const runClient = async (client: number) => {
    for (let round = 0; round < 5; round++) {
      // each client lists the items in a different order
      const items = [0, 1, 2].map((index) => ({
        pk: pks[(client * 7 + round + index * (1 + (client % 3))) % 4] as number,
        quantity: 1 + index,
      }))
      const action = ['add', 'remove', 'transfer', 'count'][(client + round) % (client < 16 ? 3 : 4)] as string
      const body = { items, ...(action === 'transfer' ? { location: [2, 3, 4, 5][client % 4] } : {}) }
      if (action === 'count') for (const item of items) item.quantity = 500 + client
      const response = await member.post(`/api/stock/${action}/`, body)
      assert.equal(response.status, 201, response.text)
      expected.entries += 3
      const sign = action === 'add' ? 1 : action === 'remove' ? -1 : 0
      expected.sum += sign * 6000
    }
  }
  await Promise.all(Array.from({ length: 32 }, (_, client) => runClient(client)))

  const now = await readQuantities()
  let drift = 0
  for (const pk of pks) {
    assert.equal(await replayHistory(pk, 1_000_000), now.get(pk))
    // differences between counted and recorded quantities
    let quantity = 1_000_000
    for (const [code, deltas] of await readHistory(service, pk)) {
      if (code === 10) drift += toThousandths(deltas.quantity) - quantity
      quantity = toThousandths(deltas.quantity)
    }
  }
  assert.equal(
    [...now.values()].reduce((sum, quantity) => sum + quantity, 0),
    expected.sum + drift,
  )
  const [{ count }] = await service.rows('select count(*)::int from stock_tracking where item = any($1)', [pks])
  assert.equal(count, expected.entries)
  assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
})

test('concurrent changes of locations, parts and stock keep sums exact and cause no deadlock errors', async () => {
  const pks: number[] = []
  for (let index = 0; index < 6; index++)
    pks.push(await insertItem(service, { part: index % 2 ? 3 : 6, quantity: 100, location: 2 + (index % 4) }))
  const requests = [
    (index: number) => member.post('/api/stock/add/', { items: pks.map((pk) => ({ pk, quantity: 1 + (index % 3) })) }),
    (index: number) =>
      member.post('/api/stock/transfer/', {
        items: [...pks].reverse().map((pk) => ({ pk, quantity: 1 })),
        location: 2 + (index % 4),
      }),
    (index: number) => member.patch('/api/stock/location/4/', { external: index % 2 === 0 }),
    (index: number) => member.patch('/api/stock/location/3/', { parent: index % 2 ? 4 : 2 }),
    (index: number) => member.patch(`/api/stock/${pks[index % 6]}/`, { location: 2 + (index % 4) }),
    () => member.post('/api/stock/', { part: 2, quantity: 2, location: 3, serial_numbers: '~+' }),
    (index: number) =>
      member.post(`/api/stock/${pks[index % 6]}/serialize/`, { quantity: 2, serial_numbers: '~+', destination: 3 }),
  ]
  const responses = await Promise.all(
    Array.from({ length: 48 }, (_, index) =>
      (requests[index % requests.length] as (index: number) => Promise<{ status: number }>)(index),
    ),
  )
  assert.deepEqual([...new Set(responses.map(({ status }) => status))].sort(), [200, 201])
  assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  assert.deepEqual(await service.rows('select * from verify_trees()'), [])
})
