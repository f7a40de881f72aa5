import { work } from './build-actions.ts'
import { type Change, type Done, type ModelAction, mayOverwrite, picked, quantityOf } from './model-action.ts'

/** Sends one scan as a batch, and records its changes. */
async function scan(deed: ModelAction, action: string, fields: object, changes: Change[]): Promise<Done> {
  const { world, client } = deed
  const entry = { id: crypto.randomUUID(), time: new Date().toISOString(), action, ...fields }
  const sent = await client.post('/api/barcode/batch/', { items: [entry] })
  const [{ status, body, history }] = sent.body.items
  if (status === 201) world.scans.push({ pk: history, changes })
  return { answer: { ...sent, status, body }, changes }
}

/** Scan actions on stock and their undo, by name; each new action is one entry. */
export const scanActions: Record<string, (deed: ModelAction) => Promise<Done>> = {
  async scan_move(deed) {
    const item = picked(deed, 0)
    const quantity = deed.flag ? {} : { quantity: quantityOf(deed) }
    return item && scan(deed, 'move', { barcode: `{"stockitem": ${item.pk}}`, location: deed.location, ...quantity }, [])
  },

  async scan_count(deed) {
    const item = picked(deed, 0, mayOverwrite(deed))
    if (!item) return
    const by = item.serial ? 0 : deed.amount - item.quantity
    return scan(deed, 'count', { barcode: `{"stockitem": ${item.pk}}`, quantity: quantityOf(deed) }, [{ part: item.part, by }])
  },

  async scan_remove(deed) {
    const item = picked(deed, 0)
    // often the whole quantity, so that the item is depleted
    const amount = item && deed.flag ? item.quantity : deed.amount
    const quantity = (amount / 1000).toFixed(3)
    const by = item?.serial ? 0 : -amount
    return item && scan(deed, 'remove', { barcode: `{"stockitem": ${item.pk}}`, quantity }, [{ part: item.part, by }])
  },

  async scan_build_allocate(deed) {
    const { pk } = await work(deed)
    const item = picked(deed, 0)
    const quantity = deed.flag ? {} : { quantity: deed.whole }
    return item && scan(deed, 'build-allocate', { barcode: `{"stockitem": ${item.pk}}`, build: pk, ...quantity }, [])
  },

  async undo(deed) {
    const { world, client, picks } = deed
    // often the last scan, whose items have not changed since
    const known = deed.flag ? world.scans.at(-1) : world.scans[picks[0] % world.scans.length]
    if (!known) return
    const answer = await client.post(`/api/barcode/history/${known.pk}/undo/`)
    return { answer, changes: known.changes.map(({ part, by }) => ({ part, by: -by })) }
  },
}
