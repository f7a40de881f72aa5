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
const stored = async ({ rows }: Pick<TestService, 'rows'> = service) =>
  new Map<number, number>(
    (await rows('select pk, (quantity * 1000)::int as quantity from stock_item')).map((row) => [row.pk, row.quantity]),
  )

const thousandths = (value: unknown) => Math.round(Number(value) * 1000)

/** Replays an item's history from its initial quantity, checks every step, and returns the final quantity. */
async function followHistory(item: number, start: number, on = service): Promise<number> {
  let quantity = start
  for (const [code, deltas] of await readHistory(on, item)) {
    if (code === 11) quantity += thousandths(deltas.added)
    else if (code === 12 || code === 42) quantity -= thousandths(deltas.removed)
    else if (code === 10 || code === 40 || code === 45) quantity = thousandths(deltas.quantity)
    else continue
    assert.equal(thousandths(deltas.quantity), quantity, `item ${item}: code ${code}`)
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
): { took: number[]; splitQuantities: number[] } {
  const splitQuantities: number[] = []
  if (action === 'merge') {
    const [survivor, ...others] = pks as [number, ...number[]]
    for (const pk of others) {
      quantities.set(survivor, (quantities.get(survivor) ?? 0) + (quantities.get(pk) ?? 0))
      quantities.delete(pk)
    }
    return { took: [], splitQuantities }
  }
  const remaining = new Map(quantities)
  const took = pks.map((pk) => {
    const before = quantities.get(pk) ?? 0
    if (action === 'count' || action === 'add') {
      if (quantities.has(pk)) quantities.set(pk, action === 'count' ? amount : before + amount)
      if (quantities.get(pk) === 0) quantities.delete(pk)
      return amount
    }
    const moved = Math.min(amount, remaining.get(pk) ?? 0)
    remaining.set(pk, (remaining.get(pk) ?? 0) - moved)
    const goesWhole = action === 'transfer' && moved === before
    if (moved === 0 || goesWhole) return moved
    if (action === 'transfer') splitQuantities.push(moved)
    quantities.set(pk, before - moved)
    if (before === moved) quantities.delete(pk)
    return moved
  })
  return { took, splitQuantities }
}

for (const wireForm of ['specification', 'inventree']) {
  test(`property: any sequence of counting and moving keeps the sums, and history and answers tell of them (${wireForm})`, async () => {
    const on = wireForm === 'inventree' ? existing : service
    const { member } = on
    await fillStock(on)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        await on.pool.query('delete from stock_item')
        for (let at = 0; at < 4; at++) await insertItem(on, { quantity: 10 })
        let quantities = await stored(on)
        const starts = new Map(quantities)
        for (const moved of steps) {
          const keys = [...quantities.keys()].sort((one, other) => one - other)
          if (keys.length === 0) break
          let pks = moved.picks.map((pick) => keys[pick % keys.length] as number)
          if (moved.action === 'merge') pks = [...new Set(pks)]
          const quantity = (moved.amount / 1000).toFixed(3)
          const { location } = moved
          const response =
            moved.action === 'merge'
              ? await member.post('/api/stock/merge/', { items: pks.map((item) => ({ item })), location })
              : await member.post(`/api/stock/${moved.action}/`, { items: pks.map((pk) => ({ pk, quantity })), location })
          const after = new Map(quantities)
          const { took, splitQuantities } = predict(after, moved, pks)
          const isRejected =
            moved.action === 'merge' ? pks.length < 2 : wireForm === 'specification' && took.some((some) => some < moved.amount)
          assert.equal(response.status, isRejected ? 400 : 201, response.text)
          const now = await stored(on)
          if (!isRejected) {
            const fresh = [...now.keys()].filter((pk) => !quantities.has(pk)).sort((one, other) => one - other)
            assert.equal(fresh.length, splitQuantities.length)
            quantities = after
            for (const [at, pk] of fresh.entries()) quantities.set(pk, splitQuantities[at] as number)
            if (moved.action !== 'merge')
              assert.deepEqual(
                response.body.items.map((entry: { quantity: unknown }) => thousandths(entry.quantity)),
                took,
              )
          }
          assert.deepEqual(new Map([...now].sort()), new Map([...quantities].sort()))
        }
        for (const [pk, quantity] of quantities) assert.equal(await followHistory(pk, starts.get(pk) ?? 0, on), quantity)
        assert.deepEqual(await on.rows('select * from verify_quantities()'), [])
      }),
      { numRuns: 25 },
    )
  })
}

test('32 clients that add, remove, transfer and count the same few items lose no quantities', async () => {
  const pks: number[] = []
  for (let at = 0; at < 4; at++) pks.push(await insertItem(service, { part: at % 2 ? 1 : 4, quantity: 1000 }))
  const expected = { entries: 0, sum: 4_000_000 }
  const work = async (client: number) => {
    for (let round = 0; round < 5; round++) {
      // each client lists the items in a different order
      const items = [0, 1, 2].map((at) => ({
        pk: pks[(client * 7 + round + at * (1 + (client % 3))) % 4] as number,
        quantity: 1 + at,
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
  await Promise.all(Array.from({ length: 32 }, (_, client) => work(client)))

  const now = await stored()
  let drift = 0
  for (const pk of pks) {
    assert.equal(await followHistory(pk, 1_000_000), now.get(pk))
    // differences between counted and recorded quantities
    let quantity = 1_000_000
    for (const [code, deltas] of await readHistory(service, pk)) {
      if (code === 10) drift += thousandths(deltas.quantity) - quantity
      quantity = thousandths(deltas.quantity)
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
  for (let at = 0; at < 6; at++)
    pks.push(await insertItem(service, { part: at % 2 ? 3 : 6, quantity: 100, location: 2 + (at % 4) }))
  const ask = [
    (at: number) => member.post('/api/stock/add/', { items: pks.map((pk) => ({ pk, quantity: 1 + (at % 3) })) }),
    (at: number) =>
      member.post('/api/stock/transfer/', {
        items: [...pks].reverse().map((pk) => ({ pk, quantity: 1 })),
        location: 2 + (at % 4),
      }),
    (at: number) => member.patch('/api/stock/location/4/', { external: at % 2 === 0 }),
    (at: number) => member.patch('/api/stock/location/3/', { parent: at % 2 ? 4 : 2 }),
    (at: number) => member.patch(`/api/stock/${pks[at % 6]}/`, { location: 2 + (at % 4) }),
    () => member.post('/api/stock/', { part: 2, quantity: 2, location: 3, serial_numbers: '~+' }),
    (at: number) => member.post(`/api/stock/${pks[at % 6]}/serialize/`, { quantity: 2, serial_numbers: '~+', destination: 3 }),
  ]
  const responses = await Promise.all(
    Array.from({ length: 48 }, (_, at) => (ask[at % ask.length] as (at: number) => Promise<{ status: number }>)(at)),
  )
  assert.deepEqual([...new Set(responses.map(({ status }) => status))].sort(), [200, 201])
  assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  assert.deepEqual(await service.rows('select * from verify_trees()'), [])
})
