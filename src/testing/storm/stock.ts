import type { Client, Operation } from './client.ts'
import { createName, isHeads, pickKey, pickOne, pickRows, randomInteger } from './pick.ts'

/** Returns a few items of any kind, some of which are soon depleted. */
const pickItems = (client: Client, count = randomInteger(4), where = 'true') => pickRows(client, 'stock_item', where, count)
const pickLocation = (client: Client) => pickKey(client, 'stock_location', 'not structural')

/** Sends an operation that can be undone, and records how. */
async function sendUndoable(client: Client, path: string, body: object) {
  const response = await client.send('POST', path, { ...body, undoable: true })
  const { adjustment } = response.body ?? {}
  if (adjustment) client.undoable.push({ path: `/api/stock/adjustment/${adjustment}/undo/` })
  return response
}

const createAdjustment = (action: 'add' | 'remove' | 'count'): Operation => {
  return async (client) => {
    const chosen = await pickItems(client)
    const chooseQuantity = (quantity: string) => (action === 'remove' && isHeads() ? quantity : String(randomInteger(5)))
    const release = action === 'count' && isHeads() ? { release_allocations: true } : {}
    const entries = chosen.map(({ pk, quantity }) => ({ pk, quantity: chooseQuantity(quantity), ...release }))
    return entries.length ? sendUndoable(client, `/api/stock/${action}/`, { items: entries }) : undefined
  }
}

/** Operations on stock itself. */
export const stock: Record<string, Operation> = {
  add: createAdjustment('add'),
  remove: createAdjustment('remove'),
  count: createAdjustment('count'),

  async transfer(client) {
    const chosen = await pickItems(client, randomInteger(5), 'in_stock')
    const entries = chosen.map(({ pk, quantity }) => ({ pk, quantity: isHeads() ? '1' : quantity }))
    return sendUndoable(client, '/api/stock/transfer/', { items: entries, location: await pickLocation(client) })
  },

  async change_status(client) {
    const chosen = await pickItems(client)
    return sendUndoable(client, '/api/stock/change_status/', { items: chosen.map(({ pk }) => pk), status: pickOne([10, 50, 65]) })
  },

  async undo_adjustment(client) {
    const index = isHeads() ? client.undoable.length - 1 : randomInteger(client.undoable.length) - 1
    const undoableAction = client.undoable[index]
    if (!undoableAction) return
    const previous = client.undoable[index - 1]
    const also =
      /adjustment/.test(undoableAction.path) && previous && /adjustment/.test(previous.path)
        ? [previous.path.split('/')[4]]
        : undefined
    return client.send('POST', undoableAction.path, also ? { also } : {})
  },

  async merge(client) {
    const [first] = await pickItems(client, 1, 'serial is null and in_stock')
    if (!first) return
    const others = await pickItems(client, 3, `part = ${first.part} and pk <> ${first.pk} and serial is null and in_stock`)
    const body = { allow_mismatched_status: true, allow_mismatched_suppliers: true, location: await pickLocation(client) }
    return client.send('POST', '/api/stock/merge/', { ...body, items: [first, ...others].map(({ pk }) => ({ item: pk })) })
  },

  async assign(client) {
    const chosen = await pickItems(client, 2, 'in_stock and quantity < 20')
    const customer = await pickKey(client, 'company', 'is_customer')
    return client.send('POST', '/api/stock/assign/', { items: chosen.map(({ pk }) => ({ item: pk })), customer })
  },

  async return(client) {
    const pk = await pickKey(client, 'stock_item', 'customer is not null or sales_order is not null or belongs_to is not null')
    return pk && client.send('POST', `/api/stock/${pk}/return/`, { location: await pickLocation(client) })
  },

  async return_items(client) {
    const away = 'customer is not null or sales_order is not null or belongs_to is not null'
    const items = (await pickItems(client, 2, `(${away}) and quantity >= 1`)).map(({ pk }) => ({
      pk,
      quantity: 1,
      merge: isHeads(),
    }))
    return items.length ? client.send('POST', '/api/stock/return/', { items, location: await pickLocation(client) }) : undefined
  },

  async disassemble(client) {
    const [item] = await pickItems(client, 1, 'in_stock and quantity >= 1 and part in (select part from bom_item)')
    const [line] = item ? await pickRows(client, 'bom_item', `part = ${item.part}`) : []
    const body = {
      quantity: 1,
      items: [{ bom_item: line?.pk, quantity: randomInteger(3) }],
      location: await pickLocation(client),
    }
    return line && client.send('POST', `/api/stock/${item?.pk}/disassemble/`, body)
  },

  async serialize(client) {
    const canBeSerialized = 'serial is null and in_stock and quantity >= 2 and part in (select pk from part where trackable)'
    const pk = await pickKey(client, 'stock_item', canBeSerialized)
    const body = { quantity: 2, serial_numbers: '~+', destination: await pickLocation(client) }
    return pk && client.send('POST', `/api/stock/${pk}/serialize/`, body)
  },

  async convert(client) {
    const pk = await pickKey(
      client,
      'stock_item',
      'supplier_part is null and part in (select pk from part where variant_of is not null)',
    )
    const part = await pickKey(client, 'part', 'variant_of is not null')
    return pk && client.send('POST', `/api/stock/${pk}/convert/`, { part })
  },

  async install(client) {
    const [host, component] = await pickItems(client, 2, 'in_stock')
    return component && client.send('POST', `/api/stock/${host.pk}/install/`, { stock_item: component.pk, quantity: 1 })
  },

  async uninstall(client) {
    const pk = await pickKey(client, 'stock_item', 'belongs_to is not null')
    return pk && client.send('POST', `/api/stock/${pk}/uninstall/`, { location: await pickLocation(client) })
  },

  async create_stock(client) {
    const part = await pickKey(client, 'part', 'not virtual')
    const isTracked = (await client.rows('select trackable from part where pk = $1', [part]))[0]?.trackable
    const body = { part, quantity: randomInteger(5), location: await pickLocation(client), purchase_price: randomInteger(9) }
    return client.send(
      'POST',
      '/api/stock/',
      isTracked && isHeads() ? { ...body, serial_numbers: body.quantity > 1 ? '~+' : '~' } : body,
    )
  },

  async change_item(client) {
    const [item, other] = await pickItems(client, 2)
    const owner = await pickKey(client, 'owner')
    const part = await pickKey(client, 'part', 'variant_of is not null')
    const changes: object[] = [
      { quantity: randomInteger(9) },
      { location: await pickLocation(client) },
      { serial: String(randomInteger(60)), quantity: 1 },
      { belongs_to: other?.pk ?? null },
      { part },
      { owner, notes: createName('note') },
      { delete_on_deplete: isHeads() },
    ]
    return item && client.send('PATCH', `/api/stock/${item.pk}/`, pickOne(changes))
  },

  async delete_item(client) {
    const pk = await pickKey(client, 'stock_item', 'quantity < 20')
    return pk && client.send('DELETE', `/api/stock/${pk}/`)
  },

  async add_test_result(client) {
    const [template] = await client.rows('select pk, part from part_test_template limit 1')
    const pk = template && (await pickKey(client, 'stock_item', `part = ${template.part}`))
    return pk && client.send('POST', '/api/stock/test/', { stock_item: pk, template: template.pk, result: true, value: '1' })
  },

  async metadata(client) {
    const [table, path] = pickOne([
      ['stock_item', '/api/stock/'],
      ['part', '/api/part/'],
      ['purchase_order', '/api/order/po/'],
    ] as const)
    const pk = await pickKey(client, table)
    return pk && client.send('PATCH', `${path}${pk}/metadata/`, { metadata: { [createName('key')]: randomInteger(9) } })
  },
}
