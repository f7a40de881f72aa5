import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { type CallerName, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { fillStock } from '../stock/fixture.ts'
import { deliverNotifications } from './deliver-notifications.ts'
import { notifyOverdue } from './notify-overdue.ts'

const service = await testService()
const { member } = service
const { services } = service.app.routes
const { part, build, bom, stock, act, begin } = createBuildHelpers(service)
const sales = createSalesHelpers(service)
await fillStock(service)

type Account = Exclude<CallerName, 'anonymous'>

const readOwner = async (account: Account): Promise<number> =>
  (await service.rows('select pk from owner where "user" = $1', [service.getPk(account)]))[0].pk

/** Delivers all notices, then returns account, category and message of each notification. */
async function readNotifications(): Promise<[string, string, string][]> {
  await deliverNotifications(services)
  await waitUntil(async () => (await service.rows('select 1 from notice')).length === 0, 'a notice is not delivered')
  const rows = await service.rows(
    `select u.username as account, n.category, n.message from notification n join user_account u on u.pk = n."user" order by n.pk, u.pk`,
  )
  return rows.map(({ account, category, message }) => [account, category, message])
}

/** Creates a build order; returns its key and its name as notifications show it. */
async function createOrder(fields: object = {}, partPk?: number, quantity = 1): Promise<{ pk: number; name: string }> {
  const pk = await build(partPk ?? (await part({ assembly: true })), quantity, fields)
  const { reference, part_detail } = (await member.get(`/api/build/${pk}/?part_detail=true`)).body
  return { pk, name: `${reference} - ${part_detail.full_name}` }
}

beforeEach(async () => {
  await readNotifications()
  await service.rows('delete from notification')
})

describe('a build order', () => {
  it('notifies its responsible owner when created, but not its issuer', async () => {
    const { pk, name } = await createOrder({ responsible: await readOwner('viewer') })
    assert.deepEqual(await readNotifications(), [
      ['viewer', 'build.new_build', `You are responsible for the new build order ${name}.`],
    ])
    const [{ target }] = await service.rows('select name, target from notification')
    assert.deepEqual(target, { name, model: 'build', pk, link: `/build/${pk}/` })
    await createOrder({ responsible: await readOwner('viewer'), issued_by: service.getPk('viewer') })
    assert.equal((await readNotifications()).length, 1)
  })

  it('notifies a newly responsible owner at each change', async () => {
    const { pk, name } = await createOrder()
    const assignTo = async (account: Account) =>
      assert.equal((await member.patch(`/api/build/${pk}/`, { responsible: await readOwner(account) })).status, 200)
    const expected = ['build.responsible_build', `You are now responsible for the build order ${name}.`]
    await assignTo('viewer')
    assert.deepEqual(await readNotifications(), [['viewer', ...expected]])
    await assignTo('staff')
    await readNotifications()
    await assignTo('viewer')
    assert.deepEqual(await readNotifications(), [
      ['viewer', ...expected],
      ['staff', ...expected],
      ['viewer', ...expected],
    ])
    await assignTo('member')
    assert.equal((await readNotifications()).length, 3, 'the account that took it over is not notified')
  })

  it('notifies its responsible owner when cancelled', async () => {
    const { pk, name } = await createOrder({ responsible: await readOwner('viewer') })
    await readNotifications()
    await service.rows('delete from notification')
    assert.equal((await act(pk, 'cancel')).status, 201)
    assert.deepEqual(await readNotifications(), [
      ['viewer', 'build.canceled_build', `The build order ${name}, for which you are responsible, was canceled.`],
    ])
  })

  it('notifies everyone involved when completed, except the account that completed it', async () => {
    const parentOrder = await createOrder({ issued_by: service.getPk('staff') })
    const sales_order = await sales.order({ responsible: await readOwner('superuser') })
    const fields = {
      parent: parentOrder.pk,
      sales_order,
      issued_by: service.getPk('viewer'),
      responsible: await readOwner('member'),
    }
    const { pk, name } = await createOrder(fields)
    const [output] = await begin(pk, 1)
    await act(pk, 'complete', { outputs: [{ output }], location: 2 })
    await readNotifications()
    await service.rows('delete from notification')
    assert.equal((await act(pk, 'finish')).status, 201)
    const received = await readNotifications()
    assert.deepEqual(new Set(received.map(([account]) => account)), new Set(['viewer', 'staff', 'superuser']))
    for (const [, ...expected] of received)
      assert.deepEqual(expected, ['build.completed', `The build order ${name} is complete.`])
  })

  it('notifies its responsible owner and its issuer once per target date when overdue', async () => {
    const { pk, name } = await createOrder({ responsible: await readOwner('viewer'), issued_by: service.getPk('staff') })
    await readNotifications()
    await service.rows('delete from notification')
    await service.rows('update build_order set target_date = current_date - 1 where pk = $1', [pk])
    const [{ day }] = await service.rows('select (current_date - 1)::text as day')
    await services.database.transaction(notifyOverdue)
    await services.database.transaction(notifyOverdue)
    const received = await readNotifications()
    assert.deepEqual(received.map(([account]) => account).toSorted(), ['staff', 'viewer'])
    for (const [, ...expected] of received)
      assert.deepEqual(expected, ['build.overdue_build_order', `The build order ${name} has been overdue since ${day}.`])
    await services.database.transaction(notifyOverdue)
    assert.equal((await readNotifications()).length, 2)
  })

  it('notifies subscribers of its part when created with insufficient stock', async () => {
    const template = await part({ is_template: true, assembly: true })
    const chair = await part({ assembly: true, variant_of: template })
    const follow = (partPk: number, account: Account) =>
      service.rows('insert into part_star (part, "user") values ($1, $2)', [partPk, service.getPk(account)])
    await follow(chair, 'member')
    await follow(template, 'viewer')
    const [leg, screw, glue, seat, substitute] = [
      await part(),
      await part(),
      await part(),
      await part({ is_template: true }),
      await part(),
    ]
    const variant = await part({ variant_of: seat })
    const readName = async (pk: number) => (await member.get(`/api/part/${pk}/`)).body.full_name
    await service.rows(`update part set units = 'm' where pk = $1`, [leg])
    await bom(chair, leg, 4)
    await bom(chair, screw, 1)
    await bom(chair, glue, 1, { consumable: true })
    const line = await bom(chair, seat, 3, { allow_variants: true })
    await member.post('/api/bom/substitute/', { bom_item: line, part: substitute })
    await stock(leg, 39)
    await stock(screw, 10)
    await stock(seat, 9)
    await stock(variant, 11)
    await stock(substitute, 10)
    const { name } = await createOrder({}, chair, 10)
    const expected = (list: string) => ['build.stock_required', `Stock is short for the new build order ${name}: ${list}.`]
    const legs = `${await readName(leg)} (39 of 40 m)`
    assert.deepEqual(
      (await readNotifications()).toSorted(),
      ['member', 'viewer'].map((account) => [account, ...expected(legs)]),
    )
    await service.rows('delete from notification')
    await createOrder({}, chair, 9)
    assert.deepEqual(await readNotifications(), [], 'there is enough of everything')
  })
})
