import { type Field, integer, string } from './fields.ts'
import { echo, type RequestSetup, type Row, withBody } from './operations.ts'
import { type Body, type Fixture, make } from './test-data.ts'

// The table "Barcodes".

const nullable = true
const required = true

/** Field for a barcode of maximum length; `stretch` pads one to that length without changing its meaning. */
const barcode = (stretch: (barcode: string, length: number) => string): Field =>
  string({ max: 4095, required, like: (length, body) => stretch(body.barcode as string, length) })

/** The internal form, JSON, may contain blanks; a supplier's may end with a field that is ignored; an unknown one is any text. */
const withBlanks = barcode((code, length) => code.replace(':', `:${' '.repeat(length - code.length)}`))
const withZeros = barcode((code, length) => code.padEnd(length, '0'))
const anyText = barcode((_, length) => make.reference().padEnd(length, 'x'))

const codeOf = (kind: string, pk: number) => `{"${kind}": ${pk}}`

/** The envelope of supplier barcodes: our order, the supplier's part, the quantity, and last an ignored field. */
const supplierCode = (order: string, sku: string, quantity: number) =>
  `[)>\u001e06\u001dK${order}\u001dP${sku}\u001dQ${quantity}\u001d20Z0`

const scan = withBody(async (fixture) => ({ barcode: codeOf('part', await make.part(fixture)) }))

/** Two objects to link to, so that one remains when the other is null. */
const link = withBody(async (fixture) => ({
  barcode: make.reference(),
  part: await make.part(fixture),
  stocklocation: await make.location(fixture),
}))

const poAllocate = withBody(async (fixture) => {
  const { order, part } = await make.orderedPart(fixture)
  return { barcode: codeOf('part', part), purchase_order: order }
})

/** A placed order of ten, one of which is scanned. */
const poReceive = withBody(async (fixture) => {
  const { order, reference, sku } = await make.placedOrder(fixture)
  return { barcode: supplierCode(reference, sku, 1), purchase_order: order, location: await make.location(fixture) }
})

async function soAllocate(fixture: Fixture): Promise<RequestSetup> {
  const { order, line, shipment, item } = await make.salesOrder(fixture)
  return { body: { barcode: codeOf('stockitem', item), sales_order: order, line, shipment, quantity: 1 } }
}

/** Returns an object of the same sales order as the body's: the one in the body. */
const own = (name: string) => (_: Fixture, body: Body) => Promise.resolve(body[name] as number)
const reference = (of: (fixture: Fixture, body: Body) => Promise<number>) => integer({ nullable, of })

export const barcodeRows: Row[] = [
  { operation: 'POST /api/barcode/', body: { barcode: withBlanks }, answer: echo, given: scan },
  {
    operation: 'POST /api/barcode/link/',
    body: {
      barcode: anyText,
      build: reference(make.build),
      manufacturerpart: reference(make.manufacturerPart),
      part: reference(make.part),
      purchaseorder: reference(make.order),
      returnorder: reference(make.returnOrder),
      salesorder: reference(async (fixture) => (await make.salesOrder(fixture)).order),
      stockitem: reference(make.stockItem),
      stocklocation: reference(make.location),
      supplierpart: reference(make.supplierPart),
    },
    answer: echo,
    given: link,
  },
  {
    operation: 'POST /api/barcode/po-allocate/',
    body: { barcode: withBlanks, purchase_order: integer({ required, of: own('purchase_order') }) },
    answer: echo,
    given: poAllocate,
  },
  {
    operation: 'POST /api/barcode/po-receive/',
    body: { barcode: withZeros, purchase_order: reference(own('purchase_order')), location: reference(make.location) },
    answer: echo,
    given: poReceive,
  },
  {
    // the response is not specified, and is that of the other operations (decision 20)
    operation: 'POST /api/barcode/so-allocate/',
    body: {
      barcode: withBlanks,
      sales_order: integer({ required, of: own('sales_order') }),
      line: reference(own('line')),
      shipment: reference(own('shipment')),
      quantity: integer(),
    },
    answer: echo,
    given: soAllocate,
  },
]
