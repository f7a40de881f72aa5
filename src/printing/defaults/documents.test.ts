import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createRenderer } from '../../resources/printing/fixture.ts'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { createTransferHelpers } from '../../testing/objects/transferring.ts'
import { testService } from '../../testing/service.ts'
import { type BuiltInTemplate, builtInTemplates } from './built-in.ts'

const service = await testService()
const { superuser } = service
const { render } = createRenderer(service)
const { supplier, supplierPart, setting } = createPurchaseHelpers(service)
const sales = createSalesHelpers(service)
const transfers = createTransferHelpers(service)

const create = async (path: string, body: object): Promise<number> => {
  const response = await superuser.post(path, body)
  assert.equal(response.status, 201, response.text)
  return response.body.pk
}

/** Prints the built-in template of a kind: its text with single spaces, its styles, and the name of its file. */
async function print(kind: string, pk: number) {
  const template = builtInTemplates.find((template) => template.kind === kind) as BuiltInTemplate
  const { name, description, filename } = template
  const rendered = await render(template.text, {
    kind: template.kind,
    items: [pk],
    template: { name, description, filename_pattern: filename },
  })
  const html = rendered.document(0)
  const styles = html.match(/<style>.*?<\/style>/gs)?.join('') ?? ''
  const text = html.slice(html.indexOf('</head>')).replaceAll(/<[^>]+>/g, ' ')
  return { text: text.replaceAll(/\s+/g, ' ').replaceAll(' ,', ','), styles, filename: rendered.filename }
}

const address = { title: 'Office', line1: '8 Garden Road', postal_code: '518000', postal_city: 'Shenzhen', country: 'China' }

describe('a printed order', () => {
  let order: number
  let company: number
  let number = 7000
  beforeEach(async () => {
    await setting('DOCUMENT_LANGUAGE', 'en')
    await setting('DOCUMENT_ADDRESS', 'Lane 1\n22765 Hamburg')
    await setting('DOCUMENT_CONTACT', 'hello@songbird.example')
    await setting('DOCUMENT_TAX_ID', 'DE 123')
    await setting('DOCUMENT_FOOTER', 'IBAN DE02 "1203"')
    company = await supplier({ currency: 'EUR' })
    order = await create('/api/order/po/', {
      reference: `PO-${++number}`,
      supplier: company,
      supplier_reference: 'Q-7',
      target_date: '2031-03-02',
    })
    const part = await supplierPart(company)
    const line = { order, part, purchase_price_currency: 'EUR' }
    await create('/api/order/po-line/', { ...line, quantity: 1000, purchase_price: '1.234', discount: 10 })
    await create('/api/order/po-line/', { ...line, quantity: 2, purchase_price: '5', notes: 'Packed dry' })
    await create('/api/order/po-extra-line/', { order, reference: 'Freight', quantity: 1, price: '20', price_currency: 'EUR' })
  })

  it('has the letterhead, the recipient, its dates, its lines and its sums', async () => {
    await create('/api/company/address/', { company, ...address })
    const { text, styles } = await print('report/po', order)
    for (const expected of [
      'Lane 1 22765 Hamburg hello@songbird.example Tax ID DE 123',
      '8 Garden Road 518000 Shenzhen China',
      'Target date 2 Mar 2031',
      'Your reference Q-7',
      'Draft',
      '1,000 €1.234 less 10 % €1,110.60',
      'Packed dry',
      'Freight 1 €20.00 €20.00',
      'Subtotal €1,244.00 Discount -€123.40 Other charges €20.00 Total €1,140.60',
    ])
      assert.ok(text.includes(expected), `${expected}: ${text}`)
    assert.match(styles, /"IBAN DE02 \\22 1203\\22 "/)
    assert.match(styles, /"Page" " " counter\(page\) " " "of" " " counter\(pages\)/)
  })

  it('is in the language of the settings', async () => {
    await setting('DOCUMENT_LANGUAGE', 'de')
    const { text, styles } = await print('report/po', order)
    for (const expected of ['Bestellung', 'Entwurf', 'Zieltermin 02.03.2031', '1.000 1,234 € abzüglich 10 % 1.110,60 €'])
      assert.ok(text.includes(expected), `${expected}: ${text}`)
    assert.match(text, /Zwischensumme 1\.244,00 € Rabatt -123,40 € Weitere Kosten 20,00 € Gesamt 1\.140,60 €/)
    assert.match(styles, /"Seite"/)
  })

  it('has its total alone where its lines are in several currencies, and nothing where there is no address', async () => {
    const part = await supplierPart(company)
    const line = { order, part, quantity: 1, purchase_price: '5', purchase_price_currency: 'USD' }
    await create('/api/order/po-line/', line)
    const { text } = await print('report/po', order)
    assert.doesNotMatch(text, /Subtotal|Discount|Garden Road/)
  })

  it('is in a file named by its reference', async () => {
    const { body } = await superuser.get(`/api/order/po/${order}/`)
    assert.equal((await print('report/po', order)).filename, `${body.reference}.pdf`)
  })
})

describe('a printed delivery note', () => {
  it('has a row for each line of the order with its serial numbers, and the address of the shipment', async () => {
    await setting('DOCUMENT_LANGUAGE', 'en')
    const part = await sales.part({ trackable: true })
    const { order, line, shipment } = await sales.sale(part, 3)
    const location = await create('/api/stock/location/', { name: 'Shelf 8' })
    for (const serial of ['71', '72']) {
      const item = await sales.stock(part, 1, { serial, location })
      await service.rows('insert into sales_order_allocation (line, item, quantity, shipment) values ($1, $2, 1, $3)', [
        line,
        item,
        shipment,
      ])
    }
    const { body } = await superuser.get(`/api/order/so/${order}/`)
    const shipment_address = await create('/api/company/address/', { company: body.customer, ...address })
    await superuser.patch(`/api/order/so/shipment/${shipment}/`, { shipment_address, tracking_number: 'T-1' })
    const { text, filename } = await print('report/shipment', shipment)
    const { reference } = (await superuser.get(`/api/order/so/shipment/${shipment}/`)).body
    for (const expected of [`Delivery note ${body.reference}-${reference}`, '8 Garden Road', 'Tracking number T-1', '71, 72 3 2'])
      assert.ok(text.includes(expected), `${expected}: ${text}`)
    assert.equal(filename, `${body.reference}-${reference}.pdf`)
  })
})

describe('a printed pick list', () => {
  it('has the location of each allocated item, and what is not allocated', async () => {
    await setting('DOCUMENT_LANGUAGE', 'en')
    const part = await transfers.part()
    const location = await create('/api/stock/location/', { name: 'Shelf 9' })
    const { order, line } = await transfers.transfer(part, 10, { destination: location })
    const item = await transfers.stock(part, 4, { location, batch: 'B7' })
    await service.rows('insert into transfer_order_allocation (line, item, quantity) values ($1, $2, 4)', [line, item])
    const { text, filename } = await print('report/transfer-order', order)
    const { reference } = (await superuser.get(`/api/order/transfer-order/${order}/`)).body
    assert.match(text, /Shelf 9 .* B7 4 .*Not allocated .* 10 4 6 /)
    assert.equal(filename, `${reference}.pdf`)
  })
})
