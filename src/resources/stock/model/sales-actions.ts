import { type ActionResult, getFamily, type ModelAction, pickItem } from './model-action.ts'

/** Returns a sales order for the step with its next shipment, and creates one if there is none. */
async function findSale({ modelState, client, picks }: ModelAction) {
  const { order, lines } = modelState.sales[picks[2] % modelState.sales.length] as ModelAction['modelState']['sales'][number]
  const { body } = await client.get(`/api/order/so/shipment/?order=${order}&shipped=false&ordering=reference`)
  let shipment: number | undefined = body.results[picks[1] % 2]?.pk ?? body.results[0]?.pk
  shipment ??= (await client.post('/api/order/so/shipment/', { order, reference: crypto.randomUUID() })).body.pk
  return { order, lines, shipment }
}

/** Returns an allocation of any order. */
async function findAllocation({
  client,
  picks,
}: ModelAction): Promise<{ pk: number; line: number; shipment: number } | undefined> {
  const { body } = await client.get('/api/order/so-allocation/?limit=1000')
  return body.results[picks[0] % body.results.length]
}

/** Sales order actions on stock, by name; each new action is one entry. */
export const salesActions: Record<string, (modelAction: ModelAction) => Promise<ActionResult>> = {
  async allocate(modelAction) {
    const { order, lines, shipment } = await findSale(modelAction)
    const items = [0, 1].flatMap((pickIndex) => {
      const item = pickItem(modelAction, pickIndex as 0 | 1)
      const line = lines.find(({ part }) => item && getFamily(item.part).includes(part))
      return item && line ? { line_item: line.pk, stock_item: item.pk, quantity: item.serial ? 1 : modelAction.whole } : []
    })
    return { response: await modelAction.client.post(`/api/order/so/${order}/allocate/`, { items, shipment }) }
  },

  async allocate_serials(modelAction) {
    const { order, lines, shipment } = await findSale(modelAction)
    const item = pickItem(modelAction, 0, ({ serial }) => Boolean(serial))
    const line = lines.find(({ part }) => item && getFamily(item.part).includes(part))
    if (!item || !line) return
    const body = { line_item: line.pk, quantity: 1, serial_numbers: item.serial, shipment }
    return { response: await modelAction.client.post(`/api/order/so/${order}/allocate-serials/`, body) }
  },

  async change_allocation(modelAction) {
    const existing = await findAllocation(modelAction)
    const item = pickItem(modelAction, 1)
    const body = modelAction.flag ? { quantity: modelAction.whole } : { item: item?.pk }
    return existing && { response: await modelAction.client.patch(`/api/order/so-allocation/${existing.pk}/`, body) }
  },

  async release(modelAction) {
    const existing = await findAllocation(modelAction)
    return existing && { response: await modelAction.client.delete(`/api/order/so-allocation/${existing.pk}/`) }
  },

  async ship(modelAction) {
    const { shipment } = await findSale(modelAction)
    return { response: await modelAction.client.post(`/api/order/so/shipment/${shipment}/ship/`, {}) }
  },

  async close_sale(modelAction) {
    const { order } = modelAction.modelState.sales.at(-1) as ModelAction['modelState']['sales'][number]
    const [action, body] = modelAction.flag ? ['cancel', {}] : ['complete', { accept_incomplete: true }]
    return { response: await modelAction.client.post(`/api/order/so/${order}/${action}/`, body) }
  },
}
