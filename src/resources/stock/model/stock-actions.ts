import { locations, parts } from '../fixture.ts'
import {
  type ActionResult,
  canOverwrite,
  FAMILIES,
  getFamily,
  type Item,
  type ModelAction,
  type ModelState,
  OVERWRITABLE_PARTS,
  pickItem,
  TRACKABLE_PARTS,
  toQuantity,
  toThousandths,
} from './model-action.ts'

/** Creates an action that changes quantities by the amounts in its response. */
const createAdjustment =
  (action: 'add' | 'remove', sign: 1 | -1) =>
  async (modelAction: ModelAction): Promise<ActionResult> => {
    const items = [...new Set([0, 1].flatMap((pickIndex) => pickItem(modelAction, pickIndex as 0 | 1) ?? []))]
    const body = { items: items.map(({ pk }) => ({ pk, quantity: toQuantity(modelAction) })) }
    const response = await modelAction.client.post(`/api/stock/${action}/`, body)
    const changes = items.map(({ part, serial }, index) => ({
      part,
      by: serial ? 0 : sign * toThousandths(response.body.items?.[index]?.quantity),
    }))
    return { response, changes }
  }

/** Expected quantity of an item: its quantity when it was picked or, with the flag, slightly more. */
const toExpectation = ({ flag }: ModelAction, { quantity }: Item) => ({
  expected_quantity: ((quantity + Number(flag)) / 1000).toFixed(3),
})

/** Actions on stock itself, by name; each new action is one entry. */
export const stockActions: Record<string, (modelAction: ModelAction) => Promise<ActionResult>> = {
  add: createAdjustment('add', 1),
  remove: createAdjustment('remove', -1),

  async count(modelAction) {
    const item = pickItem(modelAction, 0, canOverwrite(modelAction))
    if (!item) return
    const response = await modelAction.client.post('/api/stock/count/', {
      items: [{ pk: item.pk, quantity: toQuantity(modelAction) }],
    })
    return { response, changes: [{ part: item.part, by: item.serial ? 0 : modelAction.amount - item.quantity }] }
  },

  // a count below the allocated quantity releases allocations; with the flag it is undone
  async count_releasing(modelAction) {
    const item = pickItem(modelAction, 0, canOverwrite(modelAction))
    if (!item) return
    const items = [{ pk: item.pk, quantity: toQuantity(modelAction), release_allocations: true }]
    const response = await modelAction.client.post('/api/stock/count/', { items, undoable: true })
    const { adjustment } = response.body
    const undone =
      modelAction.flag && adjustment ? await modelAction.client.post(`/api/stock/adjustment/${adjustment}/undo/`, {}) : undefined
    const isCounted = !item.serial && undone?.status !== 201
    return { response, changes: [{ part: item.part, by: isCounted ? modelAction.amount - item.quantity : 0 }] }
  },

  // a count with an expected quantity overwrites no changes of others, so that its effect is known
  async count_expected(modelAction) {
    const item = pickItem(
      modelAction,
      0,
      ({ part, serial, quantity }) => !TRACKABLE_PARTS.has(part) || serial !== null || quantity !== 1000,
    )
    if (!item) return
    const expected = toExpectation(modelAction, item)
    const items = [{ pk: item.pk, quantity: toQuantity(modelAction), ...expected }]
    const response = await modelAction.client.post('/api/stock/count/', { items })
    const by = item.serial ? 0 : modelAction.amount - toThousandths(expected.expected_quantity)
    return { response, changes: [{ part: item.part, by }] }
  },

  async remove_expected(modelAction) {
    const item = pickItem(modelAction, 0)
    if (!item) return
    const items = [{ pk: item.pk, quantity: toQuantity(modelAction), ...toExpectation(modelAction, item) }]
    const response = await modelAction.client.post('/api/stock/remove/', { items })
    return {
      response,
      changes: [{ part: item.part, by: item.serial ? 0 : -toThousandths(response.body.items?.[0]?.quantity) }],
    }
  },

  async transfer_expected(modelAction) {
    const item = pickItem(modelAction, 0)
    if (!item) return
    const items = [
      { pk: item.pk, quantity: item.quantity / 1000, ...toExpectation(modelAction, item), expected_location: locations.shelf },
    ]
    return { response: await modelAction.client.post('/api/stock/transfer/', { items, location: modelAction.location }) }
  },

  async receive_expected(modelAction) {
    const { modelState, client, location, whole, flag } = modelAction
    const line = modelState.lines[modelAction.picks[0] % modelState.lines.length] as ModelState['lines'][number]
    const expected_received = (modelState.received.get(line.pk) ?? 0) + Number(flag)
    const items = [{ line_item: line.pk, quantity: whole, expected_received }]
    const response = await client.post(`/api/order/po/${modelState.order}/receive/`, {
      items,
      location,
      allow_over_receipt: true,
    })
    if (response.status === 201) modelState.received.set(line.pk, (modelState.received.get(line.pk) ?? 0) + whole)
    return { response, changes: [{ part: line.part, by: whole * line.pack * 1000 }] }
  },

  async receive(modelAction) {
    const { modelState, client, location, whole, flag } = modelAction
    const line = modelState.lines[modelAction.picks[0] % modelState.lines.length] as ModelState['lines'][number]
    const serials = flag && TRACKABLE_PARTS.has(line.part) ? { serial_numbers: '~+' } : {}
    const items = [{ line_item: line.pk, quantity: whole, ...serials }]
    const response = await client.post(`/api/order/po/${modelState.order}/receive/`, {
      items,
      location,
      allow_over_receipt: true,
    })
    if (response.status === 201) modelState.received.set(line.pk, (modelState.received.get(line.pk) ?? 0) + whole)
    return { response, changes: [{ part: line.part, by: whole * line.pack * 1000 }] }
  },

  async create(modelAction) {
    const { client, location, whole, flag, picks } = modelAction
    const part = FAMILIES.flat()[picks[0] % FAMILIES.flat().length] as number
    const quantity = TRACKABLE_PARTS.has(part) ? whole : Number(toQuantity(modelAction))
    const serials = flag && TRACKABLE_PARTS.has(part) ? { serial_numbers: '~+' } : {}
    const response = await client.post('/api/stock/?location_detail=false&part_detail=false', {
      part,
      quantity,
      location,
      ...serials,
    })
    return { response, changes: [{ part, by: toThousandths(quantity) }] }
  },

  async transfer(modelAction) {
    const items = [...new Set([0, 1].flatMap((pickIndex) => pickItem(modelAction, pickIndex as 0 | 1) ?? []))]
    const entries = items.map(({ pk, quantity }) => ({
      pk,
      quantity: modelAction.flag ? quantity / 1000 : toQuantity(modelAction),
    }))
    return { response: await modelAction.client.post('/api/stock/transfer/', { items: entries, location: modelAction.location }) }
  },

  async merge(modelAction) {
    const first = pickItem(modelAction, 0)
    const others = [1, 2].flatMap(
      (pickIndex) => pickItem(modelAction, pickIndex as 1 | 2, ({ part }) => part === first?.part) ?? [],
    )
    const items = [first, ...others].flatMap((item) => (item ? { item: item.pk } : []))
    const body = { items, location: modelAction.location, allow_mismatched_status: true, allow_mismatched_suppliers: true }
    return { response: await modelAction.client.post('/api/stock/merge/', body) }
  },

  async serialize(modelAction) {
    const item = pickItem(modelAction, 0, ({ part, serial }) => TRACKABLE_PARTS.has(part) && !serial)
    if (!item) return
    // numbers that other steps use too, or the next free numbers
    const numbers = Array.from({ length: modelAction.whole }, (_, index) => 100 + ((modelAction.amount + index) % 40))
    const body = {
      quantity: modelAction.whole,
      serial_numbers: modelAction.flag ? '~+' : numbers.join(),
      destination: modelAction.location,
    }
    return { response: await modelAction.client.post(`/api/stock/${item.pk}/serialize/`, body) }
  },

  async install(modelAction) {
    // installed items move with their host
    const host = pickItem(modelAction, 0, ({ part }) => modelAction.modelState.clients === 1 || !OVERWRITABLE_PARTS.has(part))
    const inside = pickItem(modelAction, 1)
    if (!host || !inside) return
    return {
      response: await modelAction.client.post(`/api/stock/${host.pk}/install/`, {
        stock_item: inside.pk,
        quantity: modelAction.whole,
      }),
    }
  },

  async uninstall(modelAction) {
    const item = pickItem(modelAction, 0, ({ belongs_to }) => belongs_to !== null)
    return (
      item && { response: await modelAction.client.post(`/api/stock/${item.pk}/uninstall/`, { location: modelAction.location }) }
    )
  },

  async convert(modelAction) {
    const item = pickItem(modelAction, 0, ({ part }) => getFamily(parts.board).includes(part))
    const part = getFamily(parts.board)[modelAction.picks[1] % 3]
    return item && { response: await modelAction.client.post(`/api/stock/${item.pk}/convert/`, { part }) }
  },

  async assign(modelAction) {
    const items = [...new Set([0, 1].flatMap((pickIndex) => pickItem(modelAction, pickIndex as 0 | 1) ?? []))]
    return {
      response: await modelAction.client.post('/api/stock/assign/', {
        items: items.map(({ pk }) => ({ item: pk })),
        customer: 2,
      }),
    }
  },

  async return(modelAction) {
    const item = pickItem(modelAction, 0)
    return (
      item && { response: await modelAction.client.post(`/api/stock/${item.pk}/return/`, { location: modelAction.location }) }
    )
  },

  async change_status(modelAction) {
    const items = [...new Set([0, 1].flatMap((pickIndex) => pickItem(modelAction, pickIndex as 0 | 1)?.pk ?? []))]
    return { response: await modelAction.client.post('/api/stock/change_status/', { items, status: modelAction.flag ? 65 : 10 }) }
  },

  async patch_quantity(modelAction) {
    const item = pickItem(modelAction, 0, canOverwrite(modelAction))
    if (!item) return
    const quantity = TRACKABLE_PARTS.has(item.part) ? modelAction.whole : Number(toQuantity(modelAction))
    const response = await modelAction.client.patch(`/api/stock/${item.pk}/`, { quantity })
    return { response, changes: [{ part: item.part, by: toThousandths(quantity) - item.quantity }] }
  },

  async patch_serial(modelAction) {
    const item = pickItem(modelAction, 0, ({ part, quantity }) => TRACKABLE_PARTS.has(part) && quantity === 1000)
    return (
      item && {
        response: await modelAction.client.patch(`/api/stock/${item.pk}/`, { serial: String(100 + (modelAction.amount % 40)) }),
      }
    )
  },

  async patch_part(modelAction) {
    const item = pickItem(modelAction, 0, ({ part }) => getFamily(parts.board).includes(part))
    return (
      item && {
        response: await modelAction.client.patch(`/api/stock/${item.pk}/`, {
          part: getFamily(parts.board)[modelAction.picks[1] % 3],
        }),
      }
    )
  },

  async patch_belongs_to(modelAction) {
    const item = pickItem(modelAction, 0)
    const host = pickItem(modelAction, 1, ({ part }) => modelAction.modelState.clients === 1 || !OVERWRITABLE_PARTS.has(part))
    return (
      item && {
        response: await modelAction.client.patch(`/api/stock/${item.pk}/`, {
          belongs_to: modelAction.flag ? (host?.pk ?? null) : null,
        }),
      }
    )
  },

  async delete(modelAction) {
    const item = pickItem(modelAction, 0, canOverwrite(modelAction))
    if (!item) return
    const response = await modelAction.client.delete(`/api/stock/${item.pk}/`)
    return {
      response,
      changes: collectInstalled(item, modelAction.items).map(({ part, quantity }) => ({ part, by: -quantity })),
    }
  },

  async change_location(modelAction) {
    const body = modelAction.flag
      ? { external: modelAction.whole % 2 === 0 }
      : { parent: modelAction.whole % 2 ? locations.garage : locations.shelf }
    return { response: await modelAction.client.patch(`/api/stock/location/${locations.box}/`, body) }
  },

  async change_template(modelAction) {
    const variant_of = [parts.board, parts.redBoard, null][modelAction.picks[0] % 3]
    return { response: await modelAction.client.patch(`/api/part/${parts.blueBoard}/`, { variant_of }) }
  },
}

/** Returns an item and all items that are installed in it. */
function collectInstalled(item: Item, items: readonly Item[], seen = new Set<Item>()): Item[] {
  seen.add(item)
  for (const inside of items) if (inside.belongs_to === item.pk && !seen.has(inside)) collectInstalled(inside, items, seen)
  return [...seen]
}
