import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { reference } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import { compare, isZero } from '../../kit/values/decimal.ts'
import { setting } from '../settings/live.ts'
import { stockLocation } from './location/stock-location.table.ts'
import { type Adjustment, adjustmentAnswer, adjustmentBody, echo, requireItems } from './movement/adjustment.ts'
import { type LockedItem, lockNamedItems, storeStockItems } from './movement/locked-items.ts'
import { splitOff, storeSplits } from './movement/split-stock.ts'
import { type HistoryEntry, recordHistory } from './movement/stock-history.ts'
import { checkLocation } from './stock-item-rules.ts'

/**
 * POST /api/stock/transfer/: items go to another location, in the order of the body. Less than there is of an item is split
 * off as a new item; otherwise the whole item goes. Batch, status and packaging apply to what moves. Nothing happens with a
 * quantity of 0. 400: an item that is not in stock, unless STOCK_ALLOW_OUT_OF_STOCK_TRANSFER; a structural location.
 */
export const transferStock = action({
  method: 'POST',
  path: '/api/stock/transfer/',
  summary: 'Transfer stock items to a location',
  access: roles('stock'),
  body: {
    ...adjustmentBody,
    location: reference(() => stockLocation, {
      required: true,
      options: { model: 'stocklocation', api_url: '/api/stock/location/' },
    }),
  },
  answer: adjustmentAnswer({ location: Type.Integer() }),
  async run(context) {
    const { tx } = context
    const body = context.body as unknown as { items: Adjustment[]; notes?: string; location: number }
    const { location, notes } = body
    requireItems(body.items)
    const items = await lockNamedItems(
      tx,
      body.items.map(({ pk }) => pk),
      'pk',
    )
    const problem = await checkLocation(tx, location)
    if (problem) throw invalid({ location: [problem] })
    if (!setting(context, 'STOCK_ALLOW_OUT_OF_STOCK_TRANSFER') && items.some((item) => !item.in_stock))
      throw invalidObject('StockItem cannot be moved as it is not in stock')

    const splits = []
    const moves: HistoryEntry[] = []
    for (const [at, item] of items.entries()) {
      const { quantity, batch, status, packaging } = body.items[at] as Adjustment
      const changes = { ...(batch ? { batch } : {}), ...(status ? { status } : {}), ...(packaging ? { packaging } : {}) }
      if (isZero(quantity)) continue
      if (compare(quantity, item.quantity) >= 0) moves.push(...moveWhole(item, location, changes, notes))
      else if (!item.serial) splits.push(splitOff(item, quantity, { ...changes, location }, notes))
    }
    await storeStockItems(tx, items)
    await recordHistory(context, moves)
    await storeSplits(context, splits)
    return echo(body, items)
  },
})

type Changes = Pick<Adjustment, 'batch' | 'packaging'> & { status?: number }

/** Moves a whole item. An entry that would say nothing is left out. */
function moveWhole(item: LockedItem, location: number, changes: Changes, notes: string | undefined): HistoryEntry[] {
  const stays = item.location === location
  const { status, ...rest } = changes
  const deltas = {
    ...(stays ? {} : { location }),
    ...(status === undefined || status === item.status ? {} : { status }),
    ...rest,
  }
  Object.assign(item, { location, ...changes, fate: 'changed' })
  if (stays && Object.keys(deltas).length === 0 && !notes) return []
  return [{ item: item.pk, type: stays ? 'STOCK_UPDATE' : 'STOCK_MOVE', deltas, notes }]
}
