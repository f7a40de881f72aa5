import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { testService } from '../../testing/service.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member } = service
const { part, build, bom, linesOf, assertSums } = createBuildHelpers(service)
afterEach(assertSums)

const readLine = async (pk: number) => (await member.get(`/api/bom/${pk}/`)).body
const readRequired = async (buildOrder: number) => (await linesOf(buildOrder)).map(({ quantity }) => quantity)

/** Sends a change of a line; returns its amount and quantity after it, or the errors. */
async function change(pk: number, body: object) {
  const response = await member.patch(`/api/bom/${pk}/`, body)
  return response.status === 200 ? [response.body.raw_amount, response.body.quantity] : response.body
}

describe('the quantity that a build order requires of a component', () => {
  it('includes its losses, what setting up uses, and is a multiple', async () => {
    const kit = await part({ assembly: true })
    const line = await bom(kit, await part(), 2, { setup_quantity: 5, attrition: 10, rounding_multiple: 4 })
    const orders = [await build(kit, 10), await build(kit, 5), await build(kit, 2)]
    assert.deepEqual(await Promise.all(orders.map(readRequired)), [[28], [16], [12]])
    // open build orders follow each of them
    for (const [body, required] of [
      [{ rounding_multiple: null }, 27],
      [{ setup_quantity: 0 }, 22],
      [{ attrition: 0 }, 20],
      [{ overage: '3' }, 23],
    ] as const) {
      assert.equal((await member.patch(`/api/bom/${line}/`, body)).status, 200)
      assert.deepEqual(await readRequired(orders[0] as number), [required], JSON.stringify(body))
    }
  })

  it('is exact for all quantities', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 100_000 }),
        fc.option(fc.integer({ min: 1, max: 1_000_000 })),
        fc.integer({ min: 1, max: 1_000 }),
        async (quantity, setup, attrition, multiple, builds) => {
          // in units of 0.00001, and of 0.001 %
          const [{ required }] = await service.rows(
            `select (bom_required(jsonb_populate_record(null::bom_item, $1), $2) * 100000)::bigint::text as required`,
            [
              {
                quantity: quantity / 1e5,
                setup_quantity: setup / 1e5,
                attrition: attrition / 1e3,
                rounding_multiple: multiple === null ? null : multiple / 1e5,
                overage: '',
              },
              builds,
            ],
          )
          const product = BigInt(quantity) * BigInt(builds) * BigInt(100_000 + attrition)
          const exact = (product + 50_000n) / 100_000n + BigInt(setup)
          const step = BigInt(multiple ?? 1)
          assert.equal(BigInt(required), ((exact + step - 1n) / step) * step)
        },
      ),
    ))

  it('rejects impossible losses, and changes nothing', async () => {
    const line = await bom(await part({ assembly: true }), await part(), 2)
    const before = await readLine(line)
    for (const body of [
      { attrition: -1 },
      { attrition: 100.5 },
      { attrition: null },
      { setup_quantity: -1 },
      { setup_quantity: null },
      { rounding_multiple: 0 },
      { rounding_multiple: -2 },
    ]) {
      const response = await member.patch(`/api/bom/${line}/`, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, Object.keys(body)], JSON.stringify(body))
    }
    assert.deepEqual(await readLine(line), before)
  })
})

describe('the amount of a BOM line', () => {
  it('is its quantity, in the units of the component', async () => {
    const [kit, glue] = [await part({ assembly: true }), await part({ units: 'g' })]
    const { status, body } = await member.post('/api/bom/', { part: kit, sub_part: glue, raw_amount: '0.002 kg' })
    assert.deepEqual([status, body.raw_amount, body.quantity], [201, '0.002 kg', 2])
    assert.deepEqual(await change(body.pk, { raw_amount: '500 mg' }), ['500 mg', 0.5])
    assert.deepEqual(await change(body.pk, { raw_amount: '3' }), ['3', 3])
    assert.deepEqual(await change(body.pk, { raw_amount: '1 dag' }), ['1 dag', 10])
    assert.deepEqual(await change(body.pk, { note: 'thin' }), ['1 dag', 10])
    // a client that returns all fields changes one of them
    assert.deepEqual(await change(body.pk, { raw_amount: '1 dag', quantity: 4 }), ['4', 4])
    assert.deepEqual(await change(body.pk, { raw_amount: '5 g', quantity: 5 }), ['5 g', 5])
  })

  it('rejects an amount of another unit, none, or one that contradicts the quantity', async () => {
    const line = await bom(await part({ assembly: true }), await part({ units: 'g' }), 2)
    const before = await readLine(line)
    for (const body of [
      { raw_amount: '2 m' },
      { raw_amount: 'two' },
      { raw_amount: '' },
      { raw_amount: null },
      { raw_amount: '0 g' },
      { raw_amount: `${'1'.repeat(24)} g` },
      { raw_amount: '5 g', quantity: 6 },
    ])
      assert.deepEqual(Object.keys((await member.patch(`/api/bom/${line}/`, body)).body), ['raw_amount'], JSON.stringify(body))
    assert.deepEqual(await readLine(line), before)
  })

  it('needs a whole number of a trackable component', async () => {
    const line = await bom(await part({ assembly: true }), await part({ trackable: true, units: 'm' }), 2)
    assert.deepEqual(Object.keys(await change(line, { raw_amount: '50 cm' })), ['quantity'])
    assert.deepEqual(await change(line, { raw_amount: '300 cm' }), ['300 cm', 3])
  })

  it('goes into copies of a BOM, with losses', async () => {
    const [kit, copy] = [await part({ assembly: true }), await part({ assembly: true })]
    await bom(kit, await part({ units: 'g' }), 2, {
      setup_quantity: 5,
      attrition: 10,
      rounding_multiple: 4,
      raw_amount: '0.002 kg',
    })
    assert.equal((await member.post(`/api/part/${copy}/bom-copy/`, { part: kit })).status, 201)
    const [line] = (await member.get(`/api/bom/?part=${copy}`)).body.results
    assert.deepEqual(
      [line.raw_amount, line.quantity, line.setup_quantity, line.attrition, line.rounding_multiple],
      ['0.002 kg', 2, 5, 10, 4],
    )
  })
})
