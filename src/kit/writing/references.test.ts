import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { testService } from '../../testing/service.ts'

const service = await testService()
const { member } = service

/** Part 1 is only active, part 2 is an assembly; company 1 has no flags. */
before(() =>
  service.pool.query(`
    insert into part (name, component, purchaseable, salable) values ('Stone', false, false, false);
    insert into part (name, assembly, component, purchaseable, salable) values ('Wall', true, true, true, true);
    insert into company (name, currency, is_supplier, is_manufacturer, is_customer) values ('Nobody', 'EUR', false, false, false)`),
)

const createLine = (part: number, sub_part: number) => ({ part, sub_part, quantity: 1 })
const REJECTIONS: [path: string, body: object, expected: object][] = [
  ['/api/bom/', createLine(1, 2), { part: ['The part is not an assembly and has no BOM.'] }],
  ['/api/bom/', createLine(2, 1), { sub_part: ['The part is not a component.'] }],
  ['/api/bom/', createLine(2, 99), { sub_part: ['Invalid pk "99" - object does not exist.'] }],
  [
    '/api/bom/import/submit/',
    { items: [createLine(1, 1)] },
    {
      items: [
        {
          part: ['The part is not an assembly and has no BOM.'],
          sub_part: ['The part is not a component.'],
        },
      ],
    },
  ],
  ['/api/part/sale-price/', { part: 1, quantity: 1, price: 1 }, { part: ['The part is not salable.'] }],
  [
    '/api/company/part/',
    { part: 1, supplier: 1, SKU: 'S' },
    { part: ['The part is not purchasable.'], supplier: ['The company is not a supplier.'] },
  ],
  [
    '/api/build/',
    { part: 1, quantity: 1 },
    { part: ['The part cannot be built: it is not an assembly, is inactive, or is virtual.'] },
  ],
  ['/api/order/so/', { reference: 'SO-0001', customer: 1 }, { customer: ['The company is not a customer.'] }],
]

for (const [path, body, expected] of REJECTIONS)
  it(`POST ${path} ${JSON.stringify(body)} distinguishes a missing object from an unusable one`, async () => {
    const response = await member.post(path, body)
    assert.deepEqual([response.status, response.body], [400, { ...response.body, ...expected }])
  })
