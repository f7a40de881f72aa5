import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { createObjectsAs } from '../../testing/objects/creates.ts'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { type TestResponse, testService } from '../../testing/service.ts'
import { fillStock, insertItem } from '../stock/fixture.ts'
import { anyCode } from './all-codes.ts'

/**
 * The barcode operations respond to every input as documented. The test client checks every successful response against its published
 * schema, and that none reports a failure of the service. A failing case is reported with its seed.
 */
const service = await testService()
const inventreeService = await testService({ WIRE_FORM: 'inventree' })

/** Codes tried on each operation; FUZZ_RUNS tries more than the suite does. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 100)

type Fixtures = Awaited<ReturnType<typeof createFixtures>>

/** Creates an order of each kind with a line for the codes' parts, and codes of objects: existing and deleted ones. */
async function createFixtures(testedService: typeof service) {
  const { superuser } = testedService
  await fillStock(testedService)
  const { supplier, part, supplierPart, location } = createPurchaseHelpers(testedService)
  const createObject = createObjectsAs(superuser)
  const company = await supplier()
  const product = await part()
  await testedService.rows('update part set salable = true where pk = $1', [product])
  const soldPart = await supplierPart(company, { part: product })
  await testedService.rows(`update supplier_part set "SKU" = 'FUZZ' where pk = $1`, [soldPart])
  const [pending, placed] = [
    await createObject('/api/order/po/', { reference: 'PO-0001', supplier: company }),
    await createObject('/api/order/po/', { reference: 'PO-0002', supplier: company }),
  ]
  const shelf = await location()
  await createObject('/api/order/po-line/', { order: placed, part: soldPart, quantity: 1_000_000, destination: shelf })
  await superuser.post(`/api/order/po/${placed}/issue/`)
  await testedService.rows(`update purchase_order set reference = 'PO-FUZZ' where pk = $1`, [placed])
  const [{ pk: customer }] = await testedService.rows('select pk from company where is_customer limit 1')
  const sale = await createObject('/api/order/so/', { reference: 'SO-0001', customer })
  await createObject('/api/order/so-line/', { order: sale, part: product, quantity: 1_000 })
  await createObject('/api/order/so/shipment/', { order: sale, reference: '1' })
  const item = await insertItem(testedService, { part: product, quantity: '500' })
  const codes = [
    `{"stockitem": ${item}}`,
    `INV-SI${item}`,
    `{"supplierpart": ${soldPart}}`,
    `{"part": ${product}}`,
    'FUZZ',
    'KPO-FUZZ',
  ]
  codes.push(
    '[)>\u001e06\u001dPFUZZ\u001dQ2',
    '[)>\u001e06\u001dKPO-FUZZ\u001dPFUZZ\u001dQ1\u001dS7',
    '{on:PO-FUZZ,pc:FUZZ,qty:2}',
  )
  // deleted objects: by their keys, and by their previous code
  for (const [path, kind, pk] of [
    ['/api/stock/', 'stockitem', await insertItem(testedService)],
    ['/api/stock/location/', 'stocklocation', await location()],
    ['/api/company/part/', 'supplierpart', await supplierPart(company)],
  ] as const) {
    assert.equal((await superuser.post('/api/barcode/link/', { barcode: `gone ${kind}`, [kind]: pk })).status < 300, true)
    assert.equal((await superuser.delete(`${path}${pk}/`)).status, 204)
    codes.push(`{"${kind}": ${pk}}`, `gone ${kind}`)
  }
  return { codes, pending, placed, sale, item, product, soldPart, shelf }
}

/** Asserts the documented form of an error: `error` and its context, or messages by field. */
function assertRejected({ status, body, text }: TestResponse): void {
  assert.ok([400, 403].includes(status), `${status} ${text.slice(0, 300)}`)
  if (typeof body.error === 'string') return
  assert.ok(Object.keys(body).length > 0, text)
  for (const [field, errors] of Object.entries(body))
    assert.ok(
      field === 'detail' || (Array.isArray(errors) && errors.length > 0 && errors.every((error) => typeof error === 'string')),
      text.slice(0, 300),
    )
}

/** Values that are invalid for any field, or far out of bounds. */
const junk = fc.oneof(
  fc.constantFrom(null, '', ' ', -1, 0, 1.5, 2 ** 31, 1e300, '1', ' 1 ', '1e3', true, [], {}, [[]], '\ud800', 'x'.repeat(5_000)),
  fc.jsonValue({ maxDepth: 2 }),
)

/** A body: mostly valid, sometimes junk, and unknown fields. */
const generateBody = (fields: Record<string, fc.Arbitrary<unknown>>, optional: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc
    .tuple(
      fc.record(fields),
      fc.record(
        Object.fromEntries(
          Object.entries(optional).map(([name, valid]) => [
            name,
            fc.oneof({ arbitrary: valid, weight: 6 }, { arbitrary: junk, weight: 1 }),
          ]),
        ),
        { requiredKeys: [] },
      ),
      fc.record({ success: junk, plugin: junk, matched: junk, lineitem: junk, error: junk }, { requiredKeys: [] }),
    )
    .map(([requiredFields, optionalFields, unknownFields]) => ({ ...unknownFields, ...optionalFields, ...requiredFields }))

type Operation = {
  /** A body that succeeds. */
  valid: (fixtures: Fixtures) => Record<string, unknown>
  /** Any other body. */
  any: (fixtures: Fixtures) => fc.Arbitrary<Record<string, unknown>>
}

const operations: Record<string, Operation> = {
  '': {
    valid: ({ product }) => ({ barcode: `{"part": ${product}}` }),
    any: ({ codes }) => generateBody({ barcode: anyCode(codes) }),
  },
  'link/': {
    valid: ({ product }) => ({ barcode: 'something new', part: product, success: 5 }),
    any: ({ codes, product, shelf, item }) =>
      generateBody(
        { barcode: anyCode(codes) },
        { part: fc.constant(product), stocklocation: fc.constant(shelf), stockitem: fc.constant(item), build: junk },
      ),
  },
  'unlink/': {
    valid: ({ product }) => ({ part: product, success: [] }),
    any: ({ product, shelf }) => generateBody({}, { part: fc.constant(product), stocklocation: fc.constant(shelf), build: junk }),
  },
  'generate/': {
    valid: ({ product }) => ({ model: 'part', pk: product, barcode: 5 }),
    any: ({ product }) =>
      generateBody(
        {},
        { model: fc.constantFrom('part', 'stockitem', 'build'), pk: fc.oneof(fc.constant(product), fc.integer()) },
      ),
  },
  'po-allocate/': {
    valid: ({ product, pending }) => ({ barcode: `{"part": ${product}}`, purchase_order: pending }),
    any: ({ codes, pending }) => generateBody({ barcode: anyCode(codes) }, { purchase_order: fc.constant(pending) }),
  },
  'po-receive/': {
    valid: () => ({ barcode: '[)>\u001e06\u001dKPO-FUZZ\u001dPFUZZ\u001dQ2\u001dSfits', lineitem: null }),
    any: ({ codes, placed, shelf }) =>
      generateBody(
        { barcode: anyCode(codes) },
        { purchase_order: fc.constant(placed), location: fc.constant(shelf), allow_over_receipt: fc.boolean() },
      ),
  },
  'so-allocate/': {
    valid: ({ item, sale }) => ({ barcode: `{"stockitem": ${item}}`, sales_order: sale, quantity: 2, stock_item: 'x' }),
    any: ({ codes, sale, item }) =>
      generateBody(
        { barcode: fc.oneof(anyCode(codes), fc.constant(`{"stockitem": ${item}}`)), sales_order: fc.constant(sale) },
        {
          line: fc.constant(null),
          shipment: fc.constant(null),
          quantity: fc.oneof(fc.integer(), fc.integer({ min: -1, max: 3 })),
        },
      ),
  },
}

for (const [form, of] of [
  ['the default form', service],
  ['the form of existing clients', inventreeService],
] as const)
  describe(`any code, in ${form}`, () => {
    let fixtures: Fixtures
    before(async () => {
      fixtures = await createFixtures(of)
    })

    for (const [path, { valid, any }] of Object.entries(operations))
      it(`gets a documented response from /api/barcode/${path}`, async () => {
        let acceptedCount = 0
        await fc.assert(
          fc.asyncProperty(any(fixtures), async (body) => {
            const response = await of.superuser.post(`/api/barcode/${path}`, body)
            if (response.status >= 300) return assertRejected(response)
            acceptedCount++
            const fields = path === 'generate/' ? ['model', 'pk'] : ['barcode', 'part', 'purchase_order', 'quantity']
            if (of === service)
              for (const name of fields.filter((field) => field in body)) assert.deepEqual(response.body[name], body[name], name)
          }),
          { numRuns: RUNS, examples: [[valid(fixtures)]] },
        )
        assert.ok(acceptedCount > 0, 'every body was rejected')
      })

    it('is found once it is linked', async () => {
      const part = await createPurchaseHelpers(of).part()
      await fc.assert(
        fc.asyncProperty(anyCode(fixtures.codes), async (barcode) => {
          const linked = await of.superuser.post('/api/barcode/link/', { barcode, part })
          if (linked.status >= 300) return assertRejected(linked)
          assert.equal((await of.superuser.post('/api/barcode/', { barcode })).body.part?.pk, part)
        }),
        { numRuns: RUNS },
      )
    })

    it('leaves stock and orders consistent', async () => {
      for (const check of ['verify_quantities', 'verify_sales_line_counts', 'verify_allocations'])
        assert.deepEqual(await of.rows(`select * from ${check}()`), [], check)
      const [counts] = await of.rows(
        `select (select received from purchase_order_line where "order" = $1)::float as received,
           (select coalesce(sum(quantity), 0) from stock_item where purchase_order = $1)::float as stocked`,
        [fixtures.placed],
      )
      assert.ok(counts.received > 0)
      assert.equal(counts.received, counts.stocked)
    })
  })
