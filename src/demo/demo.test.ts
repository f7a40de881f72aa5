import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { type App, type AppOptions, buildApp } from '../app.ts'
import { loadConfig } from '../config.ts'
import { fillDemo } from '../demo-command.ts'
import { OperatorError } from '../operator-error.ts'
import { PASSWORD } from '../resources/web/demo/demo-accounts.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createFilesFolder } from '../testing/files.ts'
import { waitForStableDay } from '../testing/period-boundary.ts'
import { createSummary } from './summary.ts'

const databases: TestDatabase[] = []
const apps: App[] = []
after(async () => {
  for (const app of apps) await app.close()
  for (const database of databases) await database.drop()
})

/** Creates an empty database, and the options of an application on it. */
async function createInstance(
  environment: Record<string, string> = {},
): Promise<AppOptions & { rows(text: string): Promise<any[]> }> {
  const database = await createTestDatabase()
  databases.push(database)
  const { pool, url } = database
  const config = loadConfig({
    SECRET_KEY: 'a test secret of thirty-two bytes or more',
    DATA_DIR: createFilesFolder().dataDir,
    ...environment,
  })
  const rows = async (text: string) => (await pool.query(text)).rows
  return { config, pool, databaseUrl: url, log: pino({ level: 'silent' }), rows }
}

async function open(options: AppOptions): Promise<App> {
  const app = await buildApp(options)
  apps.push(app)
  return app
}

async function send(app: App, account: string, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const authorization = `Basic ${Buffer.from(`${account}:${PASSWORD}`).toString('base64')}`
  const response = await app.inject({ method, url, headers: { authorization }, payload })
  return { status: response.statusCode, body: response.payload === '' ? undefined : response.json() }
}

// dates count from today, and two demos are compared
await waitForStableDay(40_000)
const demo = await createInstance()
await fillDemo(demo)
const app = await open(demo)
const get = async (url: string) => {
  const { status, body } = await send(app, 'demo', 'GET', url)
  assert.equal(status, 200, url)
  return body
}

describe('the demo', () => {
  test('has purchase orders in every status', async () => {
    const { results } = await get('/api/order/po/?limit=100')
    const assertSome = (description: string, matches: (order: any) => boolean) => assert.ok(results.some(matches), description)
    assertSome('pending without a line', (order) => order.status_text === 'Pending' && order.line_items === 0)
    assertSome('pending with lines', (order) => order.status_text === 'Pending' && order.line_items > 0)
    assertSome('placed', (order) => order.status_text === 'Placed' && !order.overdue && order.completed_lines === 0)
    assertSome('overdue', (order) => order.overdue)
    assertSome('partly received', (order) => order.status_text === 'Placed' && order.completed_lines > 0)
    assertSome('complete', (order) => order.status_text === 'Complete' && order.completed_lines === order.line_items)
    assertSome(
      'closed with lines missing',
      (order) => order.status_text === 'Complete' && order.completed_lines < order.line_items,
    )
    assertSome('cancelled', (order) => order.status_text === 'Cancelled')
    for (const { reference, total_price, responsible_detail, address_detail } of results) {
      assert.notEqual(total_price, null, reference)
      assert.ok(responsible_detail && address_detail, reference)
    }
    assert.ok((await get('/api/order/po-extra-line/?limit=1')).count > 5)
    const lines = (await get('/api/order/po-line/?limit=100&order_status=20')).results
    assert.ok(
      lines.some((line: any) => line.received > 0 && line.received < line.quantity),
      'a partly received line',
    )
    assert.ok(
      lines.some((line: any) => line.target_date && line.overdue),
      'a line that is overdue by its own target date',
    )
  })

  test('has sales orders with shipped and unshipped stock', async () => {
    const { results } = await get('/api/order/so/?limit=100')
    const statuses = new Set(results.map((order: any) => order.status_text))
    assert.deepEqual([...statuses].sort(), ['Cancelled', 'In Progress', 'Pending'])
    const [shipped, unshipped] = (await get('/api/order/so/shipment/?order=1&limit=10')).results
    assert.ok(shipped.shipment_date && shipped.allocations.length === 2 && unshipped.shipment_date === null)
    assert.equal((await get('/api/stock/?sales_order=1&limit=1')).count, 2)
    assert.equal((await get('/api/order/so-allocation/?outstanding=true&limit=1')).count, 1)
  })

  test('has build orders in every status, one of which consumed stock', async () => {
    const { results } = await get('/api/build/?limit=100')
    assert.deepEqual(
      new Set(results.map((order: any) => order.status_text)),
      new Set(['Pending', 'Production', 'Cancelled', 'Complete']),
    )
    const completedBuild = results.find((order: any) => order.status_text === 'Complete')
    assert.ok(
      completedBuild.creation_date <= completedBuild.completion_date && completedBuild.completed === completedBuild.quantity,
    )
    const consumedItems = await get(`/api/stock/?consumed_by=${completedBuild.pk}&limit=100`)
    assert.equal(consumedItems.count, 13)
    const lines = await get(`/api/build/line/?build=${completedBuild.pk}&consumable=false`)
    const requiredQuantities = lines.results.map((line: any) => [line.part_detail.pk, line.quantity])
    assert.deepEqual(new Map(consumedItems.results.map((item: any) => [item.part, item.quantity])), new Map(requiredQuantities))
    for (const { in_stock } of await demo.rows('select in_stock from stock_item where consumed_by is not null'))
      assert.equal(in_stock, false)
  })

  test('has no fractional quantities of parts that are counted in pieces', async () => {
    const fractionalItems = await demo.rows(
      `select part.name, quantity from stock_item join part on part.pk = part where units = '' and quantity <> trunc(quantity)`,
    )
    assert.deepEqual(fractionalItems, [])
  })

  test('has a variety of stock and parts', async () => {
    for (const filter of ['expired', 'stale', 'serialized', 'has_batch', 'external', 'has_purchase_price', 'has_child_items'])
      assert.ok((await get(`/api/stock/?${filter}=true&limit=1`)).count > 0, filter)
    for (const status of [10, 50, 55, 65, 70, 75])
      assert.ok((await get(`/api/stock/?status=${status}&limit=1`)).count > 0, `status ${status}`)
    for (const filter of ['low_stock', 'is_template', 'virtual', 'trackable', 'has_units'])
      assert.ok((await get(`/api/part/?${filter}=true&limit=1`)).count > 0, filter)
    assert.ok((await get('/api/part/?active=false&limit=1')).count > 0)
  })

  test('has consistent counts and quantities', async () => {
    for (const check of [
      'verify_quantities',
      'verify_line_counts',
      'verify_sales_line_counts',
      'verify_allocations',
      'verify_build_allocations',
      'verify_trees',
    ])
      assert.deepEqual(await demo.rows(`select * from ${check}()`), [], check)
  })

  test('is in the past, with events in causal order', async () => {
    assert.deepEqual(
      await demo.rows(
        `select reference from purchase_order where creation_date >= current_date or issue_date < creation_date
         or complete_date < issue_date or complete_date >= current_date`,
      ),
      [],
    )
    assert.deepEqual(await demo.rows('select pk from stock_tracking where date >= current_date'), [])
    assert.deepEqual(
      await demo.rows(
        `select entry.pk from stock_tracking entry join purchase_order o on o.pk::text = entry.deltas ->> 'purchaseorder'
         where entry.date::date < o.issue_date or entry.date::date > coalesce(o.complete_date, current_date)`,
      ),
      [],
    )
    const [misordered] = await demo.rows(
      `select count(*)::integer as count from stock_tracking entry join stock_tracking later on later.pk > entry.pk and later.date < entry.date`,
    )
    assert.equal(misordered.count, 0)
  })

  test('lets its accounts sign in, with the permissions of their groups', async () => {
    for (const account of ['demo', 'buyer', 'storekeeper'])
      assert.equal((await send(app, account, 'GET', '/api/user/me/')).body.username, account)
    const [order] = (await get('/api/order/po/?status=10&limit=1')).results
    const supplier = order.supplier
    const created = await send(app, 'buyer', 'POST', '/api/order/po/', { reference: 'PO-0099', supplier })
    assert.equal(created.status, 201)
    assert.equal((await send(app, 'storekeeper', 'DELETE', `/api/order/po/${created.body.pk}/`)).status, 403)
    assert.equal((await send(app, 'buyer', 'DELETE', `/api/order/po/${created.body.pk}/`)).status, 204)
    assert.equal((await send(app, 'buyer', 'POST', '/api/stock/', { part: 1, quantity: 1 })).status, 403)
    assert.equal((await send(app, 'storekeeper', 'POST', '/api/part/', { name: 'Anything', category: 2 })).status, 403)
  })

  test('summarizes its data, with URLs that work', async () => {
    const text = await createSummary(demo.pool, demo.config)
    assert.match(text, /5 sales orders, 1 of them in progress/)
    assert.match(text, /16 purchase orders: 3 pending, 4 placed \(1 of them overdue\), 7 complete, 2 cancelled/)
    for (const [url = ''] of text.matchAll(/http:\S+/g)) {
      const path = url.slice(demo.config.siteUrl.length)
      const { statusCode, payload } = await app.inject({
        url: path,
        headers: { authorization: `Basic ${Buffer.from(`demo:${PASSWORD}`).toString('base64')}` },
      })
      assert.equal(statusCode, 200, url)
      if (path.startsWith('/api/')) assert.ok(JSON.parse(payload).count ?? JSON.parse(payload).length, url)
    }
  })
})

describe('filling a database', () => {
  const readContent = (rows: (text: string) => Promise<any[]>) =>
    Promise.all([
      rows('select pk, reference, status, total_price, line_items, completed_lines, target_date from purchase_order order by pk'),
      rows('select pk, part, location, quantity, status, serial, batch, purchase_price from stock_item order by pk'),
      rows('select item, tracking_type, date, notes, "user" from stock_tracking order by pk'),
    ])

  test('is rejected if it is not empty, and changes nothing there', async () => {
    const before = await readContent(demo.rows)
    await assert.rejects(fillDemo(demo), (error: Error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.message, /^nothing was changed: the demo requires an empty database, .* \(3 rows in user_account\)/)
      return true
    })
    assert.deepEqual(await readContent(demo.rows), before)
    assert.deepEqual(await demo.rows('select username from user_account order by pk'), [
      { username: 'demo' },
      { username: 'buyer' },
      { username: 'storekeeper' },
    ])
  })

  test('creates the same data in every wire form', async () => {
    const otherInstance = await createInstance({ WIRE_FORM: 'inventree' })
    await fillDemo(otherInstance)
    assert.deepEqual(await readContent(otherInstance.rows), await readContent(demo.rows))
  })

  test('reports an error midway, and lets no account sign in', async () => {
    const otherInstance = await createInstance()
    await otherInstance.pool.query(`alter table project_code add constraint rejected check (code <> 'ROBIN')`)
    await assert.rejects(fillDemo(otherInstance), (error: Error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(
        error.message,
        /^the demo stopped with an error, and nobody can sign in .*POST \/api\/project-code\/ by demo returned/,
      )
      return true
    })
    assert.equal((await send(await open(otherInstance), 'demo', 'GET', '/api/user/me/')).status, 401)
    await assert.rejects(fillDemo(otherInstance), /requires an empty database/)
  })
})
