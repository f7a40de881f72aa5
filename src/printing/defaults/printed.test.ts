import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { pino } from 'pino'
import sharp from 'sharp'
import { readBarcodes } from 'zxing-wasm/reader'
import { createRenderer, noLibrary } from '../../resources/printing/fixture.ts'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { prepareBarcodeReader } from '../../testing/scanner.ts'
import { testService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { ChromiumPrinter } from '../browser/printer.ts'
import type { Print, RenderedPrint } from '../rendering.ts'
import { type BuiltInTemplate, builtInTemplates } from './built-in.ts'

prepareBarcodeReader()
const service = await testService(await preparePrinting())
const { render } = createRenderer(service)
const factory = createPurchaseHelpers(service)
const { superuser } = service
const printer = new ChromiumPrinter({ config: service.app.routes.services.config, log: pino({ level: 'silent' }) })
after(() => printer.stop())

const findTemplate = (file: string) => builtInTemplates.find(({ path }) => path.endsWith(file)) as BuiltInTemplate
const renderTemplate = ({ kind, name, description, size, text }: BuiltInTemplate, print: Partial<Print> = {}) =>
  render(text, { kind, ...print, template: { name, description, ...size, ...print.template } })

const createResourceLoader = (rendered: RenderedPrint) => async (url: string) => {
  const content = await rendered.resource(url)
  return content && { body: content.bytes, type: content.type }
}
const printPages = async (rendered: RenderedPrint) =>
  readPdf(await printer.pdf({ html: rendered.documents(), resource: createResourceLoader(rendered), page: rendered.page }))
const printPicture = (rendered: RenderedPrint, index: number) =>
  printer.png({ html: rendered.document(index), resource: createResourceLoader(rendered), size: rendered.page, dpi: 300 })

/** Asserts that two lengths are equal within the screen pixel to which browsers round. */
const assertNear = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 0.3, `${actual} mm, not ${expected} mm`)

const LONG_NAME = 'Sechskantschraube mit Flansch ISO 4162 M12 x 120 verzinkt, Festigkeitsklasse 10.9, mit Innensechsrund'
const names = [LONG_NAME.slice(0, 90), '贴片电阻 10千欧 1% 0603', 'مقاومة كربونية ١٠ كيلو أوم', 'R', 'x'.repeat(100)]

describe('printed default templates', { skip: printingUnsupported }, () => {
  it('are labels in their size, one per page, with a barcode of their object', async () => {
    const parts = []
    for (const name of names) {
      const pk = await factory.part()
      const { status } = await superuser.patch(`/api/part/${pk}/`, { name, IPN: name.slice(0, 60), description: LONG_NAME })
      assert.equal(status, 200)
      parts.push(pk)
    }
    for (const file of ['part_label.html', 'part_label_code128.html']) {
      const rendered = await renderTemplate(findTemplate(file), { items: parts })
      const printed = await printPages(rendered)
      assert.equal(printed.length, parts.length)
      for (const [index, page] of printed.entries()) {
        assertNear(page.width, 70)
        assertNear(page.height, 24)
        const codes = await readBarcodes(await printPicture(rendered, index))
        assert.deepEqual(
          codes.map(({ text }) => text),
          [`{"part": ${parts[index]}}`],
          file,
        )
      }
      assert.match(printed[0]?.text ?? '', /Sechskantschraube/)
    }
  })

  it('are readable at 24 mm', async () => {
    const location = await factory.location()
    const smallTemplates = builtInTemplates.filter(({ size }) => size?.height === 24 && size.width <= 50)
    assert.equal(smallTemplates.length, 3)
    for (const template of smallTemplates) {
      const rendered = await renderTemplate(template, template.kind === 'label/location' ? { items: [location] } : {})
      assert.equal((await printPages(rendered)).length, 1)
      const [code] = await readBarcodes(await printPicture(rendered, 0))
      assert.match(code?.text ?? '', /^\{"stock(location|item)": \d+\}$/)
    }
  })

  it('are reports of two hundred lines in the requested paper size, with numbered pages', {
    timeout: scaleTimeout(60_000),
  }, async () => {
    const supplier = await factory.supplier({ currency: 'EUR' })
    const { body: order } = await superuser.post('/api/order/po/', { supplier, reference: 'PO-0200', description: LONG_NAME })
    const part = await factory.supplierPart(supplier)
    await service.rows(
      `insert into purchase_order_line ("order", part, quantity, purchase_price, purchase_price_currency, reference)
       select $1, $2, g, 1.5, 'EUR', 'line ' || g from generate_series(1, 200) g`,
      [order.pk, part],
    )
    for (const [page_size, landscape, width, height] of [
      ['A4', false, 210, 297],
      ['Letter', true, 279.4, 215.9],
    ] as const) {
      const rendered = await renderTemplate(findTemplate('inventree_po_report.html'), {
        items: [order.pk],
        template: { name: 'Order', page_size, landscape },
      })
      const printed = await printPages(rendered)
      assert.ok(printed.length > 4 && printed.length < 30, `${printed.length} pages`)
      for (const [index, page] of printed.entries()) {
        assertNear(page.width, width)
        assertNear(page.height, height)
        assert.match(page.text, new RegExp(`Page ${index + 1} of ${printed.length}`))
        assert.match(page.text, /Quantity/, 'the head of the table is on every page')
      }
      assert.match(printed.at(-1)?.text ?? '', /200/)
    }
  })

  it('are bases of InvenTree templates, with a header on every page and page numbers for each order', {
    timeout: scaleTimeout(60_000),
  }, async () => {
    const supplier = await factory.supplier({ currency: 'EUR' })
    const part = await factory.supplierPart(supplier)
    const orders: number[] = []
    for (const reference of ['PO-0301', 'PO-0302']) {
      const { body } = await superuser.post('/api/order/po/', { supplier, reference })
      await service.rows(
        `insert into purchase_order_line ("order", part, quantity, purchase_price, purchase_price_currency, reference)
         select $1, $2, g, 1.5, 'EUR', 'line ' || g from generate_series(1, 60) g`,
        [body.pk, part],
      )
      orders.push(body.pk)
    }
    const source = `{% extends "report/inventree_po_report_base.html" %}{% load report %}
      {% block header_style %}position: fixed; top: 0; margin-top: -2.5cm; width: 100%;{% endblock %}`
    const printed = await printPages(await render(source, { kind: 'report/po', items: orders, template: { name: 'Moved' } }))
    const [firstPages, secondPages] = [printed.slice(0, printed.length / 2), printed.slice(printed.length / 2)]
    assert.ok(firstPages.length > 1 && firstPages.length === secondPages.length, `${printed.length} pages`)
    for (const [orderPages, reference] of [
      [firstPages, 'PO-0301'],
      [secondPages, 'PO-0302'],
    ] as const)
      for (const [index, page] of orderPages.entries()) {
        assert.match(page.text, new RegExp(`Purchase order ${reference}`))
        assert.match(page.text, new RegExp(`Page ${index + 1} of ${orderPages.length}`))
        const [title] = page.lines.filter(({ text }) => text.includes(reference))
        assert.ok(title && title.y > 15 && title.y < 25, `${title?.y} mm below the upper edge`)
      }
  })

  it('show the pictures of their objects, and no other file', async () => {
    const part = await factory.part()
    await service.rows(`update part set image = 'part_images/red.png' where pk = $1`, [part])
    const redPicture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer()
    const requestedPaths: string[] = []
    const library = {
      ...noLibrary,
      async file(path: string) {
        requestedPaths.push(path)
        return { type: 'image/png', bytes: redPicture }
      },
    }
    const source = `<body style="margin: 0">{% assign own = "/media/part/secret.pdf" %}<img src="{{ part | image }}" style="width: 20mm; display: block">
      <img src="/media/part/other.png"><img src="{{ own | image }}"><img src="file:///etc/passwd"><img src="http://127.0.0.1:1/"></body>`
    const rendered = await render(source, { items: [part], library, template: { name: 'Picture', width: 50, height: 20 } })
    const { dominant } = await sharp(
      await sharp(await printPicture(rendered, 0))
        .extract({ left: 20, top: 20, width: 100, height: 100 })
        .toBuffer(),
    ).stats()
    assert.ok(dominant.r > 240 && dominant.g < 20, JSON.stringify(dominant))
    assert.deepEqual(requestedPaths, ['part_images/red.png'])
  })
})
