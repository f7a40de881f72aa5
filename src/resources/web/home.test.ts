import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startDemoWorkshop } from '../../testing/objects/demo-workshop.ts'
import { OWNER, PASSWORD } from './demo/demo-accounts.ts'

const { app, pool } = await startDemoWorkshop(false)
const [{ today }] = (await pool.query('select current_date::text as today')).rows

const open = { po: '(10, 20, 25)', so: '(10, 15)', ro: '(10, 20)', build: '(10, 20, 25)' }
const due = `outstanding=true&min_date=1970-01-01&max_date=${today}&limit=50`
const selectDue = (table: string, states: string) =>
  `select pk from ${table} where status in ${states} and target_date <= current_date`

/** Lists of the home page: the URL of each, and an independent SQL query with the same result. */
const HOME_PAGE_LISTS: Record<string, [url: string, sql: string]> = {
  'purchase orders that are due': [`/api/order/po/?${due}`, selectDue('purchase_order', open.po)],
  'sales orders that are due': [`/api/order/so/?${due}`, selectDue('sales_order', open.so)],
  'return orders that are due': [`/api/order/ro/?${due}`, selectDue('return_order', open.ro)],
  'build orders that are due': [
    `/api/build/?active=true&min_date=1970-01-01&max_date=${today}&limit=50`,
    selectDue('build_order', open.build),
  ],
  'purchase orders that are overdue': [
    '/api/order/po/?overdue=true&limit=50',
    `select pk from purchase_order where status in ${open.po} and target_date < current_date`,
  ],
  'parts with low stock': [
    '/api/part/?low_stock=true&active=true&limit=50',
    `select p.pk from part p where p.active and p.minimum_stock > 0 and p.minimum_stock > (
       select coalesce(sum(i.quantity), 0) from stock_item i join part stocked on stocked.pk = i.part
       where stocked.path @> array[p.pk] and i.status in (10, 50, 55) and i.customer is null and i.sales_order is null
         and i.belongs_to is null and i.consumed_by is null and not i.is_building)`,
  ],
  'stock that has expired, or will within STOCK_STALE_DAYS': [
    '/api/stock/?stale=true&limit=50',
    `select pk from stock_item where quantity > 0 and expiry_date < current_date + 30`,
  ],
  'lines of build orders that wait for parts': [
    '/api/build/line/?order_outstanding=true&allocated=false&available=false&limit=50',
    `select l.pk from build_line l join build_order b on b.pk = l.build and b.status in ${open.build}
       where l.quantity > (select coalesce(sum(a.quantity), 0) from build_allocation a where a.build_line = l.pk)`,
  ],
  'lines of sales orders that wait for parts': [
    '/api/order/so-line/?order_outstanding=true&allocated=false&limit=50',
    `select l.pk from sales_order_line l join sales_order o on o.pk = l."order" and o.status in ${open.so}
       where l.quantity > (select coalesce(sum(a.quantity), 0) from sales_order_allocation a where a.line = l.pk)`,
  ],
  'returns that are outstanding': [
    '/api/order/ro-line/?order_outstanding=true&received=false&limit=50',
    `select l.pk from return_order_line l join return_order o on o.pk = l."order" and o.status in ${open.ro} where l.received_date is null`,
  ],
  'unread notifications': [
    '/api/notifications/?read=false&limit=50',
    `select n.pk from notification n join user_account u on u.pk = n."user" and u.username = '${OWNER}' where not n.read`,
  ],
}

describe('the lists of the home page', () => {
  it('each have one URL, and are all returned by one request', async () => {
    const requests = Object.fromEntries(Object.entries(HOME_PAGE_LISTS).map(([name, [url]]) => [name, url]))
    const response = await app.inject({
      method: 'POST',
      url: '/api/web/read/',
      headers: { authorization: `Basic ${Buffer.from(`${OWNER}:${PASSWORD}`).toString('base64')}` },
      payload: { requests },
    })
    const responses = response.json() as Record<string, { status: number; body: { count: number; results: { pk: number }[] } }>
    let nonEmptyCount = 0
    for (const [name, [, sql]] of Object.entries(HOME_PAGE_LISTS)) {
      const { status, body } = responses[name] ?? assert.fail(name)
      assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
      const keys = body.results.map(({ pk }) => pk)
      const expected = (await pool.query(sql)).rows.map(({ pk }) => pk)
      // availability is checked by the list alone
      if (name.startsWith('lines of build'))
        assert.ok(
          keys.every((pk) => expected.includes(pk)),
          name,
        )
      else assert.deepEqual(keys.toSorted(), expected.toSorted(), name)
      if (keys.length > 0) nonEmptyCount++
    }
    assert.ok(nonEmptyCount >= 7, `${nonEmptyCount} of them have rows`)
  })
})
