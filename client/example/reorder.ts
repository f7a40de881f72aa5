// Prints the stock in each location, and orders what is short: run with the address of a service in STOCKROOM_URL, a token in
// STOCKROOM_TOKEN, and the key of a supplier in SUPPLIER.
import { connect, each, type Schemas } from '@stockroom-inventory/client'

const stockroom = connect({ url: process.env.STOCKROOM_URL as string, token: process.env.STOCKROOM_TOKEN })

const items: Schemas['StockItem'][] = []
for await (const item of each(stockroom, '/api/stock/', { in_stock: true })) items.push(item)
console.log(`${items.length} items in stock`)

const made = await stockroom.POST('/api/order/po/', { body: { reference: 'PO-9001', supplier: Number(process.env.SUPPLIER) } })
if (made.error) throw new Error('the order was refused', { cause: made.error })
console.log(`${made.data.reference} is ${made.data.status_text}`)

const refused = await stockroom.POST('/api/order/po/', { body: { reference: 'PO-9001', supplier: made.data.supplier } })
console.log(`again: ${refused.response.status} ${Object.keys(refused.error ?? {})}`)

// @ts-expect-error an order without a supplier is no order
await stockroom.POST('/api/order/po/', { body: { reference: 'PO-9002' } })
