import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { OperatorError } from '../operator-error.ts'
import { refill } from '../testing/refill.ts'
import { testService } from '../testing/service.ts'
import { createAccounts, deactivateAccounts, transferOwnership } from './accounts.ts'
import { addDemoData } from './fill-running-service.ts'

const service = await testService()
const { database } = service.app.routes.services
const IS_DEMO_ACCOUNT = `username in ('demo', 'buyer', 'storekeeper')`

const listActiveAccounts = () =>
  service.rows(
    `select username from user_account where ${IS_DEMO_ACCOUNT} and (is_active or is_staff or is_superuser) order by pk`,
  )

describe('filling a database with the demo while other accounts exist', () => {
  afterEach(async () => {
    await refill(service, 'truncate part, part_category, sales_order, saved_view cascade')
    await service.rows(`delete from user_account where ${IS_DEMO_ACCOUNT}`)
    await service.rows(`delete from user_group where name in ('Purchasing', 'Stores')`)
  })

  test('rejects a database where an order outlived its company, and continues its keys', async () => {
    await service.rows(`insert into sales_order (reference, reference_int, total_price_currency) values ('SO-0001', 1, 'EUR')`)
    await assert.rejects(createAccounts(database, 'x', true), (error: Error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.message, /\(1 rows in sales_order\)/)
      return true
    })
    const insertedRows = await service.rows(
      `insert into sales_order (reference, reference_int, total_price_currency) values ('SO-0002', 2, 'EUR') returning pk`,
    )
    const [{ pk }] = await service.rows(`select min(pk) as pk from sales_order`)
    assert.equal(insertedRows[0].pk, pk + 1)
    assert.deepEqual(await listActiveAccounts(), [])
  })

  test("adds the demo's subscriptions and saved views to those of the requesting account", async () => {
    await createAccounts(database, 'x', true)
    const newOwner = service.getPk('superuser')
    await service.rows(`insert into part_category (name) values ('Own'), ('Other')`)
    await service.rows(`insert into part (name, description) values ('Own', ''), ('Other', '')`)
    await service.rows(`insert into part_star (part, "user") select p.pk, u.pk from part p, user_account u
      where u.username = 'demo' or (u.pk = ${newOwner} and p.name = 'Own')`)
    await service.rows(`insert into part_category_star (category, "user") select c.pk, u.pk from part_category c, user_account u
      where u.username = 'demo' or (u.pk = ${newOwner} and c.name = 'Own')`)
    await service.rows(`insert into saved_view ("user", name, path, query) select u.pk, v.name, '/parts', u.username
      from (values ('Own'), ('Other')) v (name), user_account u where u.username = 'demo' or (u.pk = ${newOwner} and v.name = 'Own')`)
    await deactivateAccounts(database)
    await transferOwnership(database, newOwner)
    assert.deepEqual(await listActiveAccounts(), [])
    for (const table of ['part_star', 'part_category_star', 'saved_view'])
      assert.deepEqual(await service.rows(`select "user", count(*)::int as count from ${table} group by 1`), [
        { user: newOwner, count: 2 },
      ])
    assert.deepEqual(await service.rows('select name, query from saved_view order by name'), [
      { name: 'Other', query: 'demo' },
      { name: 'Own', query: 'superuser' },
    ])
  })

  test('leaves no account active if the requesting account is missing', async () => {
    const missingAccount = 999_999
    const filling = addDemoData(service.app, missingAccount, async () => {
      assert.equal((await listActiveAccounts()).length, 3)
      await service.rows(
        `insert into saved_view ("user", name, path) select pk, 'Own', '/own' from user_account where username = 'demo'`,
      )
      throw new Error('stopped')
    })
    await assert.rejects(filling, { code: '23503' })
    assert.deepEqual(await listActiveAccounts(), [])
  })
})
