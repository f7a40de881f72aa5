import { OWNER } from '../resources/web/demo/demo-accounts.ts'
import { stocktakes, testResults } from './data/part-details.ts'
import { type DemoItem, type DemoMovement, type DemoStock, movements, OPENING_DAY, openingStock } from './data/stock.ts'
import type { DemoContext, DemoEvent } from './past-event.ts'

const STOREKEEPER = 'storekeeper'

/** Initial stock, and stock changes other than deliveries. */
export function listStockEvents(context: DemoContext): DemoEvent[] {
  return [
    { day: OPENING_DAY, run: () => addOpeningStock(context) },
    { day: OPENING_DAY + 1, run: () => addTestResults(context) },
    { day: OPENING_DAY + 2, run: () => runStocktake(context) },
    ...movements.map((movement) => ({ day: movement.day, run: () => replayMovement(context, movement) })),
  ]
}

async function addOpeningStock(context: DemoContext): Promise<void> {
  for (const stock of openingStock) await addStock(context, stock)
}

async function addTestResults(context: DemoContext): Promise<void> {
  for (const { part, serial, ...result } of testResults) {
    const { pk } = await findStockItem(context, { part, serial })
    await context.client.post(STOREKEEPER, '/api/stock/test/', { ...result, stock_item: pk })
  }
}

async function runStocktake({ client, keys }: DemoContext): Promise<void> {
  for (const { part, ...entry } of stocktakes)
    await client.post(OWNER, '/api/part/stocktake/', { ...entry, part: keys.get('part', part) })
}

function addStock({ client, keys, calendar }: DemoContext, stock: DemoStock): Promise<unknown> {
  const { part, location, serials, expires, price, ...fields } = stock
  return client.post(STOREKEEPER, '/api/stock/', {
    ...fields,
    part: keys.get('part', part),
    location: keys.get('location', location),
    serial_numbers: serials,
    expiry_date: calendar.formatDay(expires),
    purchase_price: price,
  })
}

async function replayMovement(context: DemoContext, movement: DemoMovement): Promise<void> {
  const { client, keys, calendar } = context
  const { act, notes, account = STOREKEEPER } = movement
  if (act === 'mark') {
    const fields = { status: movement.status, expiry_date: calendar.formatDay(movement.expires), notes }
    for (const item of movement.items)
      await client.patch(account, `/api/stock/${(await findStockItem(context, item)).pk}/`, fields)
    return
  }
  const items = []
  for (const item of movement.items) {
    const stockItem = await findStockItem(context, item)
    items.push({ pk: stockItem.pk, quantity: item.quantity ?? stockItem.quantity })
  }
  if (act === 'move')
    await client.post(account, '/api/stock/transfer/', { items, location: keys.get('location', movement.to), notes })
  else await client.post(account, `/api/stock/${act}/`, { items, notes })
}

/** Finds the largest stock item that matches. */
async function findStockItem({ client, keys }: DemoContext, item: DemoItem): Promise<{ pk: number; quantity: number }> {
  const { part, location, serial, batch } = item
  const query = {
    part: keys.get('part', part),
    include_variants: false,
    ...(location === undefined ? {} : { location: keys.get('location', location) }),
    ...(serial === undefined ? {} : { serial }),
    ...(batch === undefined ? {} : { batch }),
  }
  const [stockItem] = await client.list(STOREKEEPER, '/api/stock/', { ...query, ordering: '-quantity' })
  if (stockItem === undefined) throw new Error(`the data refers to a stock item that does not exist: ${JSON.stringify(item)}`)
  return stockItem
}
