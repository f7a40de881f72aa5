import { type Field, integer, string } from './fields.ts'
import { echo, type RequestSetup, type Row, withBody } from './operations.ts'
import { type Body, type Fixture, make } from './test-data.ts'

// The table "Barcodes".

const nullable = true
const required = true

/** Field for a barcode of maximum length; `stretch` pads one to that length without changing its meaning. */
const barcode = (stretch: (barcode: string, length: number) => string): Field =>
  string({ max: 4095, required, generate: (length, body) => stretch(body.barcode as string, length) })

/** Internal barcodes are JSON and may contain spaces; a supplier's may end with a field that is ignored; an unknown one is any string. */
const withSpaces = barcode((code, length) => code.replace(':', `:${' '.repeat(length - code.length)}`))
const withZeros = barcode((code, length) => code.padEnd(length, '0'))
const anyText = barcode((_, length) => make.reference().padEnd(length, 'x'))

const buildCode = (kind: string, pk: number) => `{"${kind}": ${pk}}`

/** Builds a supplier barcode: our order, the supplier's part, the quantity, and last an ignored field. */
const buildSupplierCode = (order: string, sku: string, quantity: number) =>
  `[)>\u001e06\u001dK${order}\u001dP${sku}\u001dQ${quantity}\u001d20Z0`

const scan = withBody(async (fixture) => ({ barcode: buildCode('part', await make.part(fixture)) }))

/** Links a barcode to two objects, so that one remains when the other is null. */
const link = withBody(async (fixture) => ({
  barcode: make.reference(),
  part: await make.part(fixture),
  stocklocation: await make.location(fixture),
}))

const poAllocate = withBody(async (fixture) => {
  const { order, part } = await make.orderedPart(fixture)
  return { barcode: buildCode('part', part), purchase_order: order }
})

/** A placed order of ten, one of which is scanned. */
const poReceive = withBody(async (fixture) => {
  const { order, reference, sku } = await make.placedOrder(fixture)
  return { barcode: buildSupplierCode(reference, sku, 1), purchase_order: order, location: await make.location(fixture) }
})

async function soAllocate(fixture: Fixture): Promise<RequestSetup> {
  const { order, line, shipment, item } = await make.salesOrder(fixture)
  return { body: { barcode: buildCode('stockitem', item), sales_order: order, line, shipment, quantity: 1 } }
}

/** Returns the object that the body has in a field already: only one of the same order is valid there. */
const getFromBody = (name: string) => (_: Fixture, body: Body) => Promise.resolve(body[name] as number)
const reference = (createTarget: (fixture: Fixture, body: Body) => Promise<number>) => integer({ nullable, createTarget })

export const barcodeRows: Row[] = [
  { operation: 'POST /api/barcode/', body: { barcode: withSpaces }, response: echo, setup: scan },
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
    response: echo,
    setup: link,
  },
  {
    operation: 'POST /api/barcode/po-allocate/',
    body: { barcode: withSpaces, purchase_order: integer({ required, createTarget: getFromBody('purchase_order') }) },
    response: echo,
    setup: poAllocate,
  },
  {
    operation: 'POST /api/barcode/po-receive/',
    body: { barcode: withZeros, purchase_order: reference(getFromBody('purchase_order')), location: reference(make.location) },
    response: echo,
    setup: poReceive,
  },
  {
    // the response is not specified, and is that of the other operations (docs/decisions.md#responses-of-barcode-operations)
    operation: 'POST /api/barcode/so-allocate/',
    body: {
      barcode: withSpaces,
      sales_order: integer({ required, createTarget: getFromBody('sales_order') }),
      line: reference(getFromBody('line')),
      shipment: reference(getFromBody('shipment')),
      quantity: integer(),
    },
    response: echo,
    setup: soAllocate,
  },
]
