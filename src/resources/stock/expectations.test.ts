import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { type TestResponse, testService } from '../../testing/service.ts'
import { allowAnyInstallation, assertHistorySums, fillStock, insertItem, locations, parts } from './fixture.ts'

const service = await testService()
const { member } = service
before(() => allowAnyInstallation(service))
beforeEach(() => fillStock(service))
afterEach(() => assertHistorySums(service))

const PROBLEM = { accept: 'application/problem+json' }
const readAllRows = () =>
  service.rows('select * from stock_item item left join stock_tracking entry on entry.item = item.pk order by item.pk, entry.pk')
const readQuantity = async (pk: number) =>
  (await service.rows('select quantity::float8 as quantity from stock_item where pk = $1', [pk]))[0].quantity

const actions = {
  count: (items: object[], headers?: Record<string, string>) => member.post('/api/stock/count/', { items }, headers),
  add: (items: object[], headers?: Record<string, string>) => member.post('/api/stock/add/', { items }, headers),
  remove: (items: object[], headers?: Record<string, string>) => member.post('/api/stock/remove/', { items }, headers),
  transfer: (items: object[], headers?: Record<string, string>) =>
    member.post('/api/stock/transfer/', { items, location: locations.garage }, headers),
}

for (const [name, act] of Object.entries(actions))
  describe(`POST /api/stock/${name}/ with expectations`, () => {
    const assertSuccess = async (items: object[]): Promise<TestResponse> => {
      const response = await act(items)
      assert.equal(response.status, 201, response.text)
      return response
    }

    it('succeeds if the expectations are met, with the same response as without them', async () => {
      const [one, two] = [
        await insertItem(service, { quantity: 5 }),
        await insertItem(service, { quantity: 2.5, location: null }),
      ]
      const { body } = await assertSuccess([
        { pk: one, quantity: 1, expected_quantity: 5, expected_location: locations.shelf },
        { pk: two, quantity: 2, expected_quantity: '2.50', expected_location: null },
      ])
      assert.deepEqual(
        body.items.map((entry: object) => Object.keys(entry).filter((key) => key.startsWith('expected'))),
        [[], []],
      )
    })

    it('names every entry with a wrong expectation, with the actual value, and changes nothing', async () => {
      const pks = [
        await insertItem(service, { quantity: 5 }),
        await insertItem(service, { quantity: 2.5 }),
        await insertItem(service, { quantity: 1, location: null }),
        await insertItem(service, { quantity: 4 }),
      ]
      const items = [
        { pk: pks[0], quantity: 1, expected_quantity: 5 },
        { pk: pks[1], quantity: 1, expected_quantity: 3, expected_location: locations.box },
        { pk: pks[2], quantity: 1, expected_location: locations.shelf },
        { pk: pks[3], quantity: 1, expected_location: null },
      ]
      const before = await readAllRows()
      const plainResponse = await act(items)
      assert.equal(plainResponse.status, 412)
      assert.deepEqual(plainResponse.body, {
        items: [
          {},
          {
            expected_quantity: ['The quantity is 2.5, not 3.'],
            expected_location: [`The location is ${locations.shelf}, not ${locations.box}.`],
          },
          { expected_location: [`The location is none, not ${locations.shelf}.`] },
          { expected_location: [`The location is ${locations.shelf}, not none.`] },
        ],
      })
      const { status, body } = await act(items, PROBLEM)
      assert.deepEqual([status, body.code], [412, 'expectation_failed'])
      assert.deepEqual(
        body.field_errors.map(({ pointer, code, parameters }: Record<string, unknown>) => [pointer, code, parameters]),
        [
          ['/items/1/expected_quantity', 'quantity_not_as_expected', { found: '2.5', expected: '3' }],
          ['/items/1/expected_location', 'location_not_as_expected', { found: locations.shelf, expected: locations.box }],
          ['/items/2/expected_location', 'location_not_as_expected', { found: null, expected: locations.shelf }],
          ['/items/3/expected_location', 'location_not_as_expected', { found: locations.shelf, expected: null }],
        ],
      )
      assert.deepEqual(await readAllRows(), before)
    })

    it('compares with the state before the request, also for an item named twice', async () => {
      const pk = await insertItem(service, { quantity: 5 })
      const twice = { pk, quantity: 1, expected_quantity: 5 }
      await assertSuccess([twice, twice])
      const other = await insertItem(service, { quantity: 5 })
      const { status, body } = await act([
        { ...twice, pk: other },
        { ...twice, pk: other, expected_quantity: 4 },
      ])
      assert.deepEqual([status, body.items], [412, [{}, { expected_quantity: ['The quantity is 5, not 4.'] }]])
    })

    it('rejects even a minimally different quantity', async () => {
      const pk = await insertItem(service, { quantity: 0.3 })
      const before = await readAllRows()
      for (const [expected_quantity, status] of [
        [0.1 + 0.2, 412],
        ['0.300001', 412],
        ['0.30000000000000000001', 412],
        ['3e-1', 201],
      ] as const) {
        if (status === 201) assert.deepEqual(await readAllRows(), before)
        assert.equal((await act([{ pk, quantity: '0.1', expected_quantity }])).status, status, String(expected_quantity))
      }
    })

    it('rejects an invalid number or key', async () => {
      const pk = await insertItem(service)
      const { status, body } = await act([{ pk, quantity: 1, expected_quantity: 'five', expected_location: 'shelf' }])
      assert.deepEqual([status, Object.keys(body.items[0])], [400, ['expected_quantity', 'expected_location']])
      assert.equal((await act([{ pk, quantity: 1, expected_quantity: null }])).status, 400)
    })
  })

describe('expectations under concurrent changes', () => {
  it('accept one of several concurrent counts, and return its result to the others', async () => {
    const pk = await insertItem(service, { quantity: 5 })
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => actions.count([{ pk, quantity: 10 + index, expected_quantity: 5 }], PROBLEM)),
    )
    const [success, ...more] = responses.filter(({ status }) => status === 201)
    assert.deepEqual([more.length, await readQuantity(pk)], [0, Number(success?.body.items[0].quantity)])
    for (const { status, body } of responses.filter((response) => response !== success)) {
      assert.equal(status, 412)
      assert.deepEqual(body.field_errors[0].parameters, { found: String(await readQuantity(pk)), expected: '5' })
    }
  })

  it('property: accept exactly the expected quantity, in any notation', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: -2, max: 2 }), async (units, difference) => {
        const formatDecimal = (value: number) =>
          `${value < 0 ? '-' : ''}${Math.floor(Math.abs(value) / 10 ** 5)}.${String(Math.abs(value) % 10 ** 5).padStart(5, '0')}`
        const pk = await insertItem(service, { part: parts.screw, quantity: formatDecimal(units) })
        const { status } = await actions.add([{ pk, quantity: 1, expected_quantity: formatDecimal(units + difference) }])
        assert.equal(status, difference === 0 ? 201 : 412)
      }),
      { numRuns: 30 },
    ))
})
