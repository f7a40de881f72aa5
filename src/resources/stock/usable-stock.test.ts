import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { testService } from '../../testing/service.ts'
import { assertHistorySums, fillStock } from './fixture.ts'
import { STOCK_STATUS } from './stock-status.ts'

const service = await testService()
const { member, superuser } = service
const builds = createBuildHelpers(service)
const sales = createSalesHelpers(service)

/** Turns global settings on or off. */
async function set(settings: Record<string, boolean>): Promise<void> {
  for (const [key, value] of Object.entries(settings))
    assert.equal((await superuser.patch(`/api/settings/global/${key}/`, { value })).status, 200)
}

beforeEach(async () => {
  await fillStock(service)
  await set({ STOCK_ENABLE_EXPIRY: true, STOCK_ALLOW_EXPIRED_SALE: false, STOCK_ALLOW_EXPIRED_BUILD: false })
})
afterEach(async () => {
  await builds.assertSums()
  await assertHistorySums(service)
})

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const YESTERDAY = { expiry_date: dayFromNow(-1) }
const TODAY = { expiry_date: dayFromNow(0) }
const LATER = { expiry_date: dayFromNow(30) }

/** Creates a build order that needs a quantity of one component. */
async function createOrder(quantity: number) {
  const assembly = await builds.part({ assembly: true })
  const component = await builds.part()
  await builds.bom(assembly, component)
  const pk = await builds.build(assembly, quantity)
  const [{ pk: line }] = await builds.linesOf(pk)
  return { pk, component, line: line as number }
}

const autoAllocate = async (pk: number, body: object = { interchangeable: true }): Promise<number[][]> => {
  assert.equal((await builds.act(pk, 'auto-allocate', body)).status, 201)
  const { body: list } = await member.get(`/api/build/item/?build=${pk}&ordering=pk`)
  return list.results.map(({ stock_item, quantity }: { stock_item: number; quantity: number }) => [stock_item, quantity])
}

describe('automatic allocation of a build order', () => {
  it('takes what expires first, then what does not expire, in the order of keys', async () => {
    const { pk, component } = await createOrder(7)
    const [first, second] = [await builds.stock(component, 2), await builds.stock(component, 2)]
    const late = await builds.stock(component, 2, LATER)
    const soon = await builds.stock(component, 2, TODAY)
    assert.deepEqual(await autoAllocate(pk), [
      [soon, 2],
      [late, 2],
      [first, 2],
      [second, 1],
    ])
  })

  it('takes no expired stock, unless STOCK_ALLOW_EXPIRED_BUILD is on or expiry is off', async () => {
    const expiredItem = async () => {
      const { pk, component } = await createOrder(1)
      return { pk, item: await builds.stock(component, 5, YESTERDAY) }
    }
    assert.deepEqual(await autoAllocate((await expiredItem()).pk), [])
    await set({ STOCK_ALLOW_EXPIRED_SALE: true })
    assert.deepEqual(await autoAllocate((await expiredItem()).pk), [], 'selling it is something else')
    await set({ STOCK_ALLOW_EXPIRED_BUILD: true })
    const allowed = await expiredItem()
    assert.deepEqual(await autoAllocate(allowed.pk), [[allowed.item, 1]])
    await set({ STOCK_ALLOW_EXPIRED_BUILD: false, STOCK_ENABLE_EXPIRY: false })
    const ignored = await expiredItem()
    assert.deepEqual(await autoAllocate(ignored.pk), [[ignored.item, 1]])
  })

  it('takes only stock with the status OK', async () => {
    const { pk, component } = await createOrder(9)
    for (const { key } of Object.values(STOCK_STATUS))
      if (key !== STOCK_STATUS.OK.key) await builds.stock(component, 1, { status: key })
    assert.deepEqual(await autoAllocate(pk), [])
    const good = await builds.stock(component, 1)
    assert.deepEqual(await autoAllocate(pk), [[good, 1]])
  })

  it('does not count unusable stock as a choice between several items', async () => {
    const { pk, component } = await createOrder(1)
    await builds.stock(component, 5, YESTERDAY)
    await builds.stock(component, 5, { status: STOCK_STATUS.DAMAGED.key })
    const good = await builds.stock(component, 5)
    assert.deepEqual(await autoAllocate(pk, {}), [[good, 1]])
  })

  it('skips substitutes and variants that are expired or damaged', async () => {
    const { pk, component } = await createOrder(2)
    const [{ bom_item }] = await builds.linesOf(pk)
    const substitute = await builds.part()
    await member.post('/api/bom/substitute/', { bom_item, part: substitute })
    await builds.stock(substitute, 5, YESTERDAY)
    await builds.stock(substitute, 5, { status: STOCK_STATUS.DAMAGED.key })
    assert.deepEqual(await autoAllocate(pk), [])
    const good = await builds.stock(substitute, 1, LATER)
    await builds.stock(component, 1, YESTERDAY)
    assert.deepEqual(await autoAllocate(pk), [[good, 1]])
  })
})

describe('auto_allocate of new outputs', () => {
  it('skips units that are expired or not OK', async () => {
    const robot = await builds.part({ assembly: true, trackable: true })
    const brain = await builds.part({ trackable: true })
    await builds.bom(robot, brain)
    const pk = await builds.build(robot, 4)
    await builds.stock(brain, 1, { serial: '1', ...YESTERDAY })
    await builds.stock(brain, 1, { serial: '2', status: STOCK_STATUS.DAMAGED.key })
    const good = await builds.stock(brain, 1, { serial: '3', ...TODAY })
    await builds.begin(pk, 3, { serial_numbers: '1-3', auto_allocate: true })
    const readItems = async () =>
      (await member.get(`/api/build/item/?build=${pk}&ordering=pk`)).body.results.map((row: any) => row.stock_item)
    assert.deepEqual(await readItems(), [good])
    await set({ STOCK_ALLOW_EXPIRED_BUILD: true })
    const old = await builds.stock(brain, 1, { serial: '4', ...YESTERDAY })
    await builds.begin(pk, 1, { serial_numbers: '4', auto_allocate: true })
    assert.deepEqual(await readItems(), [good, old])
  })
})

describe('check_expiry', () => {
  const scanForBuild = async (build: number, item: number, more: object) => {
    const barcode = `{"stockitem": ${item}}`
    const entry = { id: crypto.randomUUID(), time: new Date().toISOString(), action: 'build-allocate', barcode, build, ...more }
    return (await member.post('/api/barcode/batch/', { items: [entry] })).body.items[0]
  }
  const scanForSale = (sales_order: number, item: number, more: object) =>
    member.post('/api/barcode/so-allocate/', { barcode: `{"stockitem": ${item}}`, sales_order, ...more })

  it('rejects expired stock for a sales order while STOCK_ALLOW_EXPIRED_SALE is off', async () => {
    const part = await sales.part()
    const sale = await sales.sale(part, 10)
    const old = await sales.stock(part, 5, YESTERDAY)
    const countAllocations = async () => (await member.get(`/api/order/so-allocation/?order=${sale.order}`)).body.count
    const rejected = await sales.allocate(sale, old, 1, { check_expiry: true })
    assert.equal(rejected.status, 400)
    assert.deepEqual(rejected.body, { items: [{ stock_item: ['The stock item is expired'] }] })
    const scanned = await scanForSale(sale.order, old, { check_expiry: true })
    assert.deepEqual([scanned.status, scanned.body.error], [400, 'The stock item is expired'])
    assert.equal(await countAllocations(), 0)

    const today = await sales.stock(part, 5, TODAY)
    assert.equal((await sales.allocate(sale, today, 1, { check_expiry: true })).status, 201)
    assert.equal((await sales.allocate(sale, old, 1)).status, 201, 'the setting alone is a hint for clients')
    assert.equal((await scanForSale(sale.order, old, { quantity: 1 })).status, 201)
    await set({ STOCK_ALLOW_EXPIRED_SALE: true })
    assert.equal((await sales.allocate(sale, old, 1, { check_expiry: true })).status, 201)
    assert.equal((await scanForSale(sale.order, old, { check_expiry: true, quantity: 1 })).status, 201)
    assert.equal(await countAllocations(), 5)
  })

  it('rejects expired stock for a build order while STOCK_ALLOW_EXPIRED_BUILD is off', async () => {
    const { pk, component, line } = await createOrder(10)
    const old = await builds.stock(component, 9, YESTERDAY)
    const allocate = (more: object) =>
      builds.act(pk, 'allocate', { items: [{ build_line: line, stock_item: old, quantity: 1 }], ...more })
    const readAllocated = async () => (await member.get(`/api/build/line/${line}/`)).body.allocated
    const rejected = await allocate({ check_expiry: true })
    assert.equal(rejected.status, 400)
    assert.deepEqual(rejected.body, { items: [{ stock_item: ['The stock item is expired'] }] })
    const scanned = await scanForBuild(pk, old, { check_expiry: true })
    assert.deepEqual([scanned.status, scanned.body.error], [400, 'The stock item is expired'])
    assert.equal(await readAllocated(), 0)

    assert.equal((await allocate({})).status, 201)
    assert.equal((await scanForBuild(pk, old, { quantity: 1 })).status, 201)
    await set({ STOCK_ALLOW_EXPIRED_BUILD: true })
    assert.equal((await allocate({ check_expiry: true })).status, 201)
    assert.equal((await scanForBuild(pk, old, { check_expiry: true, quantity: 1 })).status, 201)
    assert.equal(await readAllocated(), 4)
  })

  it('does nothing while STOCK_ENABLE_EXPIRY is off', async () => {
    await set({ STOCK_ENABLE_EXPIRY: false })
    const part = await sales.part()
    const sale = await sales.sale(part, 10)
    assert.equal((await sales.allocate(sale, await sales.stock(part, 5, YESTERDAY), 1, { check_expiry: true })).status, 201)
  })
})
