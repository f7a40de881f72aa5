import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodeForm } from '../testing/files.ts'
import { preparePrinting } from '../testing/printing.ts'
import { testService } from '../testing/service.ts'
import { scaleTimeout } from '../testing/slowness.ts'
import { cannotBrowse, openConsole, waitUntilLoaded } from './testing/console.ts'
import { readRoutes } from './testing/routes.ts'
import { scanCode } from './testing/scanner.ts'
import { fillWorkshop } from './testing/workshop.ts'

// Services migrated from InvenTree respond in the form that its clients expect: the console works there, too.

const service = await testService({ WIRE_FORM: 'inventree', ...(await preparePrinting()) })
const { member, superuser } = service
const { parts, locations, items, supplier } = await fillWorkshop(service)
const create = async (path: string, body: object): Promise<number> => {
  const { status, body: object, text } = await superuser.post(path, body)
  assert.equal(status, 201, `${path}: ${text}`)
  return object.pk
}
const customer = await create('/api/company/', { name: 'Songbird Audio', is_customer: true, currency: 'EUR' })
await create('/api/bom/', { part: parts.board, sub_part: parts.resistor, quantity: 14 })
const [{ pk: supplierPart }] = await service.rows('select pk from supplier_part')
const purchaseOrder = await create('/api/order/po/', { supplier, description: 'For the week' })
await create('/api/order/po-line/', { order: purchaseOrder, part: supplierPart, quantity: 3 })
await create('/api/order/po-extra-line/', { order: purchaseOrder, quantity: 1, description: 'Freight' })
assert.equal((await superuser.post(`/api/order/po/${purchaseOrder}/issue/`)).status, 201)
const salesOrder = await create('/api/order/so/', { customer, description: 'Twenty boards' })
await create('/api/order/ro/', { customer, description: 'One that hums' })
await create('/api/order/transfer-order/', { destination: locations.shelf, description: 'To the shelf' })
const manufacturer = await create('/api/company/', { name: 'Isar Sensors', is_manufacturer: true, is_supplier: false })
const manufacturerPart = await create('/api/company/part/manufacturer/', { part: parts.resistor, manufacturer, MPN: 'IS-10K' })
const build = await create('/api/build/', { part: parts.board, quantity: 2, title: 'Two boards' })
await create('/api/project-code/', { code: 'P-1', description: 'Hall' })
const group = await create('/api/user/group/', { name: 'Fitters' })
const spreadsheet = encodeForm({
  model_type: 'part',
  data_file: { name: 'parts.csv', content: Buffer.from('Name,IPN,Category\nBolt,B-1,1\n') },
})
const { pk: importSession } = (await superuser.post('/api/importer/session/', spreadsheet.body, spreadsheet.headers)).body
const [{ pk: securityEvent }] = await service.rows('select max(pk) as pk from security_event')
const [{ id: machine }] = await service.rows(
  `insert into machine (name, machine_type, driver, active) values ('Goods in', 'label-printer', 'zpl', false) returning id`,
)

/** The URL of each page of the console, by its pattern in pages.ts. */
const URLS: Record<string, string> = {
  '/': '/',
  '/scan/': '/scan/',
  '/scan/:mode/': `/scan/receive/?order=${purchaseOrder}`,
  '/calendar/': '/calendar/',
  '/search/': '/search/?q=board',
  '/notifications/': '/notifications/',
  '/part/': '/part/',
  '/part/:pk/': `/part/${parts.board}/`,
  '/part/:pk/bom/': `/part/${parts.board}/bom/`,
  '/part/:pk/bom/tree/': `/part/${parts.board}/bom/tree/`,
  '/part/:pk/bom/cost/': `/part/${parts.board}/bom/cost/`,
  '/part/:pk/bom/compare/': `/part/${parts.board}/bom/compare/`,
  '/part/:pk/used-in/': `/part/${parts.resistor}/used-in/`,
  '/part/:pk/used-in/tree/': `/part/${parts.resistor}/used-in/tree/`,
  '/part/:pk/variants/': `/part/${parts.board}/variants/`,
  '/part/:pk/prices/': `/part/${parts.resistor}/prices/`,
  '/manufacturer-part/:pk/': `/manufacturer-part/${manufacturerPart}/`,
  '/supplier-part/:pk/': `/supplier-part/${supplierPart}/`,
  '/part/category/:pk/': '/part/category/1/',
  '/stock/': '/stock/?in_stock=true',
  '/stock/item/:pk/': `/stock/item/${items.resistors}/`,
  '/stock/location/': '/stock/location/',
  '/stock/location/:pk/': `/stock/location/${locations.shelf}/`,
  '/build/': '/build/?active=true',
  '/build/:pk/': `/build/${build}/`,
  '/stock/count/': '/stock/count/',
  '/stock/count/:pk/': `/stock/count/${locations.shelf}/`,
  '/order/purchase-order/': '/order/purchase-order/',
  '/order/purchase-order/:pk/': `/order/purchase-order/${purchaseOrder}/`,
  '/order/purchase-order/:pk/receive/': `/order/purchase-order/${purchaseOrder}/receive/`,
  '/order/sales-order/': '/order/sales-order/',
  '/order/sales-order/:pk/': `/order/sales-order/${salesOrder}/`,
  '/company/': '/company/',
  '/company/:pk/': `/company/${supplier}/`,
  '/settings/printers/:machine/': `/settings/printers/${machine}/`,
  '/settings/plugins/:key/': '/settings/plugins/inventreebarcode/',
  '/order/transfer-order/': '/order/transfer-order/',
  '/order/transfer-order/:pk/': '/order/transfer-order/1/',
  '/order/return-order/': '/order/return-order/',
  '/order/return-order/:pk/': '/order/return-order/1/',
  '/import/': '/import/',
  '/import/:pk/': `/import/${importSession}/`,
  '/invitation/': '/invitation/',
  '/settings/users/:pk/': `/settings/users/${service.getPk('member')}/`,
  '/settings/groups/:pk/': `/settings/groups/${group}/`,
  '/settings/security-events/:pk/': `/settings/security-events/${securityEvent}/`,
  '/settings/templates/:kind/:pk/': '/settings/templates/label-part/1/',
}
/** The pages of the settings have no parameters: each is its own URL. */
const SETTINGS = /^\/settings\/[^:]*$/
const patterns = readRoutes()

describe('the console on a service with InvenTree responses', { skip: cannotBrowse }, () => {
  it('shows each of its pages', async () => {
    const page = await openConsole(service, 'superuser', '/')
    /** Rejected requests while a page loads. */
    const failures: string[] = []
    page.on('response', async (response) => {
      if (response.status() >= 400)
        failures.push(`${page.url()}: ${response.request().method()} ${response.url()}: ${await response.text()}`)
      if (!response.url().endsWith('/api/web/read/')) return
      const body = (await response.json().catch(() => ({}))) as Record<string, { status: number; body: unknown }>
      for (const [name, result] of Object.entries(body))
        if (result.status >= 400) failures.push(`${name} of ${page.url()}: ${JSON.stringify(result.body)}`)
    })
    for (const pattern of patterns) {
      const url = SETTINGS.test(pattern) ? pattern : URLS[pattern]
      assert.ok(url, `${pattern} is not opened here`)
      await page.goto(url)
      await page.locator('main h1').waitFor()
      await waitUntilLoaded(page)
      assert.equal(await page.getByText(/^(Something went wrong|The service cannot be reached)/).count(), 0, url)
      assert.equal(await page.locator('main .waiting, main .problem').count(), 0, url)
    }
    assert.deepEqual(failures, [])
    assert.ok(patterns.length > 20)
  })

  it('prints reports and labels', async () => {
    const page = await openConsole(service, 'member', `/order/purchase-order/${purchaseOrder}/`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const file = page
      .context()
      .waitForEvent('response', { predicate: (candidate) => /\/media\//.test(candidate.url()), timeout: scaleTimeout(60_000) })
    await page.locator('.menu-content').getByRole('button', { name: 'Purchase order', exact: true }).click()
    const response = await file
    assert.deepEqual([response.status(), response.headers()['content-type']], [200, 'application/pdf'])

    await page.goto(`/stock/location/${locations.shelf}/`)
    await page.getByRole('heading', { name: 'Shelf A' }).waitFor()
    await page.keyboard.press('Shift+P')
    await page.getByRole('button', { name: 'Print 1 label', exact: true }).click()
    const link = page.getByRole('link', { name: 'Open PDF' })
    await link.waitFor({ timeout: scaleTimeout(60_000) })
    const label = await page.request.get(String(await link.getAttribute('href')))
    assert.equal((await label.body()).subarray(0, 5).toString(), '%PDF-')
  })

  it('reports the results of scans, in the same words', async () => {
    const page = await openConsole(service, 'member', `/scan/move/?place=${locations.box}`)
    const waitForText = (text: string) => page.locator('main').getByText(text).first().waitFor()
    await page.getByText('Ready to scan').waitFor()
    await scanCode(page, JSON.stringify({ stockitem: items.board }))
    await waitForText('Sensor board')
    assert.equal((await member.get(`/api/stock/${items.board}/`)).body.location, locations.box)
    await page.goto('/scan/link/')
    await page.getByText('Ready to scan').waitFor()
    await scanCode(page, 'BOX-0007')
    await waitForText('What is it?')
    await scanCode(page, JSON.stringify({ stocklocation: locations.box }))
    await waitForText('Store/Shelf A/Box 7')
    await page.keyboard.press('Alt+u')
    await waitForText('Undone')
    const { body } = await member.get(`/api/stock/location/${locations.box}/`)
    assert.equal(body.barcode_hash ?? '', '')
  })

  it('shows errors', async () => {
    const page = await openConsole(service, 'member', `/order/purchase-order/${purchaseOrder}/`)
    await page.getByRole('heading', { name: /PO-/ }).waitFor()
    assert.equal((await superuser.post(`/api/order/po/${purchaseOrder}/cancel/`)).status, 201)
    await page.getByRole('button', { name: 'Complete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByText('Someone else changed this.').waitFor()
    await page.getByText('Cancelled', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByText('Only a placed order can be completed').waitFor()
  })
})
