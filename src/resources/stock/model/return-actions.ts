import { type Done, type ModelAction, picked } from './model-action.ts'

/** Returns a return order in progress for the step, and creates one if there is none. */
async function returnOrder({ world, client, picks }: ModelAction): Promise<number> {
  const { body } = await client.get('/api/order/ro/?status=20&ordering=reference')
  const known = body.results[picks[2] % 2]?.pk ?? body.results[0]?.pk
  if (known !== undefined) return known
  const made = await client.post('/api/order/ro/', { reference: `RMA-${++world.returns}`, customer: 2 })
  await client.post(`/api/order/ro/${made.body.pk}/issue/`)
  return made.body.pk
}

/** Return order actions on stock, by name; each new action is one entry. Quantities do not change: the model counts returned goods all along. */
export const returnActions: Record<string, (deed: ModelAction) => Promise<Done>> = {
  async expect_return(deed) {
    const item = picked(deed, 0, ({ serial }) => Boolean(serial))
    return item && { answer: await deed.client.post('/api/order/ro-line/', { order: await returnOrder(deed), item: item.pk }) }
  },

  async receive_return(deed) {
    const { client, picks, flag, location } = deed
    const order = await returnOrder(deed)
    const { body } = await client.get(`/api/order/ro-line/?order=${order}&received=false&limit=1000`)
    const known: { pk: number }[] = body.results
    const lines = flag ? known : known.slice(picks[0] % (known.length || 1)).slice(0, 1)
    if (lines.length === 0) return
    const items = lines.map(({ pk }) => ({ item: pk }))
    return { answer: await client.post(`/api/order/ro/${order}/receive/`, { items, location }) }
  },

  // received goods stay in quarantine until somebody has inspected them
  async close_return(deed) {
    const { client, flag } = deed
    const order = await returnOrder(deed)
    const { body } = await client.get(`/api/order/ro-line/?order=${order}&received=true&item_detail=false&limit=1000`)
    const items = body.results.map(({ item }: { item: number }) => item)
    if (items.length > 0 && flag) return { answer: await client.post('/api/stock/change_status/', { items, status: 10 }) }
    return { answer: await client.post(`/api/order/ro/${order}/${flag ? 'complete' : 'cancel'}/`) }
  },
}
