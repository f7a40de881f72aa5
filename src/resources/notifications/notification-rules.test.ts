// Over 400 lines: tests who is notified and who is not, event by event.
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createReturnHelpers } from '../../testing/objects/returning.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { waitForStableDay } from '../../testing/period-boundary.ts'
import { type CallerName, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { sweep } from '../background-task/housekeeping.ts'
import { fillStock, insertItem, locations } from '../stock/fixture.ts'
import { deliverNotifications } from './deliver-notifications.ts'
import { notifyOverdue } from './notify-overdue.ts'

const service = await testService()
const { member, superuser } = service
const { services } = service.app.routes
const { supplier, supplierPart } = createPurchaseHelpers(service)
const sales = createSalesHelpers(service)
const returns = createReturnHelpers(service)
await fillStock(service)

type Account = Exclude<CallerName, 'anonymous'>
type SentNotification = { account: string; category: string; source: string | null }

let number = 0

/** The owner of an account, as orders refer to it. */
async function readOwner(account: Account): Promise<number> {
  return (await service.rows('select pk from owner where "user" = $1', [service.getPk(account)]))[0].pk
}

/** Creates a group of these accounts, and returns its owner. */
async function createGroup(...accounts: Account[]): Promise<number> {
  const [{ pk }] = await service.rows('insert into user_group (name) values ($1) returning pk', [`Group ${++number}`])
  for (const account of accounts)
    await service.rows('insert into user_group_member ("user", "group") values ($1, $2)', [service.getPk(account), pk])
  return (await service.rows('select pk from owner where "group" = $1', [pk]))[0].pk
}

/** Delivers all notices, then returns the notifications of an object. */
async function readNotifications(model: string, pk: number): Promise<SentNotification[]> {
  await waitUntilDelivered()
  return service.rows(
    `select u.username as account, n.category, n.source->>'name' as source from notification n join user_account u on u.pk = n."user"
     where n.target->>'model' = $1 and (n.target->>'pk')::integer = $2 order by n.pk, u.pk`,
    [model, pk],
  )
}

/** Waits until all notices are delivered. */
async function waitUntilDelivered(): Promise<void> {
  await deliverNotifications(services)
  await waitUntil(async () => (await service.rows('select 1 from notice')).length === 0, 'a notice is not delivered')
}

const post = async (path: string, body: object = {}, client = member) => {
  const response = await client.post(path, body)
  assert.equal(response.status, 201, response.text)
  return response.body
}

const createPurchaseOrder = async (fields: object = {}): Promise<number> =>
  (await post('/api/order/po/', { reference: `PO-${++number}`, supplier: await supplier(), ...fields })).pk

/** Moves all earlier notifications a day into the past. */
const ageNotifications = () => service.rows(`update told_notice set told = told - interval '25 hours'`)

beforeEach(() => service.rows('delete from notification'))

describe('a new order', () => {
  it('notifies those responsible when a purchase order is issued, but not its author', async () => {
    const pk = await createPurchaseOrder({ responsible: await createGroup('viewer', 'member', 'staff') })
    await service.rows(`update user_account set is_active = false where username = 'staff'`)
    try {
      assert.deepEqual(await readNotifications('purchaseorder', pk), [], 'it is a draft')
      await post(`/api/order/po/${pk}/issue/`)
      assert.deepEqual(await readNotifications('purchaseorder', pk), [
        { account: 'viewer', category: 'order.new_purchaseorder', source: 'member' },
      ])
    } finally {
      await service.rows(`update user_account set is_active = true where username = 'staff'`)
    }
  })

  it('names the order, its company and its page', async () => {
    const [{ pk: company }] = await service.rows(
      `insert into company (name, currency, is_supplier) values ('Acme', 'USD', true) returning pk`,
    )
    const pk = await createPurchaseOrder({ reference: 'PO-9001', supplier: company, responsible: await readOwner('viewer') })
    await post(`/api/order/po/${pk}/issue/`)
    await waitUntilDelivered()
    const { results } = (await service.viewer.get('/api/notifications/')).body
    assert.deepEqual(results[0].target, {
      name: 'PO-9001 - Acme',
      model: 'purchaseorder',
      pk,
      link: `/order/purchase-order/${pk}/`,
    })
    assert.deepEqual([results[0].name, results[0].message.includes('PO-9001 - Acme')], ['New Purchase Order', true])
    assert.deepEqual(results[0].source, { name: 'member', model: 'user', pk: service.getPk('member') })
  })

  it('notifies when a sales order is created, and when a return order is issued', async () => {
    const sale = await sales.order({ responsible: await readOwner('viewer') })
    assert.deepEqual(await readNotifications('salesorder', sale), [
      { account: 'viewer', category: 'order.new_salesorder', source: 'member' },
    ])
    assert.deepEqual(await readNotifications('salesorder', await sales.order({ responsible: await readOwner('member') })), [])
    const returnOrder = await returns.order({ responsible: await readOwner('viewer') })
    assert.deepEqual(await readNotifications('returnorder', returnOrder), [])
    await returns.issue(returnOrder)
    assert.deepEqual(await readNotifications('returnorder', returnOrder), [
      { account: 'viewer', category: 'order.new_returnorder', source: 'member' },
    ])
  })

  it('sends no notification if it is not created', async () => {
    const [before] = await service.rows('select count(*)::integer as count from notification')
    const sent = { reference: 'SO-1', customer: 999_999, responsible: await readOwner('viewer') }
    assert.equal((await member.post('/api/order/so/', sent)).status, 400)
    const pk = await createPurchaseOrder({ responsible: await readOwner('viewer') })
    assert.equal((await member.post(`/api/order/po/${pk}/receive/`, { items: [], location: null })).status, 400)
    await waitUntilDelivered()
    assert.deepEqual(await service.rows('select count(*)::integer as count from notification'), [before])
  })
})

describe('a canceled order', () => {
  it('notifies those responsible, but not the account that canceled it', async () => {
    const responsible = await createGroup('viewer', 'member')
    const orders = {
      po: await createPurchaseOrder({ responsible }),
      so: await sales.order({ responsible }),
      ro: await returns.order({ responsible }),
    }
    await waitUntilDelivered()
    await service.rows('delete from notification')
    for (const [kind, pk] of Object.entries(orders)) await post(`/api/order/${kind}/${pk}/cancel/`)
    for (const [kind, model] of [
      ['po', 'purchaseorder'],
      ['so', 'salesorder'],
      ['ro', 'returnorder'],
    ] as const)
      assert.deepEqual(await readNotifications(model, orders[kind]), [
        { account: 'viewer', category: `order.canceled_${model}`, source: 'member' },
      ])
  })
})

describe('received items', () => {
  it('notify once a day for a purchase order, but not the account that received them', async () => {
    const company = await supplier()
    const pk = await createPurchaseOrder({ supplier: company, responsible: await createGroup('viewer', 'superuser', 'member') })
    const { pk: line } = await post('/api/order/po-line/', { order: pk, part: await supplierPart(company), quantity: 10 })
    await post(`/api/order/po/${pk}/issue/`)
    await waitUntilDelivered()
    await service.rows('delete from notification')
    const receive = () =>
      post(`/api/order/po/${pk}/receive/`, { items: [{ line_item: line, quantity: 1 }], location: locations.shelf }, superuser)
    await receive()
    const expected = ['member', 'viewer'].map((account) => ({
      account,
      category: 'purchase_order.items_received',
      source: 'superuser',
    }))
    const readSorted = async () =>
      (await readNotifications('purchaseorder', pk)).toSorted((a, b) => a.account.localeCompare(b.account))
    assert.deepEqual(await readSorted(), expected)
    await receive()
    assert.deepEqual(await readSorted(), expected, 'already notified today')
    await ageNotifications()
    await receive()
    assert.equal((await readSorted()).length, 4)
  })

  it('notify the account that received some first, when another receives more on the same day', async () => {
    const company = await supplier()
    const pk = await createPurchaseOrder({ supplier: company, responsible: await createGroup('superuser', 'member') })
    const { pk: line } = await post('/api/order/po-line/', { order: pk, part: await supplierPart(company), quantity: 10 })
    await post(`/api/order/po/${pk}/issue/`)
    await waitUntilDelivered()
    await service.rows('delete from notification')
    for (const client of [superuser, member, member]) {
      await post(`/api/order/po/${pk}/receive/`, { items: [{ line_item: line, quantity: 1 }], location: locations.shelf }, client)
      await waitUntilDelivered()
    }
    const category = 'purchase_order.items_received'
    assert.deepEqual(await readNotifications('purchaseorder', pk), [
      { account: 'member', category, source: 'superuser' },
      { account: 'superuser', category, source: 'member' },
    ])
  })

  it('notify once a day for a return order', async () => {
    const { order, line } = await returns.coming()
    await member.patch(`/api/order/ro/${order}/`, { responsible: await createGroup('viewer', 'member') })
    await waitUntilDelivered()
    await service.rows('delete from notification')
    assert.equal((await returns.receive(order, [line], locations.shelf)).status, 201)
    const expected = [{ account: 'viewer', category: 'return_order.items_received', source: 'member' }]
    assert.deepEqual(await readNotifications('returnorder', order), expected)
    await ageNotifications()
    await returns.receive(order, [line], locations.shelf)
    assert.deepEqual(await readNotifications('returnorder', order), expected, 'nothing was received the second time')
  })
})

describe('a reassigned order', () => {
  it('notifies each newly responsible owner, but not the account that reassigned it', async () => {
    const pk = await createPurchaseOrder({ responsible: await readOwner('member') })
    const assignTo = async (responsible: number | null) =>
      assert.equal((await member.patch(`/api/order/po/${pk}/`, { responsible })).status, 200)
    const category = 'order.responsible_purchaseorder'
    await assignTo(await createGroup('viewer', 'member'))
    assert.deepEqual(await readNotifications('purchaseorder', pk), [{ account: 'viewer', category, source: 'member' }])
    await assignTo(await readOwner('staff'))
    await waitUntilDelivered()
    await member.patch(`/api/order/po/${pk}/`, { description: 'the same hands' })
    await waitUntilDelivered()
    await assignTo(null)
    await waitUntilDelivered()
    await assignTo(await readOwner('staff'))
    await waitUntilDelivered()
    await assignTo(await readOwner('viewer'))
    assert.deepEqual(
      (await readNotifications('purchaseorder', pk)).map(({ account }) => account),
      ['viewer', 'staff', 'staff', 'viewer'],
    )
  })
})

describe('several changes before delivery', () => {
  /** Delivers pending notices, then adds notices as if these accounts had acted one after the other without a delivery in between. */
  const addNotices = async (kind: string, pk: number, responsible: number, ...actors: Account[]) => {
    await waitUntilDelivered()
    await service.rows('delete from notification')
    await services.database.transaction(async (tx) => {
      await tx.query('update purchase_order set responsible = $1 where pk = $2', [responsible, pk])
      for (const actor of actors)
        await tx.query(`insert into notice (kind, model, target, actor) values ($1, 'purchaseorder', $2, $3)`, [
          kind,
          pk,
          service.getPk(actor),
        ])
    })
  }

  it('name the last account that reassigned the order if they change its owner', async () => {
    const pk = await createPurchaseOrder()
    const category = 'order.responsible_purchaseorder'
    await addNotices('responsible', pk, await readOwner('viewer'), 'viewer', 'staff')
    assert.deepEqual(
      await readNotifications('purchaseorder', pk),
      [{ account: 'viewer', category, source: 'staff' }],
      'reassigned away and back',
    )
    await addNotices('responsible', pk, await readOwner('staff'), 'member', 'staff')
    assert.deepEqual(await readNotifications('purchaseorder', pk), [], 'the account that is responsible now took it over itself')
  })

  it('notify each responsible owner once if they happen during a delivery, on any node', async () => {
    const pk = await createPurchaseOrder()
    await waitUntilDelivered()
    await service.rows('delete from notification')
    const reassign = async (assignee: Account, actor: Account) => {
      const responsible = await readOwner(assignee)
      await services.database.transaction(async (tx) => {
        await tx.query('update purchase_order set responsible = $1 where pk = $2', [responsible, pk])
        await tx.query(`insert into notice (kind, model, target, actor) values ('responsible', 'purchaseorder', $1, $2)`, [
          pk,
          service.getPk(actor),
        ])
      })
    }
    // the order cannot be read for delivery while companies are locked
    let release = () => {}
    const lockTransaction = services.database.transaction(async (tx) => {
      await tx.query('lock table company in access exclusive mode')
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    const waitingQuery = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'join company'`
    await reassign('staff', 'member')
    const first = deliverNotifications(services)
    await waitUntil(async () => (await service.rows(waitingQuery)).length === 1, 'no delivery is waiting')
    await reassign('viewer', 'staff')
    const second = deliverNotifications(services)
    // the second delivery has skipped what it must not deliver, or waits too
    await Promise.race([
      second,
      waitUntil(async () => (await service.rows(waitingQuery)).length === 2, 'the second delivery neither ends nor waits'),
    ])
    release()
    await Promise.all([lockTransaction, first, second])
    const category = 'order.responsible_purchaseorder'
    assert.deepEqual(await readNotifications('purchaseorder', pk), [{ account: 'viewer', category, source: 'staff' }])
  })

  it("notify each actor of the others' changes only", async () => {
    for (const [kind, category] of [
      ['received', 'purchase_order.items_received'],
      ['canceled', 'order.canceled_purchaseorder'],
    ] as const) {
      const pk = await createPurchaseOrder()
      const responsible = await createGroup('viewer', 'staff')
      await addNotices(kind, pk, responsible, 'viewer', 'staff', 'viewer')
      const notificationRows = (await readNotifications('purchaseorder', pk)).toSorted((a, b) =>
        a.account.localeCompare(b.account),
      )
      assert.deepEqual(notificationRows, [
        { account: 'staff', category, source: 'viewer' },
        { account: 'viewer', category, source: 'staff' },
      ])
      const own = await createPurchaseOrder()
      await addNotices(kind, own, await readOwner('viewer'), 'viewer', 'viewer')
      assert.deepEqual(await readNotifications('purchaseorder', own), [], 'no other account acted')
    }
  })
})

describe('an overdue order', () => {
  const checkOverdue = () => services.database.transaction(notifyOverdue)
  const addDays = (days: number, today: string) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)

  it('notifies its author and those responsible once per target date', async () => {
    const today = await waitForStableDay()
    const responsible = await readOwner('viewer')
    const late = { responsible, target_date: addDays(-1, today) }
    const orders = {
      purchaseorder: await createPurchaseOrder(late),
      salesorder: await sales.order(late),
      returnorder: await returns.order(late),
    }
    await waitUntilDelivered()
    await service.rows('delete from notification')
    // two nodes check at the same time, and again later, also after it was read and deleted
    await Promise.all([checkOverdue(), checkOverdue()])
    for (const [model, pk] of Object.entries(orders)) {
      const category = `order.overdue_${model.replace('order', '_order')}`
      const notificationRows = await readNotifications(model, pk)
      assert.deepEqual(notificationRows.map(({ account }) => account).toSorted(), ['member', 'viewer'], model)
      assert.ok(notificationRows.every((row) => row.category === category && row.source === null))
    }
    await service.rows('delete from notification')
    await ageNotifications()
    await checkOverdue()
    assert.deepEqual(await readNotifications('purchaseorder', orders.purchaseorder), [])
    await member.patch(`/api/order/po/${orders.purchaseorder}/`, { target_date: addDays(-2, today) })
    await checkOverdue()
    assert.equal((await readNotifications('purchaseorder', orders.purchaseorder)).length, 2)
  })

  it('sends no notification if it is closed, due today, or long overdue', async () => {
    const today = await waitForStableDay()
    const closed = await createPurchaseOrder({ target_date: addDays(-1, today) })
    await post(`/api/order/po/${closed}/cancel/`)
    await createPurchaseOrder({ target_date: today })
    await createPurchaseOrder({ target_date: addDays(-8, today) })
    await waitUntilDelivered()
    await service.rows('delete from notification')
    await checkOverdue()
    await waitUntilDelivered()
    assert.deepEqual(await service.rows('select name from notification'), [])
  })

  it('is processed once, even if no account can be notified', async () => {
    const today = await waitForStableDay()
    const pk = await createPurchaseOrder({ target_date: addDays(-1, today) })
    await service.rows(`update user_account set is_active = false where username = 'member'`)
    try {
      await checkOverdue()
      assert.deepEqual(await readNotifications('purchaseorder', pk), [])
    } finally {
      await service.rows(`update user_account set is_active = true where username = 'member'`)
    }
    await checkOverdue()
    assert.deepEqual(await readNotifications('purchaseorder', pk), [])
  })

  it('sends no notification if it was closed before the delivery', async () => {
    const today = await waitForStableDay()
    const pk = await createPurchaseOrder({ target_date: addDays(-1, today) })
    await services.database.transaction(async (tx) => {
      await notifyOverdue(tx)
      await tx.query('update purchase_order set status = 40 where pk = $1', [pk])
    })
    assert.deepEqual(await readNotifications('purchaseorder', pk), [])
  })
})

describe('a part that is low on stock', () => {
  const lowStockCategory = 'part.notify_low_stock'

  /** Creates a part with a template, a category and a parent category, and 10 in stock. */
  async function createTestData() {
    const insertRow = async (text: string, ...values: unknown[]) => (await service.rows(text, values))[0].pk as number
    const parentCategory = await insertRow(`insert into part_category (name) values ($1) returning pk`, `Above ${++number}`)
    const category = await insertRow(
      'insert into part_category (name, parent) values ($1, $2) returning pk',
      `Small ${number}`,
      parentCategory,
    )
    const template = await insertRow(`insert into part (name, is_template) values ($1, true) returning pk`, `Template ${number}`)
    const part = await insertRow(
      'insert into part (name, variant_of, category, units) values ($1, $2, $3, $4) returning pk',
      `Variant ${number}`,
      template,
      category,
      'm',
    )
    const item = await insertItem(service, { part, quantity: '10' })
    const follow = (table: string, column: string, pk: number, account: Account) =>
      service.rows(`insert into ${table} (${column}, "user") values ($1, $2)`, [pk, service.getPk(account)])
    const remove = (quantity: number) => post('/api/stock/remove/', { items: [{ pk: item, quantity }] })
    return { parentCategory, category, template, part, item, follow, remove }
  }

  const listNotifiedAccounts = async (pk: number) =>
    (await readNotifications('part', pk)).map(({ account }) => account).toSorted()

  it('notifies subscribers of it, its template or its categories once a day', async () => {
    const { parentCategory, template, part, follow, remove } = await createTestData()
    await follow('part_star', 'part', part, 'member')
    await follow('part_star', 'part', template, 'viewer')
    await follow('part_category_star', 'category', parentCategory, 'staff')
    await member.patch(`/api/part/${part}/`, { minimum_stock: 8 })
    assert.deepEqual(await listNotifiedAccounts(part), [])
    await remove(2)
    assert.deepEqual(await listNotifiedAccounts(part), [], 'the minimum is still met')
    await remove(1)
    assert.deepEqual(await listNotifiedAccounts(part), ['member', 'staff', 'viewer'])
    await Promise.all([remove(1), remove(1), remove(1)])
    assert.deepEqual(await listNotifiedAccounts(part), ['member', 'staff', 'viewer'])
    await ageNotifications()
    await remove(1)
    assert.equal((await listNotifiedAccounts(part)).length, 6)
    const [row] = await service.rows(`select name, message, category from notification order by pk limit 1`)
    assert.deepEqual(row, {
      name: 'Low stock',
      message: `${(await member.get(`/api/part/${part}/`)).body.full_name} is low on stock: 7 m in stock, minimum 8 m.`,
      category: lowStockCategory,
    })
  })

  it('notifies subscribers of its template when the variants together are low', async () => {
    const { template, part, follow, remove } = await createTestData()
    await follow('part_star', 'part', template, 'viewer')
    await member.patch(`/api/part/${template}/`, { minimum_stock: 8 })
    await remove(4)
    assert.deepEqual([await listNotifiedAccounts(template), await listNotifiedAccounts(part)], [['viewer'], []])
  })

  it('notifies when its minimum rises or an item is deleted, and not when stock has recovered by then', async () => {
    const { part, item, follow, remove } = await createTestData()
    await follow('part_star', 'part', part, 'viewer')
    await member.patch(`/api/part/${part}/`, { minimum_stock: 11 })
    assert.deepEqual(await listNotifiedAccounts(part), ['viewer'])
    await ageNotifications()
    await member.patch(`/api/part/${part}/`, { minimum_stock: 5 })
    await services.database.transaction(async (tx) => {
      await tx.query('update stock_item set quantity = 1 where pk = $1', [item])
      await tx.query('update stock_item set quantity = 10 where pk = $1', [item])
    })
    assert.deepEqual(await listNotifiedAccounts(part), ['viewer'])
    assert.equal((await member.delete(`/api/stock/${item}/`)).status, 204)
    assert.deepEqual(await listNotifiedAccounts(part), ['viewer', 'viewer'])
    await assert.rejects(remove(1))
  })
})

describe('notifications', () => {
  it('are retried later if undeliverable, are deleted after a week, and delay no others', async () => {
    await service.rows(
      `insert into notice (kind, model, target, created) values ('new', 'nothing', 1, now() - interval '8 days')`,
    )
    const pk = await sales.order({ responsible: await readOwner('viewer') })
    await deliverNotifications(services)
    const isDelivered = async () =>
      (await service.rows(`select from notification where (target->>'pk')::integer = $1`, [pk])).length === 1
    await waitUntil(isDelivered, 'the notification is not delivered')
    assert.equal((await service.rows('select from notice')).length, 1)
    const isGone = async () => {
      await sweep(services)
      return (await service.rows('select from notice')).length === 0
    }
    await waitUntil(isGone, 'the notice is not deleted')
  })

  it('are dropped if their order is deleted', async () => {
    const pk = await sales.order({ responsible: await readOwner('viewer') })
    await service.rows('delete from sales_order where pk = $1', [pk])
    await waitUntilDelivered()
    // the notice may have been delivered before the deletion, and never blocks others
    assert.deepEqual(await service.rows('select from notice'), [])
  })
})
