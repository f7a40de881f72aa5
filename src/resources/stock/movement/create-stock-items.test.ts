import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { Caller } from '../../../kit/request/caller.ts'
import { Problem } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { testService } from '../../../testing/service.ts'
import { createSampleCaller } from '../../callers.ts'
import { readLatestSerial } from '../serial/serials-in-use.ts'
import { createStockItems, type NewStockItem } from './create-stock-items.ts'

const service = await testService()
const settings = new Map<string, unknown>()
let services: Services
let caller: Caller

before(async () => {
  services = {
    ...service.app.routes.services,
    settings: { get: (key) => settings.get(key), reload: async () => {}, upToDate: () => undefined },
  }
  caller = createSampleCaller({ pk: service.getPk('member'), username: 'member' })
})

/** Parts: 1 plain, 2 trackable template with variant 3, 4 trackable, 5 virtual. Locations: 1, 2 structural. */
beforeEach(async () => {
  settings.clear()
  for (const [key, value] of [
    ['SERIAL_NUMBER_GLOBALLY_UNIQUE', false],
    ['STOCK_DELETE_DEPLETED_DEFAULT', true],
    ['INVENTREE_DEFAULT_CURRENCY', 'EUR'],
  ])
    settings.set(key as string, value)
  await service.pool.query(`
    truncate part, stock_item, stock_location, stock_tracking restart identity cascade;
    insert into part (name, trackable, virtual, variant_of) values
      ('Screw', false, false, null), ('Board', true, false, null), ('Board blue', true, false, 2), ('Lamp', true, false, null),
      ('Service', false, true, null);
    insert into stock_location (name, structural) values ('Shelf', false), ('House', true)`)
})

const createItems = (items: NewStockItem[]) =>
  services.database.transaction((tx) => createStockItems({ ...services, tx, caller }, items))

const readErrors = async (items: NewStockItem[]) => {
  try {
    await createItems(items)
  } catch (error) {
    if (error instanceof Problem) return JSON.parse(JSON.stringify(error.body))
    throw error
  }
  return 'created'
}

describe('createStockItems', () => {
  test('creates items in order, each with its history', async () => {
    const pks = await createItems([
      {
        part: 1,
        quantity: '12345678901234.56789',
        location: 1,
        batch: 'B',
        barcode: 'code',
        purchase_price: '1.5',
        tags: ['a', 'b'],
        history: { type: 'CREATED', deltas: { status: 10 }, notes: 'first' },
      },
      { part: 4, quantity: '1', serial: 'S1', expiry_date: '2030-01-31' },
    ])
    const rows = await service.rows('select * from stock_item order by pk')
    assert.deepEqual(
      rows.map((row) => row.pk),
      pks,
    )
    assert.equal(rows[0].quantity, '12345678901234.56789')
    assert.equal(rows[0].barcode_hash, 'c13367945d5d4c91047b3b50234aa7ab')
    assert.equal(rows[0].purchase_price_currency, 'EUR')
    assert.deepEqual(rows[0].tags, ['a', 'b'])
    assert.deepEqual([rows[0].delete_on_deplete, rows[1].delete_on_deplete], [true, false])
    const history = await service.rows('select item, tracking_type, deltas, notes, "user" from stock_tracking')
    assert.deepEqual(history, [{ item: pks[0], tracking_type: 1, deltas: { status: 10 }, notes: 'first', user: caller.pk }])
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  test('creates nothing when an item is rejected', async () => {
    const [screw] = await createItems([{ part: 1, quantity: '1', barcode: 'taken' }])
    assert.ok(screw)
    const cases: [NewStockItem[], string][] = [
      [[{ part: 1, quantity: '1', location: 2 }], 'location'],
      [[{ part: 5, quantity: '1' }], 'part'],
      [[{ part: 4, quantity: '1.5' }], 'quantity'],
      [[{ part: 4, quantity: '2', serial: 'S' }], 'quantity,serial'],
      [
        [
          { part: 2, quantity: '1', serial: 'S' },
          { part: 3, quantity: '1', serial: 'S' },
        ],
        'serial',
      ],
    ]
    for (const [items, field] of cases) assert.equal(Object.keys((await readErrors(items)) as object).join(), field)
    // rejected requests use up no keys either
    assert.deepEqual(await createItems([{ part: 1, quantity: '1' }]), [screw + 1])
    assert.deepEqual(await readErrors([{ part: 1, quantity: '1', barcode: 'taken' }]), {
      non_field_errors: ['Existing barcode found'],
    })
    assert.deepEqual(await service.rows('select pk from stock_item order by pk'), [{ pk: screw }, { pk: screw + 1 }])
  })

  test('requires unique serial numbers within a tree of variants, or globally if so configured', async () => {
    await createItems([{ part: 3, quantity: '1', serial: '7' }])
    const expectedErrors = { serial: ['Stock item with this serial number already exists: 7'] }
    assert.deepEqual(await readErrors([{ part: 2, quantity: '1', serial: '7' }]), expectedErrors)
    assert.equal(await readErrors([{ part: 4, quantity: '1', serial: '7' }]), 'created')
    settings.set('SERIAL_NUMBER_GLOBALLY_UNIQUE', true)
    assert.deepEqual(await readErrors([{ part: 1, quantity: '1', serial: '7' }]), expectedErrors)
  })

  test('never creates a duplicate serial number or a deadlock under concurrent requests', async () => {
    const serials = Array.from({ length: 20 }, (_, index) => String(index))
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, index) => {
        const items = serials.flatMap((serial) => [
          { part: index % 2 ? 2 : 4, quantity: '1', serial },
          { part: index % 2 ? 4 : 3, quantity: '1', serial },
        ])
        return readErrors(items)
      }),
    )
    assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 1)
    const [{ count }] = await service.rows('select count(*)::int from stock_item')
    assert.equal(count, 40)
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })
})

test('readLatestSerial finds the latest serial number of a tree', async () => {
  const readLatest = (part: number) => services.database.transaction((tx) => readLatestSerial({ ...services, tx }, part))
  assert.equal(await readLatest(2), null)
  await createItems(['9', '10', 'AB11', 'x'].map((serial) => ({ part: 3, quantity: '1', serial })))
  await createItems([{ part: 4, quantity: '1', serial: '99' }])
  assert.equal(await readLatest(2), 'AB11')
  settings.set('SERIAL_NUMBER_GLOBALLY_UNIQUE', true)
  assert.equal(await readLatest(2), '99')
})

test('readLatestSerial returns the number that counting continues from, even if several begin with the same number or one is huge', async () => {
  const readLatest = (part: number) => services.database.transaction((tx) => readLatestSerial({ ...services, tx }, part))
  await createItems(['2026-9', '2026-10', '2026-8'].map((serial) => ({ part: 3, quantity: '1', serial })))
  assert.equal(await readLatest(3), '2026-10')
  await createItems(['9999999999', '10000000000'].map((serial) => ({ part: 3, quantity: '1', serial })))
  assert.equal(await readLatest(3), '10000000000')
})
