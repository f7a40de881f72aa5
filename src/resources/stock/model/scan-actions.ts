import { findOrCreateBuild } from './build-actions.ts'
import { type ActionResult, type Change, canOverwrite, type ModelAction, pickItem, toQuantity } from './model-action.ts'

/** Sends one scan as a batch, and records its changes. */
async function scanItem(modelAction: ModelAction, action: string, fields: object, changes: Change[]): Promise<ActionResult> {
  const { modelState, client } = modelAction
  const entry = { id: crypto.randomUUID(), time: new Date().toISOString(), action, ...fields }
  const sent = await client.post('/api/barcode/batch/', { items: [entry] })
  const [{ status, body, history }] = sent.body.items
  if (status === 201) modelState.scans.push({ pk: history, changes })
  return { response: { ...sent, status, body }, changes }
}

/** Scan actions on stock and their undo, by name; each new action is one entry. */
export const scanActions: Record<string, (modelAction: ModelAction) => Promise<ActionResult>> = {
  async scan_move(modelAction) {
    const item = pickItem(modelAction, 0)
    const quantity = modelAction.flag ? {} : { quantity: toQuantity(modelAction) }
    return (
      item &&
      scanItem(modelAction, 'move', { barcode: `{"stockitem": ${item.pk}}`, location: modelAction.location, ...quantity }, [])
    )
  },

  async scan_count(modelAction) {
    const item = pickItem(modelAction, 0, canOverwrite(modelAction))
    if (!item) return
    const by = item.serial ? 0 : modelAction.amount - item.quantity
    return scanItem(modelAction, 'count', { barcode: `{"stockitem": ${item.pk}}`, quantity: toQuantity(modelAction) }, [
      { part: item.part, by },
    ])
  },

  async scan_remove(modelAction) {
    const item = pickItem(modelAction, 0)
    // often the whole quantity, so that the item is depleted
    const amount = item && modelAction.flag ? item.quantity : modelAction.amount
    const quantity = (amount / 1000).toFixed(3)
    const by = item?.serial ? 0 : -amount
    return item && scanItem(modelAction, 'remove', { barcode: `{"stockitem": ${item.pk}}`, quantity }, [{ part: item.part, by }])
  },

  async scan_build_allocate(modelAction) {
    const { pk } = await findOrCreateBuild(modelAction)
    const item = pickItem(modelAction, 0)
    const quantity = modelAction.flag ? {} : { quantity: modelAction.whole }
    return item && scanItem(modelAction, 'build-allocate', { barcode: `{"stockitem": ${item.pk}}`, build: pk, ...quantity }, [])
  },

  async undo(modelAction) {
    const { modelState, client, picks } = modelAction
    // often the last scan, whose items have not changed since
    const pastScan = modelAction.flag ? modelState.scans.at(-1) : modelState.scans[picks[0] % modelState.scans.length]
    if (!pastScan) return
    const response = await client.post(`/api/barcode/history/${pastScan.pk}/undo/`)
    return { response, changes: pastScan.changes.map(({ part, by }) => ({ part, by: -by })) }
  },
}
