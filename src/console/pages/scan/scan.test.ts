// Over 400 lines: the modes of the scan station, tested on one database with one browser.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { digikeyLabel, mouserLabel, workshop } from '../../testing/deliveries.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()
const { place, part, stock, supplier, order, sale, stockOf, setting } = workshop(service)
/** Long, because keys arrive late on a busy machine. */
const INPUT_DELAY_MS = 400
await setting('BARCODE_INPUT_DELAY', INPUT_DELAY_MS)
const shelf = await place('Shelf 3')
const drawer = await place('Drawer 12', await place('Cabinet'))
const digikey = await supplier('DigiKey')
const mouser = await supplier('Mouser')

/** Scans and types at the station, and counts both. */
function simulateWorker(page: Page) {
  const counts = { scans: 0, keys: 0 }
  return {
    counts,
    async scan(code: string) {
      counts.scans++
      await scanCode(page, code)
    },
    /** Types at human pace: slower than any scanner. */
    async press(key: string) {
      counts.keys++
      await page.waitForTimeout(INPUT_DELAY_MS + 50)
      await page.keyboard.press(key)
    },
  }
}

const locateNewestScan = (page: Page) => page.locator('.scan-newest')
const waitForText = (page: Page, text: string | RegExp) => locateNewestScan(page).getByText(text).waitFor()

describe('the scan station', { skip: cannotBrowse }, () => {
  it('receives a delivery of three lines with six scans and no keys, including serial numbers', async () => {
    const { pk, reference } = await order(digikey, [
      { sku: '296-LM358-ND', name: 'LM358', quantity: 10 },
      { sku: '311-10K-ND', name: 'Resistor 10 kΩ', quantity: 2, pack: '100' },
      { sku: '1528-BNO-ND', name: 'Motion sensor', quantity: 2, isTrackable: true },
    ])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}`)
    const { counts, scan } = simulateWorker(page)
    await page.getByText('0 of 10').waitFor()
    await scan(`{"stocklocation": ${drawer}}`)
    await waitForText(page, 'Location: Cabinet/Drawer 12')
    await scan(digikeyLabel(reference, '296-LM358-ND', 10))
    await waitForText(page, 'Received 10 × LM358 into Drawer 12')
    await scan(digikeyLabel(reference, '311-10K-ND', 2))
    await waitForText(page, 'Received 200 × Resistor 10 kΩ into Drawer 12')
    await scan(digikeyLabel(reference, '1528-BNO-ND', 2))
    await waitForText(page, 'Serial numbers for 2 × Motion sensor')
    await assertAccessible(page)
    await capturePage(page, 'scan-serial-numbers')
    await scan('BNO-7001')
    await page.getByText('1 of 2 scanned').waitFor()
    await scan('BNO-7002')
    await waitForText(page, 'Received 2 × Motion sensor into Drawer 12')
    assert.deepEqual(counts, { scans: 6, keys: 0 })
    await page.getByText('2 of 2').nth(1).waitFor()
    assert.deepEqual(await stockOf(pk), [
      { name: 'LM358', quantity: 10, serial: null, place: 'Drawer 12' },
      { name: 'Resistor 10 kΩ', quantity: 200, serial: null, place: 'Drawer 12' },
      { name: 'Motion sensor', quantity: 1, serial: 'BNO-7001', place: 'Drawer 12' },
      { name: 'Motion sensor', quantity: 1, serial: 'BNO-7002', place: 'Drawer 12' },
    ])
    await assertAccessible(page)
    await capturePage(page, 'scan-receive')
  })

  it('undoes the latest scan with one key, and the one before it with another', async () => {
    const { pk, reference } = await order(mouser, [{ sku: '595-MC34063ADR', name: 'MC34063', quantity: 3, mpn: 'MC34063ADR' }])
    const page = await openConsole(service, 'member', `/scan/receive/?place=${shelf}`)
    const { counts, scan, press } = simulateWorker(page)
    await scan(mouserLabel(reference, 'MC34063ADR', 3))
    await waitForText(page, 'Received 3 × MC34063 into Shelf 3')
    await press('Alt+u')
    await waitForText(page, 'Undone: Received 3 × MC34063 into Shelf 3')
    assert.deepEqual([await stockOf(pk), counts], [[], { scans: 1, keys: 1 }])
    await press('Alt+u')
    await waitForText(page, 'Nothing to undo')
    await scan(mouserLabel(reference, 'MC34063ADR', 3))
    await waitForText(page, 'Received 3 × MC34063 into Shelf 3')
    assert.equal((await stockOf(pk)).length, 1)
  })

  it('moves items scanned after a location, counts by scan and quantity, and reports obstacles', async () => {
    const cable = await part('Cable', { units: 'm' })
    const reel = await stock(cable, 40, drawer)
    const page = await openConsole(service, 'member', '/scan/move/')
    const { counts, scan, press } = simulateWorker(page)
    await waitForText(page, 'Ready to scan')
    await scan(`{"stockitem": ${reel}}`)
    await waitForText(page, 'Scan a location first')
    await scan(`{"stocklocation": ${shelf}}`)
    await waitForText(page, 'Location: Shelf 3')
    await scan(`INV-SI${reel}`)
    await waitForText(page, 'Moved 40 m × Cable to Shelf 3')
    await assertAccessible(page)
    await capturePage(page, 'scan-move')
    await press('Alt+4')
    await page.getByText('type its quantity').waitFor()
    await scan(`{"stockitem": ${reel}}`)
    await page.getByText('Expected: 40 m').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'scan-count')
    for (const key of ['3', '8', '.', '5', 'Enter']) await press(key)
    await waitForText(page, 'Counted 38.5 m × Cable')
    // Enter confirms the expected quantity, and a scan continues with the next item
    await scan(`{"stockitem": ${reel}}`)
    await page.getByText('Expected: 38.5 m').waitFor()
    await press('Enter')
    await waitForText(page, 'Counted 38.5 m × Cable')
    assert.deepEqual(counts, { scans: 5, keys: 7 })
    // an unusually large quantity: the focus is on the button that goes back
    const field = page.getByRole('textbox', { name: 'Quantity (m)' })
    await scan(`{"stockitem": ${reel}}`)
    await field.waitFor()
    for (const key of ['3', '8', '5', '0', '0', 'Enter']) await press(key)
    const dialog = page.getByRole('dialog', { name: 'Enter 38,500 m? The previous quantity was 38.5 m.' })
    await dialog.waitFor()
    await assertAccessible(page)
    await capturePage(page, 'scan-count-doubt')
    await press('Enter')
    await dialog.waitFor({ state: 'detached' })
    for (const key of ['3', '9', '0', '0', 'Enter']) await press(key)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await waitForText(page, 'Counted 3,900 m × Cable')
    await scan(`{"stockitem": ${reel}}`)
    await field.waitFor()
    for (const key of ['3', '8', '.', '5', 'Enter']) await press(key)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await waitForText(page, 'Counted 38.5 m × Cable')
    await scan(`{"part": ${cable}}`)
    await waitForText(page, 'Cable is neither a location nor a stock item')
    const [item] = await service.rows('select quantity::float, location from stock_item where pk = $1', [reel])
    assert.deepEqual(item, { quantity: 38.5, location: shelf })
  })

  it('reports an item that is already in the location, so that one key undoes the move there', async () => {
    const wire = await part('Wire', { units: 'm' })
    const reel = await stock(wire, 25, drawer)
    const page = await openConsole(service, 'member', '/scan/move/')
    const { scan, press } = simulateWorker(page)
    await waitForText(page, 'Ready to scan')
    await scan(`{"stocklocation": ${shelf}}`)
    await waitForText(page, 'Location: Shelf 3')
    await scan(`{"stockitem": ${reel}}`)
    await waitForText(page, 'Moved 25 m × Wire to Shelf 3')
    await scan(`{"stockitem": ${reel}}`)
    await waitForText(page, '25 m × Wire is already in Shelf 3')
    await press('Alt+u')
    await waitForText(page, 'Undone: Moved 25 m × Wire to Shelf 3')
    assert.equal((await service.member.get(`/api/stock/${reel}/`)).body.location, drawer)
  })

  it('allocates scanned stock to a sales order', async () => {
    const kit = await part('Songbird kit')
    const box = await stock(kit, 20, shelf)
    const { pk, reference } = await sale(kit, 8)
    const page = await openConsole(service, 'member', '/scan/pick/')
    const { scan, press } = simulateWorker(page)
    await scan(`{"stockitem": ${box}}`)
    await waitForText(page, 'Select an order first')
    await scan(`{"salesorder": ${pk}}`)
    await waitForText(page, `Order: ${reference}`)
    await page.getByText('0 of 8').waitFor()
    await scan(`{"stockitem": ${box}}`)
    await waitForText(page, 'The order has no shipment yet')
    await press('Enter')
    await waitForText(page, 'Allocated 8 × Songbird kit')
    await page.locator('.scan-progress').getByText('8 of 8').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'scan-pick')
    // allocations after that shipment was sent go into a shipment with the next number
    const [shipment] = (await service.member.get(`/api/order/so/shipment/?order=${pk}`)).body.results
    assert.equal((await service.member.post(`/api/order/so/shipment/${shipment.pk}/ship/`)).status, 201)
    const addedLine = await service.member.post('/api/order/so-line/', { order: pk, part: kit, quantity: 2 })
    assert.equal(addedLine.status, 201, addedLine.text)
    await scan(`{"stockitem": ${box}}`)
    await waitForText(page, 'The order has no shipment yet')
    await press('Enter')
    await waitForText(page, 'Allocated 2 × Songbird kit')
    const references = (await service.member.get(`/api/order/so/shipment/?order=${pk}`)).body.results.map(
      (one: { reference: string }) => one.reference,
    )
    assert.deepEqual(references.toSorted(), ['1', '2'])
  })

  it('selects an order by its reference, and keeps codes scanned while it asks for a shipment', async () => {
    const [kit, manual] = [await part('Robin kit'), await part('Robin manual')]
    const [box, books] = [await stock(kit, 20, shelf), await stock(manual, 9, shelf)]
    const { pk, reference } = await sale(kit, 8)
    const line = await service.member.post('/api/order/so-line/', { order: pk, part: manual, quantity: 3 })
    assert.equal(line.status, 201, line.text)
    const page = await openConsole(service, 'member', '/scan/pick/')
    const { scan, press } = simulateWorker(page)
    await scan('SO-NONE')
    await waitForText(page, 'Select an order first')
    await scan(reference)
    await waitForText(page, `Order: ${reference}`)
    await scan(`{"stockitem": ${box}}`)
    await waitForText(page, 'The order has no shipment yet')
    await scan(`{"stockitem": ${books}}`)
    await waitForText(page, 'Processed after this question is answered')
    await press('Enter')
    await page.getByText('Allocated 8 × Robin kit').waitFor()
    await waitForText(page, 'Allocated 3 × Robin manual')
    assert.equal((await service.member.get(`/api/order/so/shipment/?order=${pk}`)).body.count, 1)
    // another order is selected by its reference, too
    const next = await sale(kit, 1)
    await scan(next.reference)
    await waitForText(page, `Order: ${next.reference}`)
    // each code that waits for an unanswered question is reported
    await scan(`{"stockitem": ${box}}`)
    await waitForText(page, 'The order has no shipment yet')
    await scan(`INV-SI${box}`)
    await waitForText(page, 'Processed after this question is answered')
    await press('Escape')
    await waitForText(page, `Discarded: INV-SI${box}`)
    assert.equal((await service.member.get(`/api/order/so-allocation/?order=${next.pk}`)).body.count, 0)
  })

  it('asks before it receives more than was ordered', async () => {
    const { pk, reference } = await order(digikey, [{ sku: 'MORE-ND', name: 'Washer', quantity: 5 }])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    const { scan, press } = simulateWorker(page)
    await scan(digikeyLabel(reference, 'MORE-ND', 6))
    await waitForText(page, 'More than ordered')
    await assertAccessible(page)
    await press('Enter')
    await waitForText(page, 'Received 6 × Washer into Shelf 3')
  })

  it('reports the code of stock that is already here, and links to it', async () => {
    const reel = await stock(await part('Ribbon', { units: 'm' }), 12, drawer)
    const page = await openConsole(service, 'member', `/scan/receive/?place=${shelf}`)
    const { scan } = simulateWorker(page)
    await scan(`{"stockitem": ${reel}}`)
    await waitForText(page, '12 m × Ribbon is a stock item that is already in Stockroom. It cannot be received again.')
    assert.equal((await service.member.post('/api/barcode/link/', { barcode: 'REEL-OF-RIBBON', stockitem: reel })).status, 201)
    await scan('REEL-OF-RIBBON')
    await page.locator('.scan-journal li').waitFor()
    await waitForText(page, '12 m × Ribbon is a stock item that is already in Stockroom. It cannot be received again.')
    await page.getByRole('link', { name: '12 m × Ribbon is a stock item' }).first().click()
    await page.waitForURL(`**/stock/item/${reel}/`)
  })

  it('creates the supplier part of an unknown label, filled from the label', async () => {
    await part('Ferrite bead')
    const page = await openConsole(service, 'member', '/company/')
    const { scan } = simulateWorker(page)
    await page.getByRole('link', { name: 'DigiKey' }).waitFor()
    await scan(digikeyLabel('PO-1', 'NEW-1-ND', 10))
    await waitForText(page, 'Unknown barcode')
    await page.getByRole('link', { name: 'Unknown barcode' }).click()
    await page.getByLabel('SKU').waitFor()
    assert.equal(await page.getByLabel('SKU').inputValue(), 'NEW-1-ND')
    await waitUntil(
      async () => (await page.getByRole('combobox', { name: 'Supplier' }).inputValue()) === 'DigiKey',
      'the supplier of the label',
    )
    await page.getByRole('combobox', { name: 'Part' }).fill('ferrite')
    await page.getByRole('option', { name: 'Ferrite bead' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'scan-link')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create supplier part' }).click()
    await waitForText(page, 'Created supplier part NEW-1-ND')
    const supplierParts = (await service.member.get('/api/company/part/?SKU=NEW-1-ND&part_detail=true')).body.results
    assert.deepEqual(
      [supplierParts.length, supplierParts[0].part_detail.name, supplierParts[0].supplier],
      [1, 'Ferrite bead', digikey],
    )
  })

  it('continues receiving with the same selections once the supplier part of an unknown label is created', async () => {
    const { pk, reference } = await order(digikey, [{ sku: '296-555-ND', name: 'Timer', quantity: 4 }])
    await part('Heat sink')
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}`)
    const { scan, press } = simulateWorker(page)
    await page.getByText('0 of 4').waitFor()
    await scan(`{"stocklocation": ${shelf}}`)
    await waitForText(page, 'Location: Shelf 3')
    // the selected objects are in one line
    const tops = await page
      .locator('.scan-chosen :is(select, input)')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    assert.deepEqual(tops, [tops[0], tops[0]])
    await scan(digikeyLabel(reference, 'NEW-2-ND', 10))
    await page.getByRole('link', { name: 'No supplier part matches this label' }).click()
    await page.getByRole('combobox', { name: 'Part' }).fill('heat')
    await page.getByRole('option', { name: 'Heat sink' }).waitFor()
    // later than the second Enter that a scanner may send
    await press('Enter')
    await page.getByRole('button', { name: 'Create supplier part' }).click()
    await waitForText(page, 'Created supplier part NEW-2-ND')
    await page.waitForURL(`**/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 4').waitFor()
    await scan(digikeyLabel(reference, '296-555-ND', 4))
    await waitForText(page, 'Received 4 × Timer into Shelf 3')
  })

  it('links an unknown code to the object scanned next, and undoes that', async () => {
    const page = await openConsole(service, 'member', '/scan/link/')
    const { scan, press } = simulateWorker(page)
    await waitForText(page, 'Ready to scan')
    await scan('BOX-77-A')
    await waitForText(page, 'Unknown barcode. What is it?')
    await scan(`{"stocklocation": ${shelf}}`)
    await waitForText(page, 'Barcode linked to Shelf 3')
    await scan('BOX-77-A')
    await waitForText(page, 'The barcode belongs to Shelf 3')
    await press('Alt+u')
    await waitForText(page, 'Undone')
    await scan('BOX-77-A')
    await waitForText(page, 'Unknown barcode. What is it?')
  })

  it('links a code to a part selected by name, if that has no label of its own', async () => {
    const liquid = await part('Isopropanol')
    const page = await openConsole(service, 'member', '/scan/link/')
    const { scan, press } = simulateWorker(page)
    await waitForText(page, 'Ready to scan')
    await scan('4012345678901')
    await waitForText(page, 'Unknown barcode. What is it?')
    // not a supplier's label, so no supplier part is offered
    await page.getByText('Scan the object to link').waitFor()
    await page.getByLabel('Part', { exact: true }).fill('isopro')
    await page.getByRole('option', { name: 'Isopropanol' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'scan-link-by-name')
    await press('Enter')
    await press('Enter')
    await waitForText(page, 'Barcode linked to Isopropanol')
    assert.equal((await service.member.post('/api/barcode/', { barcode: '4012345678901' })).body.part?.pk, liquid)
  })

  it('opens an object scanned anywhere in the console, and treats no part of the scan as typing', async () => {
    const page = await openConsole(service, 'member', '/company/')
    const field = page.locator('input[data-search]')
    await page.getByRole('link', { name: 'Mouser' }).waitFor()
    await field.focus()
    await field.pressSequentially('mous', { delay: INPUT_DELAY_MS + 50 })
    await page.waitForURL('**search=mous**')
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await scanCode(page, `{"stocklocation": ${shelf}}`, 'Tab')
    await page.waitForURL(`**/stock/location/${shelf}/`)
    await page.getByRole('heading', { name: 'Shelf 3' }).waitFor()
    await page.goBack()
    await page.getByText('1 row', { exact: true }).waitFor()
    assert.equal(await field.inputValue(), 'mous')
  })

  it('stores scans while the network is down, across a reload, and sends each once when it is back', async () => {
    const { pk, reference } = await order(digikey, [
      { sku: 'OFF-1-ND', name: 'Fuse', quantity: 20 },
      { sku: 'OFF-2-ND', name: 'Relay', quantity: 4 },
    ])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    const { scan, press } = simulateWorker(page)
    await page.getByText('0 of 20').waitFor()
    await page.context().setOffline(true)
    await scan(digikeyLabel(reference, 'OFF-1-ND', 20))
    await waitForText(page, 'Stored: it is sent when the connection is back')
    await scan(digikeyLabel(reference, 'OFF-2-ND', 4))
    await page.getByRole('heading', { name: '2 pending scans' }).waitFor()
    await scan(digikeyLabel(reference, 'OFF-2-ND', 4))
    await page.getByRole('heading', { name: '3 pending scans' }).waitFor()
    // unsent scans are undone in the browser
    await press('Alt+u')
    await page.getByRole('heading', { name: '2 pending scans' }).waitFor()
    await scan(digikeyLabel(reference, 'NOBODY-ND', 1))
    await page.getByRole('heading', { name: '3 pending scans' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'scan-away')
    // each shows its action, and a mistaken scan can be canceled before it is sent
    const pendingRegion = page.getByRole('region', { name: 'Pending scans' })
    await pendingRegion.getByText(`Receive 20 × OFF-1-ND · Location: ${shelf}`).waitFor()
    await scan(digikeyLabel(reference, 'OFF-1-ND', 7))
    const mistakenScan = pendingRegion.getByRole('listitem').filter({ hasText: '7 × OFF-1-ND' })
    await mistakenScan.getByRole('button', { name: 'Cancel' }).click()
    await mistakenScan.waitFor({ state: 'detached' })
    assert.deepEqual(await stockOf(pk), [])
    // another page of the same browser, as after a reload: the service is reachable before the first page notices
    await page.context().setOffline(false)
    await page.reload()
    await page.getByText('20 of 20').waitFor()
    await page.getByText('4 of 4').waitFor()
    assert.deepEqual(
      (await stockOf(pk)).map(({ name, quantity }) => [name, quantity]),
      [
        ['Fuse', 20],
        ['Relay', 4],
      ],
    )
    // scans rejected because the order is complete wait for a decision
    const rejectedScan = page.locator('.scan-pending li')
    await rejectedScan.getByText('The order cannot be received').waitFor()
    await page.reload()
    await rejectedScan.getByText('The order cannot be received').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'scan-refused')
    await rejectedScan.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.scan-pending').waitFor({ state: 'detached' })
    const { body } = await service.superuser.get(`/api/barcode/history/?action=receive&search=${reference}`)
    assert.deepEqual(body.results.map((one: { result: boolean }) => one.result).toSorted(), [false, true, true])
  })

  it('says that it is ready to scan only while it is', async () => {
    const page = await openConsole(service, 'member', '/scan/')
    const ready = page.getByText('Ready to scan')
    await ready.waitFor()
    // the pace of scanners, and whether there are any, is not known yet
    let release = () => {}
    const waiting = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.evaluate(() => localStorage.removeItem('stockroom.scanner'))
    await page.route('**/api/web/settings/', async (route) => {
      await waiting
      await route.continue()
    })
    await page.reload()
    await page.locator('.scan-newest').waitFor()
    assert.equal(await ready.count(), 0)
    release()
    await ready.waitFor()
    await page.context().setOffline(true)
    await page.getByText('Not ready: the service cannot be reached.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'scan-not-ready')
    await page.context().setOffline(false)
    await ready.waitFor()
    await service.rows('delete from user_session where "user" = $1', [service.getPk('member')])
    service.app.routes.services.accounts.invalidate()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await page.getByText('Not ready: your session has ended.').waitFor()
    await page.getByLabel('Username').fill('member')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await ready.waitFor()
  })

  it('shows each account the actions it may use', async () => {
    const page = await openConsole(service, 'viewer', '/scan/receive/')
    await page.getByText('Scan any barcode to see what it is.').waitFor()
    assert.deepEqual(await page.locator('.scan-modes a > span:nth-of-type(1)').allTextContents(), ['Look up'])
  })

  it('is not available if the settings disable scanning', async () => {
    await setting('BARCODE_ENABLE', false)
    const page = await openConsole(service, 'member', '/scan/')
    await page.getByText('Not ready: barcode scanners are turned off in the settings.').waitFor()
    await capturePage(page, 'scan-switched-off')
    const field = page.locator('input[data-search]')
    await field.focus()
    await scanCode(page, 'INV-SL1')
    await waitForText(page, 'Shelf 3')
    await setting('BARCODE_ENABLE', true)
  })
})
