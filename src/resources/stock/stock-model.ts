import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Database } from '../../kit/sql/tx.ts'
import type { Answer, Client, TestService } from '../../testing/service.ts'
import { fillStock, historyOf, locations, parts } from './fixture.ts'
import { verifyStock } from './verification/verify-stock.ts'

/**
 * What can happen to stock, and a model of it that knows nothing of how the service works: how much there is of a part follows from the
 * answers alone. Quantities are in thousandths.
 */

const nut = 7

/** Parts among which items may turn from one into another; how much there is of them together is followed. */
const FAMILIES = [[parts.screw], [parts.board, parts.blueBoard, parts.redBoard], [parts.lamp], [nut]]

/**
 * Parts whose items may be counted, changed by hand and deleted while others work. What that brings depends on what was there at that
 * moment, which only the history tells.
 */
const OVERWRITTEN = new Set([parts.lamp, nut])

const TRACKABLE = new Set([parts.board, parts.blueBoard, parts.redBoard, parts.lamp])

/** One thing that happens, before it is known to what. */
export type Step = {
  action: string
  picks: [number, number, number]
  amount: number
  whole: number
  place: number
  flag: boolean
}

type Item = { pk: number; part: number; quantity: number; serial: string | null; belongs_to: number | null }

/** Where it happens. */
type World = {
  service: TestService
  /** A placed order with a line for each of some supplier parts. */
  order: number
  lines: { pk: number; part: number; pack: number }[]
  /** By family, how much there is by all answers. */
  expected: number[]
  /** By line, the packs that came by all answers. */
  received: Map<number, number>
  /** How many clients there are. */
  clients: number
}

/** A step to some items that are there; others may have changed them since. */
type Deed = Step & { world: World; client: Client; items: Item[]; location: number }

/** How much more there is of a part because of it. */
type Change = { part: number; by: number }

/** A request, and what it changes if it is answered well. Undefined when there is nothing that it could be done to. */
type Done = { answer: Answer; changes?: Change[] } | undefined

const quantityOf = ({ amount }: Step) => (amount / 1000).toFixed(3)
const thousandths = (value: unknown) => Math.round(Number(value) * 1000)

/** What a step picks: `place` counts from 0. */
const picked = ({ picks, items }: Deed, place: 0 | 1 | 2, fits: (item: Item) => boolean = () => true): Item | undefined => {
  const fitting = items.filter(fits)
  return fitting[picks[place] % fitting.length]
}

/** Items that this step may overwrite: alone all, beside others those of which nothing else is followed. */
const mayOverwrite =
  ({ world }: Deed) =>
  ({ part }: Item) =>
    world.clients === 1 || OVERWRITTEN.has(part)

/** An action that changes quantities by what its answer says. */
const adjusting =
  (action: 'add' | 'remove', sign: 1 | -1) =>
  async (deed: Deed): Promise<Done> => {
    const items = [...new Set([0, 1].flatMap((place) => picked(deed, place as 0 | 1) ?? []))]
    const body = { items: items.map(({ pk }) => ({ pk, quantity: quantityOf(deed) })) }
    const answer = await deed.client.post(`/api/stock/${action}/`, body)
    const changes = items.map(({ part, serial }, at) => ({
      part,
      by: serial ? 0 : sign * thousandths(answer.body.items?.[at]?.quantity),
    }))
    return { answer, changes }
  }

/** Everything that can happen, by name; one more is one entry. */
export const ACTIONS: Record<string, (deed: Deed) => Promise<Done>> = {
  add: adjusting('add', 1),
  remove: adjusting('remove', -1),

  async count(deed) {
    const item = picked(deed, 0, mayOverwrite(deed))
    if (!item) return
    const answer = await deed.client.post('/api/stock/count/', { items: [{ pk: item.pk, quantity: quantityOf(deed) }] })
    return { answer, changes: [{ part: item.part, by: item.serial ? 0 : deed.amount - item.quantity }] }
  },

  async receive(deed) {
    const { world, client, location, whole, flag } = deed
    const line = world.lines[deed.picks[0] % world.lines.length] as World['lines'][number]
    const serials = flag && TRACKABLE.has(line.part) ? { serial_numbers: '~+' } : {}
    const items = [{ line_item: line.pk, quantity: whole, ...serials }]
    const answer = await client.post(`/api/order/po/${world.order}/receive/`, { items, location, allow_over_receipt: true })
    if (answer.status === 201) world.received.set(line.pk, (world.received.get(line.pk) ?? 0) + whole)
    return { answer, changes: [{ part: line.part, by: whole * line.pack * 1000 }] }
  },

  async create(deed) {
    const { client, location, whole, flag, picks } = deed
    const part = FAMILIES.flat()[picks[0] % FAMILIES.flat().length] as number
    const quantity = TRACKABLE.has(part) ? whole : Number(quantityOf(deed))
    const serials = flag && TRACKABLE.has(part) ? { serial_numbers: '~+' } : {}
    const answer = await client.post('/api/stock/?location_detail=false&part_detail=false', {
      part,
      quantity,
      location,
      ...serials,
    })
    return { answer, changes: [{ part, by: thousandths(quantity) }] }
  },

  async transfer(deed) {
    const items = [...new Set([0, 1].flatMap((place) => picked(deed, place as 0 | 1) ?? []))]
    const entries = items.map(({ pk, quantity }) => ({ pk, quantity: deed.flag ? quantity / 1000 : quantityOf(deed) }))
    return { answer: await deed.client.post('/api/stock/transfer/', { items: entries, location: deed.location }) }
  },

  async merge(deed) {
    const first = picked(deed, 0)
    const others = [1, 2].flatMap((place) => picked(deed, place as 1 | 2, ({ part }) => part === first?.part) ?? [])
    const items = [first, ...others].flatMap((item) => (item ? { item: item.pk } : []))
    const body = { items, location: deed.location, allow_mismatched_status: true, allow_mismatched_suppliers: true }
    return { answer: await deed.client.post('/api/stock/merge/', body) }
  },

  async serialize(deed) {
    const item = picked(deed, 0, ({ part, serial }) => TRACKABLE.has(part) && !serial)
    if (!item) return
    // numbers that others take too, or those that come next
    const numbers = Array.from({ length: deed.whole }, (_, at) => 100 + ((deed.amount + at) % 40))
    const body = { quantity: deed.whole, serial_numbers: deed.flag ? '~+' : numbers.join(), destination: deed.location }
    return { answer: await deed.client.post(`/api/stock/${item.pk}/serialize/`, body) }
  },

  async install(deed) {
    // with an item go those that are installed in it
    const host = picked(deed, 0, ({ part }) => deed.world.clients === 1 || !OVERWRITTEN.has(part))
    const inside = picked(deed, 1)
    if (!host || !inside) return
    return { answer: await deed.client.post(`/api/stock/${host.pk}/install/`, { stock_item: inside.pk, quantity: deed.whole }) }
  },

  async uninstall(deed) {
    const item = picked(deed, 0, ({ belongs_to }) => belongs_to !== null)
    return item && { answer: await deed.client.post(`/api/stock/${item.pk}/uninstall/`, { location: deed.location }) }
  },

  async convert(deed) {
    const item = picked(deed, 0, ({ part }) => FAMILIES[1]?.includes(part) === true)
    const part = FAMILIES[1]?.[deed.picks[1] % 3]
    return item && { answer: await deed.client.post(`/api/stock/${item.pk}/convert/`, { part }) }
  },

  async assign(deed) {
    const items = [...new Set([0, 1].flatMap((place) => picked(deed, place as 0 | 1) ?? []))]
    return { answer: await deed.client.post('/api/stock/assign/', { items: items.map(({ pk }) => ({ item: pk })), customer: 2 }) }
  },

  async return(deed) {
    const item = picked(deed, 0)
    return item && { answer: await deed.client.post(`/api/stock/${item.pk}/return/`, { location: deed.location }) }
  },

  async change_status(deed) {
    const items = [...new Set([0, 1].flatMap((place) => picked(deed, place as 0 | 1)?.pk ?? []))]
    return { answer: await deed.client.post('/api/stock/change_status/', { items, status: deed.flag ? 65 : 10 }) }
  },

  async patch_quantity(deed) {
    const item = picked(deed, 0, mayOverwrite(deed))
    if (!item) return
    const quantity = TRACKABLE.has(item.part) ? deed.whole : Number(quantityOf(deed))
    const answer = await deed.client.patch(`/api/stock/${item.pk}/`, { quantity })
    return { answer, changes: [{ part: item.part, by: thousandths(quantity) - item.quantity }] }
  },

  async patch_serial(deed) {
    const item = picked(deed, 0, ({ part, quantity }) => TRACKABLE.has(part) && quantity === 1000)
    return item && { answer: await deed.client.patch(`/api/stock/${item.pk}/`, { serial: String(100 + (deed.amount % 40)) }) }
  },

  async patch_part(deed) {
    const item = picked(deed, 0, ({ part }) => FAMILIES[1]?.includes(part) === true)
    return item && { answer: await deed.client.patch(`/api/stock/${item.pk}/`, { part: FAMILIES[1]?.[deed.picks[1] % 3] }) }
  },

  async patch_belongs_to(deed) {
    const item = picked(deed, 0)
    const host = picked(deed, 1, ({ part }) => deed.world.clients === 1 || !OVERWRITTEN.has(part))
    return (
      item && { answer: await deed.client.patch(`/api/stock/${item.pk}/`, { belongs_to: deed.flag ? (host?.pk ?? null) : null }) }
    )
  },

  async delete(deed) {
    const item = picked(deed, 0, mayOverwrite(deed))
    if (!item) return
    const answer = await deed.client.delete(`/api/stock/${item.pk}/`)
    return { answer, changes: withInstalled(item, deed.items).map(({ part, quantity }) => ({ part, by: -quantity })) }
  },

  async change_location(deed) {
    const body = deed.flag ? { external: deed.whole % 2 === 0 } : { parent: deed.whole % 2 ? locations.garage : locations.shelf }
    return { answer: await deed.client.patch(`/api/stock/location/${locations.box}/`, body) }
  },

  async change_template(deed) {
    const variant_of = [parts.board, parts.redBoard, null][deed.picks[0] % 3]
    return { answer: await deed.client.patch(`/api/part/${parts.blueBoard}/`, { variant_of }) }
  },
}

/** An item and all that are installed in it. */
function withInstalled(item: Item, items: readonly Item[], known = new Set<Item>()): Item[] {
  known.add(item)
  for (const inside of items) if (inside.belongs_to === item.pk && !known.has(inside)) withInstalled(inside, items, known)
  return [...known]
}

// often the same few, so that they meet
const pick = fc.oneof({ arbitrary: fc.nat(2), weight: 2 }, { arbitrary: fc.nat(1000), weight: 1 })

/** A step of one of these actions. */
export const stepOf = (actions: readonly string[]): fc.Arbitrary<Step> =>
  fc.record({
    action: fc.constantFrom(...actions),
    picks: fc.tuple(pick, pick, pick),
    amount: fc.oneof(
      fc.integer({ min: 0, max: 15_000 }),
      fc.integer({ min: 0, max: 15 }).map((whole) => whole * 1000),
    ),
    whole: fc.integer({ min: 1, max: 4 }),
    place: fc.nat(3),
    flag: fc.boolean(),
  })

/** Some of the actions: what two of them bring about together is met sooner where the others keep out of the way. */
export const someActions: fc.Arbitrary<string[]> = fc.subarray(Object.keys(ACTIONS), { minLength: 1 })

/** An empty stock with an order from which it can be filled, and some items. */
export async function makeWorld(service: TestService, clients: number): Promise<World> {
  const { member } = service
  await service.pool.query('truncate purchase_order restart identity cascade')
  await fillStock(service)
  await service.pool.query(
    `update part set salable = true, is_template = trackable; insert into part (name, salable) values ('Nut', true)`,
  )
  const order = (await member.post('/api/order/po/', { reference: 'PO-0001', supplier: 1 })).body.pk
  const lines: World['lines'] = []
  for (const [part, of, pack] of [
    [1, parts.screw, 100],
    [2, parts.screw, 1],
    [3, parts.lamp, 1],
  ] as const)
    lines.push({ pk: (await member.post('/api/order/po-line/', { order, part, quantity: 1_000_000 })).body.pk, part: of, pack })
  await member.post(`/api/order/po/${order}/issue/`)
  const world = { service, order, lines, clients, received: new Map(), expected: FAMILIES.map(() => 0) }
  for (const part of FAMILIES.flat())
    for (const location of [locations.shelf, locations.shed]) {
      await member.post('/api/stock/', { part, quantity: 5, location, delete_on_deplete: location === locations.shelf })
      expect(world, { part, by: 5000 })
    }
  return world
}

function expect({ expected }: World, { part, by }: Change): void {
  const family = FAMILIES.findIndex((parts) => parts.includes(part))
  expected[family] = (expected[family] ?? 0) + by
}

const itemsOf = ({ service }: World): Promise<Item[]> =>
  service.rows('select pk, part, (quantity * 1000)::integer as quantity, serial, belongs_to from stock_item order by pk')

/** Carries a step out, and follows in the model what it was answered. */
export async function take(world: World, step: Step): Promise<string> {
  const places = [locations.shelf, locations.box, locations.garage, locations.shed]
  const deed = {
    ...step,
    world,
    client: world.service.member,
    items: await itemsOf(world),
    location: places[step.place] as number,
  }
  const done = await ACTIONS[step.action]?.(deed)
  if (!done) return 'nothing'
  const { answer, changes = [] } = done
  assert.ok([200, 201, 204, 400, 404].includes(answer.status), `${step.action}: ${answer.status} ${answer.text}`)
  if (answer.status >= 300) return 'refused'
  for (const change of changes) expect(world, change)
  return step.action
}

/** What must be so whatever happened. */
export async function assertRight(world: World): Promise<void> {
  const { service } = world
  const items = await itemsOf(world)
  const findings = await new Database(service.pool).snapshot((read) => verifyStock(read, { isGentle: false }))
  assert.deepEqual(
    findings.filter(({ count }) => count > 0),
    [],
  )
  for (const [at, family] of FAMILIES.entries()) {
    if (world.clients > 1 && family.some((part) => OVERWRITTEN.has(part))) continue
    const there = items.filter(({ part }) => family.includes(part)).reduce((sum, { quantity }) => sum + quantity, 0)
    assert.equal(there, world.expected[at], `parts ${family}`)
  }
  for (const item of items) await followHistory(world, item)
  for (const { pk } of world.lines)
    assert.equal((await service.member.get(`/api/order/po-line/${pk}/`)).body.received, world.received.get(pk) ?? 0)
  await assertSums(world)
}

/** Follows the history that clients see from the first entry to the last, and compares it with what is on hand. */
async function followHistory({ service, lines }: World, { pk, quantity: onHand, serial }: Item): Promise<void> {
  // its history is also that of the item that it was taken off, or tells the packs of all that came
  if (serial) return assert.equal(onHand, 1000)
  let quantity = 0
  for (const [code, deltas] of await historyOf(service, pk)) {
    const said = deltas.quantity === undefined ? undefined : thousandths(deltas.quantity)
    if (code === 11) quantity += thousandths(deltas.added)
    else if (code === 12 || code === 42) quantity -= thousandths(deltas.removed)
    else if (code === 70) quantity = (said ?? 0) * (await packOf(service, pk, lines))
    else if (said !== undefined) quantity = said
    if (said !== undefined && code !== 70) assert.equal(said, quantity, `item ${pk}: code ${code} tells ${said}, not ${quantity}`)
  }
  assert.equal(onHand, quantity, `item ${pk}`)
}

async function packOf(service: TestService, item: number, lines: World['lines']): Promise<number> {
  const [row] = await service.rows('select supplier_part from stock_item where pk = $1', [item])
  return lines[row.supplier_part - 1]?.pack ?? 1
}

/** The sums of each part are those of the items that clients see. */
async function assertSums({ service: { member } }: World): Promise<void> {
  for (const part of FAMILIES.flat()) {
    const { body } = await member.get(`/api/stock/?part=${part}&include_variants=false&in_stock=true&limit=1000`)
    const listed = body.results.reduce((sum: number, item: { quantity: number }) => sum + thousandths(item.quantity), 0)
    assert.equal(thousandths((await member.get(`/api/part/${part}/`)).body.in_stock), listed, `part ${part}`)
  }
}
