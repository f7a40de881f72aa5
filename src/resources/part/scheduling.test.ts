import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const { member, viewer } = service
const getUrl = (part: number) => `/api/part/${part}/scheduling/`

before(() =>
  service.pool.query(`
    insert into company (pk, name, currency, is_supplier, is_customer) overriding system value values (1, 'Bolts', 'EUR', true, true);
    insert into part (pk, name, assembly, component, is_template, variant_of, trackable) overriding system value values
      (1, 'Bolt', false, true, true, null, false), (2, 'Red bolt', false, true, false, 1, false), (3, 'Chair', true, false, true, null, false),
      (4, 'Nut', false, true, false, null, false), (5, 'Red chair', true, false, false, 3, false);
    insert into supplier_part (pk, part, supplier, "SKU", pack_quantity, pack_quantity_native) overriding system value values (1, 1, 1, 'B', '10', 10);
    insert into purchase_order (pk, reference, supplier, status, target_date, total_price_currency) overriding system value values
      (1, 'PO-0001', 1, 20, '2030-01-10', 'EUR'), (2, 'PO-0002', 1, 30, null, 'EUR'), (3, 'PO-0003', 1, 10, null, 'EUR');
    insert into purchase_order_line ("order", part, quantity, received, target_date, purchase_price_currency) values
      (1, 1, 5, 2, null, 'EUR'), (1, 1, 1, 4, '2030-01-05', 'EUR'), (2, 1, 7, 0, null, 'EUR'), (3, 1, 2, 0, null, 'EUR');
    insert into sales_order (pk, reference, customer, status, target_date, total_price_currency) overriding system value values
      (1, 'SO-0001', 1, 15, '2030-01-07', 'EUR');
    insert into sales_order_line ("order", part, quantity, shipped, sale_price_currency) values (1, 1, 4, 1.5, 'EUR');
    insert into bom_item (pk, part, sub_part, quantity, inherited, allow_variants) overriding system value values
      (1, 3, 1, 4, true, true), (2, 3, 4, 1, false, false);
    insert into bom_item_substitute (bom_item, part) values (2, 1);
    insert into build_order (pk, part, reference, quantity, completed, status, target_date) overriding system value values
      (1, 3, 'BO-0001', 10, 3, 20, '2030-01-08'), (2, 5, 'BO-0002', 2, 0, 10, null), (3, 3, 'BO-0003', 10, 10, 40, null),
      (4, 1, 'BO-0004', 6, 1, 20, '2030-01-06');
    insert into stock_item (pk, part, quantity, purchase_price_currency) overriding system value values (900, 1, 30, 'EUR'), (901, 2, 5, 'EUR');
    insert into build_allocation (build_line, stock_item, quantity)
      select line.pk, allocation.item, allocation.quantity from build_line line, (values (900, 12), (901, 3)) allocation (item, quantity)
      where line.build = 1 and line.bom_item = 1`),
)

describe('GET /api/part/{id}/scheduling/', () => {
  const createEntry = (date: string | null, quantity: number, speculative: number, label: string) => [
    date,
    quantity,
    speculative,
    label,
  ]
  const readSchedule = async (part: number, client = member) => {
    const { status, body } = await client.get(getUrl(part))
    assert.equal(status, 200)
    return body.map(({ date, quantity, speculative_quantity, label }: Record<string, never>) => [
      date,
      quantity,
      speculative_quantity,
      label,
    ])
  }

  it('returns incoming and outgoing quantities, in units of the part, undated ones first', async () => {
    assert.deepEqual(await readSchedule(1), [
      createEntry(null, 0, -8, 'BO-0002'),
      createEntry(null, 20, 0, 'PO-0003 - Bolts'),
      createEntry('2030-01-05', 0, 0, 'PO-0001 - Bolts'),
      createEntry('2030-01-06', 5, 0, 'BO-0004'),
      createEntry('2030-01-07', -2.5, 0, 'SO-0001 - Bolts'),
      createEntry('2030-01-08', -12, -35, 'BO-0001'),
      createEntry('2030-01-10', 30, 0, 'PO-0001 - Bolts'),
    ])
    // a variant is used where the line allows it, but none of it is on order
    assert.deepEqual(await readSchedule(2), [createEntry(null, 0, -8, 'BO-0002'), createEntry('2030-01-08', -3, -25, 'BO-0001')])
    assert.deepEqual(await readSchedule(5), [createEntry(null, 2, 0, 'BO-0002')])
    const [first] = (await member.get(getUrl(4))).body
    assert.deepEqual([first.title, first.url], ['Stock required for Build Order', '/build/1/'])
  })

  it('includes only orders that the caller can view', async () => {
    const setRights = async (canView: boolean) => {
      await service.rows(`update rule_set set can_view = $1 where name in ('purchase_order', 'build')`, [canView])
      service.app.routes.services.accounts.invalidate()
    }
    await setRights(false)
    assert.deepEqual(await readSchedule(1, viewer), [createEntry('2030-01-07', -2.5, 0, 'SO-0001 - Bolts')])
    await setRights(true)
    await assertCallers(service, (client) => client.get(getUrl(1)), ['viewer', 'member', 'superuser'])
  })

  it('returns 404 for an unknown part', async () => assert.equal((await member.get(getUrl(99))).status, 404))
})
