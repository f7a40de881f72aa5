import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createSalesHelpers } from '../../../testing/objects/selling.ts'
import { createRoundTripCounter } from '../../../testing/round-trips.ts'
import { assertCallers, type Client, type TestResponse, testService } from '../../../testing/service.ts'
import { assertHistorySums, fillStock, insertItem, locations, readHistory } from '../fixture.ts'

const service = await testService()
await fillStock(service)
const salesHelpers = createSalesHelpers(service)
const { member, superuser } = service

const PATHS = { move: 'transfer', count: 'count', add: 'add', remove: 'remove' }
type ActionName = keyof typeof PATHS

const postAdjustment = (name: ActionName, items: object[], more: object = {}, client: Client = member) =>
  client.post(`/api/stock/${PATHS[name]}/`, {
    items,
    undoable: true,
    ...(name === 'move' ? { location: locations.garage } : {}),
    ...more,
  })

/** Runs an action, and returns the UUID for undoing it. */
async function adjust(name: ActionName, items: object[], more: object = {}): Promise<string> {
  const { status, body, text } = await postAdjustment(name, items, more)
  assert.equal(status, 201, text)
  assert.match(body.adjustment, /^[\da-f-]{36}$/)
  assert.equal('undoable' in body, false)
  return body.adjustment
}

const undo = (id: string, client: Client = member, body: object = {}) => client.post(`/api/stock/adjustment/${id}/undo/`, body)

function assertRejected(response: TestResponse, text: RegExp) {
  assert.equal(response.status, 400, response.text)
  assert.match(response.body.non_field_errors.join(), text)
}

/** Reads items, without the time of their last change, and the items split off from them. */
const readState = (pks: readonly number[]) =>
  service.rows(
    `select to_jsonb(item) - '{updated,opening_quantity}'::text[] as item from stock_item item
     where pk = any($1::integer[]) or parent = any($1::integer[]) order by pk`,
    [pks],
  )

describe('POST /api/stock/adjustment/{adjustment}/undo/', () => {
  it('undoes an action on one item, once', async () => {
    const all: [ActionName, object, number[]][] = [
      ['move', { quantity: 10 }, [20, 20]],
      ['move', { quantity: 4 }, [42, 45]],
      ['count', { quantity: 3 }, [10, 10]],
      ['add', { quantity: '2.5' }, [11, 12]],
      ['remove', { quantity: '2.5' }, [12, 11]],
    ]
    for (const [name, fields, types] of all) {
      const pk = await insertItem(service, { stocktake_date: '2020-02-02', stocktake_user: service.getPk('staff') })
      const before = await readState([pk])
      const id = await adjust(name, [{ pk, ...fields }])
      assert.notDeepEqual(await readState([pk]), before)
      const { status, body } = await undo(id)
      assert.deepEqual([status, body], [201, { items: [pk] }])
      assert.deepEqual(await readState([pk]), before, name)
      // no history entry is deleted
      assert.deepEqual(
        (await readHistory(service, pk)).map(([type]) => type),
        types,
      )
      assertRejected(await undo(id), /^It was already undone$/)
    }
    await assertHistorySums(service)
  })

  it('has nothing to undo after a move to the same location, and leaves no empty history entry', async () => {
    const pk = await insertItem(service, { batch: 'B', location: locations.garage })
    const before = await service.rows('select * from stock_item where pk = $1', [pk])
    for (const fields of [{}, { batch: 'B', status: 10 }])
      assert.deepEqual((await postAdjustment('move', [{ pk, quantity: 10, ...fields }])).body.adjustment, null)
    assert.deepEqual(
      [await service.rows('select * from stock_item where pk = $1', [pk]), await readHistory(service, pk)],
      [before, []],
    )
    await undo(await adjust('move', [{ pk, quantity: 10, batch: 'C' }]))
    assert.deepEqual(await readHistory(service, pk), [
      [25, { batch: 'C' }],
      [25, { batch: 'B' }],
    ])
  })

  it('records in the history who undid it, and why', async () => {
    const pk = await insertItem(service)
    await undo(await adjust('add', [{ pk, quantity: 2 }]))
    await undo(await adjust('add', [{ pk, quantity: 3 }]), member, { notes: 'Wrong drawer' })
    const history = await service.rows('select notes, deltas, "user" from stock_tracking where item = $1 order by pk', [pk])
    assert.deepEqual(
      [history[1], history[3]],
      [
        { notes: 'The addition was undone', deltas: { removed: 2, quantity: 10 }, user: service.getPk('member') },
        { notes: 'Wrong drawer', deltas: { removed: 3, quantity: 10 }, user: service.getPk('member') },
      ],
    )
  })

  it('restores other fields that a transfer changed', async () => {
    const pk = await insertItem(service, { batch: 'B-1', packaging: 'Bag' })
    const before = await readState([pk])
    const fields = { pk, quantity: 10, batch: 'B-2', packaging: 'Reel', status: 50 }
    const id = await adjust('move', [fields])
    assert.equal((await undo(id)).status, 201)
    assert.deepEqual(await readState([pk]), before)
    const statusChangeId = await adjust('move', [{ pk, quantity: 10, status: 55 }], { location: locations.shelf })
    assert.equal((await undo(statusChangeId)).status, 201)
    assert.deepEqual(await readState([pk]), before)
    assert.deepEqual((await readHistory(service, pk)).at(-1), [25, { status: 10 }])
    // values newer than the transfer are not overwritten
    const secondId = await adjust('move', [fields])
    await service.rows(`update stock_item set batch = 'B-3' where pk = $1`, [pk])
    assertRejected(await undo(secondId), new RegExp(`Stock item ${pk} was changed`))
  })

  it('recreates depleted items, with their keys', async () => {
    const items = [
      await insertItem(service, { batch: 'B-1', metadata: '{"a": 1}' }),
      await insertItem(service, { notes: 'A remark' }),
    ]
    await member.post('/api/barcode/link/', { barcode: 'Shelf code', stockitem: items[0] })
    const child = await insertItem(service, { parent: items[1] })
    const permanentItem = await insertItem(service, { delete_on_deplete: false })
    const all = [...items, permanentItem]
    const before = await readState(all)
    const id = await adjust(
      'remove',
      all.map((pk) => ({ pk, quantity: 10 })),
    )
    assert.equal((await service.rows('select from stock_item where pk = any($1)', [items])).length, 0)
    assert.equal((await undo(id)).status, 201)
    assert.deepEqual(await readState(all), before)
    assert.ok(before.some(({ item }) => item.pk === child))
    assert.equal((await member.post('/api/barcode/', { barcode: 'Shelf code' })).body.stockitem.pk, items[0])
    await assertHistorySums(service)
  })

  it('restores several items, or none if one has changed since', async () => {
    const items = [await insertItem(service), await insertItem(service, { location: null }), await insertItem(service)]
    const before = await readState(items)
    const moves = items.map((pk, index) => ({ pk, quantity: index === 2 ? 4 : 10 }))
    assert.equal((await undo(await adjust('move', moves))).status, 201)
    assert.deepEqual(await readState(items), before)
    const id = await adjust('move', moves)
    const stateBefore = await readState(items)
    const otherAddition = await superuser.post('/api/stock/add/', { items: [{ pk: items[1], quantity: 1 }] })
    assert.equal(otherAddition.status, 201, otherAddition.text)
    assertRejected(await undo(id), new RegExp(`^Stock item ${items[1]} has a quantity of 11 instead of 10$`))
    await superuser.post('/api/stock/remove/', { items: [{ pk: items[1], quantity: 1 }] })
    assertRejected(await undo(id), new RegExp(`^Stock item ${items[1]} has a newer entry in its history`))
    assert.deepEqual(await readState(items), stateBefore)
  })

  it('rejects if a split-off item was changed, or an added quantity is allocated', async () => {
    const item = await insertItem(service)
    const id = await adjust('move', [{ pk: item, quantity: 4 }])
    const [split] = await service.rows('select pk from stock_item where parent = $1', [item])
    await service.rows(`update stock_item set notes = 'Mine' where pk = $1`, [split.pk])
    assertRejected(await undo(id), new RegExp(`Stock item ${split.pk} was changed`))
    const part = await salesHelpers.part()
    const lamps = await salesHelpers.stock(part, 1)
    const additionId = await adjust('add', [{ pk: lamps, quantity: 5 }])
    assert.equal((await salesHelpers.allocate(await salesHelpers.sale(part), lamps, 6)).status, 201)
    assertRejected(await undo(additionId), /allocated to orders/)
  })

  it('undoes adjustments one by one, the latest first', async () => {
    const pk = await insertItem(service)
    const before = await readState([pk])
    const ids = [
      await adjust('add', [{ pk, quantity: 1 }]),
      await adjust('move', [{ pk, quantity: 11 }]),
      await adjust('remove', [{ pk, quantity: 3 }]),
    ]
    assertRejected(await undo(ids[0] as string), /instead of 11/)
    for (const id of ids.toReversed()) assert.equal((await undo(id)).status, 201)
    assert.deepEqual(await readState([pk]), before)
    await assertHistorySums(service)
  })

  it('undoes a status change together with earlier adjustments, all or none', async () => {
    const [counted, lost] = [await insertItem(service), await insertItem(service)]
    const before = await readState([counted, lost])
    const countAndLose = async () => {
      const count = await adjust('count', [{ pk: counted, quantity: 3 }])
      const { body } = await member.post('/api/stock/change_status/', { items: [lost], status: 70, undoable: true })
      return { count, status: body.adjustment as string }
    }
    const first = await countAndLose()
    assert.equal((await undo(first.status)).status, 201)
    assert.deepEqual((await readState([lost]))[0], before[1])
    assert.deepEqual(await readHistory(service, lost), [
      [5, { status: 70 }],
      [5, { status: 10 }],
    ])
    assert.equal((await undo(first.count)).status, 201)
    const second = await countAndLose()
    const { status, body } = await undo(second.status, member, { also: [second.count] })
    assert.deepEqual([status, body], [201, { items: [lost, counted] }])
    assert.deepEqual(await readState([counted, lost]), before)
    assertRejected(await undo(second.count), /^It was already undone$/)
    const third = await countAndLose()
    const stateBefore = await readState([counted, lost])
    await superuser.post('/api/stock/add/', { items: [{ pk: counted, quantity: 1 }] })
    assertRejected(await undo(third.status, member, { also: [third.count] }), /instead of 3/)
    assert.deepEqual((await readState([lost]))[0], stateBefore[1])
    assert.equal((await undo(third.status, member, { also: [crypto.randomUUID()] })).status, 404)
    assert.equal((await undo(third.status, member, { also: ['7'] })).status, 404)
    const same = await member.post('/api/stock/change_status/', { items: [lost], status: 70, undoable: true })
    assert.deepEqual([same.body.adjustment, 'undoable' in same.body], [null, false])
    await assertHistorySums(service)
  })

  it('succeeds once for concurrent requests', async () => {
    const pk = await insertItem(service)
    const id = await adjust('add', [{ pk, quantity: 1 }])
    const responses = await Promise.all(Array.from({ length: 4 }, () => undo(id)))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400])
    assert.equal((await readState([pk]))[0]?.item.quantity, 10)
  })

  it('requires the caller who made the adjustment', async () => {
    const pk = await insertItem(service)
    const id = await adjust('add', [{ pk, quantity: 1 }])
    assert.equal((await undo(id, superuser)).status, 404)
    await assertCallers(service, (client) => undo(id, client), ['member', 'superuser'])
    const unknown = await undo(crypto.randomUUID())
    assert.deepEqual([unknown.status, unknown.body], [404, { detail: 'Not found.' }])
    const junk = await undo('7')
    assert.deepEqual([junk.status, junk.body], [404, unknown.body], 'an invalid id is treated as unknown')
  })

  it('is unavailable if not requested, if nothing changed, or if an item is named twice', async () => {
    const pk = await insertItem(service)
    const countAdjustments = async () => (await service.rows('select count(*)::integer as count from stock_adjustment'))[0].count
    const before = await countAdjustments()
    const plain = await postAdjustment('add', [{ pk, quantity: 1 }], { undoable: false })
    assert.equal('adjustment' in plain.body, false)
    assert.equal((await postAdjustment('add', [{ pk, quantity: 0 }])).body.adjustment, null)
    const twice = await postAdjustment('add', [
      { pk, quantity: 1 },
      { pk, quantity: 1 },
    ])
    assert.equal(twice.body.adjustment, null)
    const manyItems = await service.rows(
      `insert into stock_item (part, quantity, purchase_price_currency) select 1, 1, 'EUR' from generate_series(1, 1001) returning pk`,
    )
    assert.equal(
      (
        await postAdjustment(
          'count',
          manyItems.map(({ pk }) => ({ pk, quantity: 2 })),
        )
      ).body.adjustment,
      null,
    )
    assert.equal(await countAdjustments(), before)
  })

  it('costs no additional round trip to record', async () => {
    const countRoundTrips = createRoundTripCounter(service.pool)
    for (const [name, quantity] of [
      ['move', 10],
      ['move', 4],
      ['count', 5],
    ] as const) {
      const counts = []
      // the first request of each kind prepares its statements
      for (const more of [{ undoable: false }, {}, { undoable: false }, {}]) {
        const pk = await insertItem(service)
        counts.push(await countRoundTrips(() => postAdjustment(name, [{ pk, quantity }], more)))
      }
      assert.equal(counts[3], counts[2], `${name}: ${counts}`)
    }
  })

  it('restores the exact previous state after any actions, or rejects', async () => {
    const step = fc.record({
      name: fc.constantFrom<ActionName[]>('move', 'count', 'add', 'remove'),
      amounts: fc.array(fc.integer({ min: 0, max: 12_000 }), { minLength: 3, maxLength: 3 }),
      location: fc.constantFrom(locations.garage, locations.box, locations.shelf),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), fc.boolean(), async (steps, isOverwritten) => {
        const items = [await insertItem(service), await insertItem(service, { quantity: '7.125' }), await insertItem(service)]
        const states = [await readState(items)]
        const ids: (string | null)[] = []
        for (const { name, amounts, location } of steps) {
          const existingKeys = new Set(
            (await service.rows('select pk from stock_item where pk = any($1)', [items])).map(({ pk }) => pk),
          )
          const entries = items.flatMap((pk, index) =>
            existingKeys.has(pk) ? [{ pk, quantity: (amounts[index] as number) / 1000 }] : [],
          )
          const { status, body } = await postAdjustment(name, entries, name === 'move' ? { location } : {})
          if (status !== 201) continue
          ids.push(body.adjustment)
          states.push(await readState(items))
        }
        if (isOverwritten && ids.at(-1)) {
          const stateBefore = states.at(-1)?.find(({ item }) => items.includes(item.pk))
          if (stateBefore) {
            await superuser.post('/api/stock/count/', { items: [{ pk: stateBefore.item.pk, quantity: 77 }] })
            const now = await readState(items)
            const adjustmentRows = await service.rows(`select items::text as items from stock_adjustment where id = $1`, [
              ids.at(-1),
            ])
            if (!adjustmentRows[0].items.includes(`"pk":${stateBefore.item.pk},`)) return
            assert.equal((await undo(ids.at(-1) as string)).status, 400)
            assert.deepEqual(await readState(items), now)
          }
          return
        }
        for (const id of ids.toReversed()) {
          states.pop()
          if (id === null) continue
          const { status, text } = await undo(id)
          assert.equal(status, 201, text)
          assert.deepEqual(await readState(items), states.at(-1))
        }
      }),
      { numRuns: 25 },
    )
    await assertHistorySums(service)
  })
})
