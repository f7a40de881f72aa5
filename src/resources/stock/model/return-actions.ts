import { type ActionResult, type ModelAction, pickItem } from './model-action.ts'

/** Returns a return order in progress for the step, and creates one if there is none. */
async function findOrCreateReturnOrder({ modelState, client, picks }: ModelAction): Promise<number> {
  const { body } = await client.get('/api/order/ro/?status=20&ordering=reference')
  const existing = body.results[picks[2] % 2]?.pk ?? body.results[0]?.pk
  if (existing !== undefined) return existing
  const created = await client.post('/api/order/ro/', { reference: `RMA-${++modelState.returns}`, customer: 2 })
  await client.post(`/api/order/ro/${created.body.pk}/issue/`)
  return created.body.pk
}

/** Return order actions on stock, by name; each new action is one entry. Quantities do not change: the model counts shipped goods, too. */
export const returnActions: Record<string, (modelAction: ModelAction) => Promise<ActionResult>> = {
  async expect_return(modelAction) {
    const item = pickItem(modelAction, 0, ({ serial }) => Boolean(serial))
    return (
      item && {
        response: await modelAction.client.post('/api/order/ro-line/', {
          order: await findOrCreateReturnOrder(modelAction),
          item: item.pk,
        }),
      }
    )
  },

  async receive_return(modelAction) {
    const { client, picks, flag, location } = modelAction
    const order = await findOrCreateReturnOrder(modelAction)
    const { body } = await client.get(`/api/order/ro-line/?order=${order}&received=false&limit=1000`)
    const existing: { pk: number }[] = body.results
    const lines = flag ? existing : existing.slice(picks[0] % (existing.length || 1)).slice(0, 1)
    if (lines.length === 0) return
    const items = lines.map(({ pk }) => ({ item: pk }))
    return { response: await client.post(`/api/order/ro/${order}/receive/`, { items, location }) }
  },

  // received goods stay in quarantine until someone has inspected them
  async close_return(modelAction) {
    const { client, flag } = modelAction
    const order = await findOrCreateReturnOrder(modelAction)
    const { body } = await client.get(`/api/order/ro-line/?order=${order}&received=true&item_detail=false&limit=1000`)
    const items = body.results.map(({ item }: { item: number }) => item)
    if (items.length > 0 && flag) return { response: await client.post('/api/stock/change_status/', { items, status: 10 }) }
    return { response: await client.post(`/api/order/ro/${order}/${flag ? 'complete' : 'cancel'}/`) }
  },
}
