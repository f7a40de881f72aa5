import { type Done, familyOf, type ModelAction, picked } from './model-action.ts'

/** Returns a sales order for the step with its next shipment, and creates one if there is none. */
async function sale({ world, client, picks }: ModelAction) {
  const { order, lines } = world.sales[picks[2] % world.sales.length] as ModelAction['world']['sales'][number]
  const { body } = await client.get(`/api/order/so/shipment/?order=${order}&shipped=false&ordering=reference`)
  let shipment: number | undefined = body.results[picks[1] % 2]?.pk ?? body.results[0]?.pk
  shipment ??= (await client.post('/api/order/so/shipment/', { order, reference: crypto.randomUUID() })).body.pk
  return { order, lines, shipment }
}

/** Returns an allocation of any order. */
async function allocation({ client, picks }: ModelAction): Promise<{ pk: number; line: number; shipment: number } | undefined> {
  const { body } = await client.get('/api/order/so-allocation/?limit=1000')
  return body.results[picks[0] % body.results.length]
}

/** Sales order actions on stock, by name; each new action is one entry. */
export const salesActions: Record<string, (deed: ModelAction) => Promise<Done>> = {
  async allocate(deed) {
    const { order, lines, shipment } = await sale(deed)
    const items = [0, 1].flatMap((place) => {
      const item = picked(deed, place as 0 | 1)
      const line = lines.find(({ part }) => item && familyOf(item.part).includes(part))
      return item && line ? { line_item: line.pk, stock_item: item.pk, quantity: item.serial ? 1 : deed.whole } : []
    })
    return { answer: await deed.client.post(`/api/order/so/${order}/allocate/`, { items, shipment }) }
  },

  async allocate_serials(deed) {
    const { order, lines, shipment } = await sale(deed)
    const item = picked(deed, 0, ({ serial }) => Boolean(serial))
    const line = lines.find(({ part }) => item && familyOf(item.part).includes(part))
    if (!item || !line) return
    const body = { line_item: line.pk, quantity: 1, serial_numbers: item.serial, shipment }
    return { answer: await deed.client.post(`/api/order/so/${order}/allocate-serials/`, body) }
  },

  async change_allocation(deed) {
    const known = await allocation(deed)
    const item = picked(deed, 1)
    const body = deed.flag ? { quantity: deed.whole } : { item: item?.pk }
    return known && { answer: await deed.client.patch(`/api/order/so-allocation/${known.pk}/`, body) }
  },

  async free(deed) {
    const known = await allocation(deed)
    return known && { answer: await deed.client.delete(`/api/order/so-allocation/${known.pk}/`) }
  },

  async ship(deed) {
    const { shipment } = await sale(deed)
    return { answer: await deed.client.post(`/api/order/so/shipment/${shipment}/ship/`, {}) }
  },

  async close_sale(deed) {
    const { order } = deed.world.sales.at(-1) as ModelAction['world']['sales'][number]
    const [action, body] = deed.flag ? ['cancel', {}] : ['complete', { accept_incomplete: true }]
    return { answer: await deed.client.post(`/api/order/so/${order}/${action}/`, body) }
  },
}
