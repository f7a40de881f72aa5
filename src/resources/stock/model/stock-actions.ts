import { locations, parts } from '../fixture.ts'
import {
  type Done,
  FAMILIES,
  familyOf,
  type Item,
  type ModelAction,
  mayOverwrite,
  OVERWRITTEN,
  picked,
  quantityOf,
  TRACKABLE,
  thousandths,
  type World,
} from './model-action.ts'

/** Creates an action that changes quantities by the amounts in its response. */
const adjusting =
  (action: 'add' | 'remove', sign: 1 | -1) =>
  async (deed: ModelAction): Promise<Done> => {
    const items = [...new Set([0, 1].flatMap((place) => picked(deed, place as 0 | 1) ?? []))]
    const body = { items: items.map(({ pk }) => ({ pk, quantity: quantityOf(deed) })) }
    const answer = await deed.client.post(`/api/stock/${action}/`, body)
    const changes = items.map(({ part, serial }, at) => ({
      part,
      by: serial ? 0 : sign * thousandths(answer.body.items?.[at]?.quantity),
    }))
    return { answer, changes }
  }

/** Expected quantity of an item: its quantity when it was picked or, with the flag, slightly more. */
const expectedOf = ({ flag }: ModelAction, { quantity }: Item) => ({
  expected_quantity: ((quantity + Number(flag)) / 1000).toFixed(3),
})

/** Actions on stock itself, by name; each new action is one entry. */
export const stockActions: Record<string, (deed: ModelAction) => Promise<Done>> = {
  add: adjusting('add', 1),
  remove: adjusting('remove', -1),

  async count(deed) {
    const item = picked(deed, 0, mayOverwrite(deed))
    if (!item) return
    const answer = await deed.client.post('/api/stock/count/', { items: [{ pk: item.pk, quantity: quantityOf(deed) }] })
    return { answer, changes: [{ part: item.part, by: item.serial ? 0 : deed.amount - item.quantity }] }
  },

  // a count below the allocated quantity releases allocations; with the flag it is undone
  async count_releasing(deed) {
    const item = picked(deed, 0, mayOverwrite(deed))
    if (!item) return
    const items = [{ pk: item.pk, quantity: quantityOf(deed), release_allocations: true }]
    const answer = await deed.client.post('/api/stock/count/', { items, undoable: true })
    const { adjustment } = answer.body
    const undone = deed.flag && adjustment ? await deed.client.post(`/api/stock/adjustment/${adjustment}/undo/`, {}) : undefined
    const isCounted = !item.serial && undone?.status !== 201
    return { answer, changes: [{ part: item.part, by: isCounted ? deed.amount - item.quantity : 0 }] }
  },

  // a count with an expected quantity overwrites no changes of others, so that its effect is known
  async count_expected(deed) {
    const item = picked(deed, 0, ({ part, serial, quantity }) => !TRACKABLE.has(part) || serial !== null || quantity !== 1000)
    if (!item) return
    const expected = expectedOf(deed, item)
    const items = [{ pk: item.pk, quantity: quantityOf(deed), ...expected }]
    const answer = await deed.client.post('/api/stock/count/', { items })
    const by = item.serial ? 0 : deed.amount - thousandths(expected.expected_quantity)
    return { answer, changes: [{ part: item.part, by }] }
  },

  async remove_expected(deed) {
    const item = picked(deed, 0)
    if (!item) return
    const items = [{ pk: item.pk, quantity: quantityOf(deed), ...expectedOf(deed, item) }]
    const answer = await deed.client.post('/api/stock/remove/', { items })
    return { answer, changes: [{ part: item.part, by: item.serial ? 0 : -thousandths(answer.body.items?.[0]?.quantity) }] }
  },

  async transfer_expected(deed) {
    const item = picked(deed, 0)
    if (!item) return
    const items = [{ pk: item.pk, quantity: item.quantity / 1000, ...expectedOf(deed, item), expected_location: locations.shelf }]
    return { answer: await deed.client.post('/api/stock/transfer/', { items, location: deed.location }) }
  },

  async receive_expected(deed) {
    const { world, client, location, whole, flag } = deed
    const line = world.lines[deed.picks[0] % world.lines.length] as World['lines'][number]
    const expected_received = (world.received.get(line.pk) ?? 0) + Number(flag)
    const items = [{ line_item: line.pk, quantity: whole, expected_received }]
    const answer = await client.post(`/api/order/po/${world.order}/receive/`, { items, location, allow_over_receipt: true })
    if (answer.status === 201) world.received.set(line.pk, (world.received.get(line.pk) ?? 0) + whole)
    return { answer, changes: [{ part: line.part, by: whole * line.pack * 1000 }] }
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
    // numbers that other steps use too, or the next free numbers
    const numbers = Array.from({ length: deed.whole }, (_, at) => 100 + ((deed.amount + at) % 40))
    const body = { quantity: deed.whole, serial_numbers: deed.flag ? '~+' : numbers.join(), destination: deed.location }
    return { answer: await deed.client.post(`/api/stock/${item.pk}/serialize/`, body) }
  },

  async install(deed) {
    // installed items move with their host
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
    const item = picked(deed, 0, ({ part }) => familyOf(parts.board).includes(part))
    const part = familyOf(parts.board)[deed.picks[1] % 3]
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
    const item = picked(deed, 0, ({ part }) => familyOf(parts.board).includes(part))
    return (
      item && { answer: await deed.client.patch(`/api/stock/${item.pk}/`, { part: familyOf(parts.board)[deed.picks[1] % 3] }) }
    )
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

/** Returns an item and all items that are installed in it. */
function withInstalled(item: Item, items: readonly Item[], known = new Set<Item>()): Item[] {
  known.add(item)
  for (const inside of items) if (inside.belongs_to === item.pk && !known.has(inside)) withInstalled(inside, items, known)
  return [...known]
}
