import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { digikeyLabel, mouserLabel, workshop } from '../../testing/deliveries.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()
const { place, part, stock, supplier, order, stockOf, setting } = workshop(service)
/** A long delay, since keys arrive late on a busy machine. */
const INPUT_DELAY_MS = 400
await setting('BARCODE_INPUT_DELAY', INPUT_DELAY_MS)
const shelf = await place('Shelf 3')
const digikey = await supplier('DigiKey')
const mouser = await supplier('Mouser')
const GS = '\u001d'

const findNewest = (page: Page) => page.locator('.scan-newest')
const waitForText = (page: Page, text: string | RegExp) => findNewest(page).getByText(text).waitFor()
const findJournal = (page: Page) => page.locator('.scan-newest, .scan-journal li')
/** Types at human pace: slower than any scanner. */
async function press(page: Page, key: string): Promise<void> {
  await page.waitForTimeout(INPUT_DELAY_MS + 50)
  await page.keyboard.press(key)
}
/** Formats the label of one unit as manufacturers print it: with MPN and serial number. */
const formatUnitLabel = (mpn: string, serial: string) => `[)>\u001e06${GS}1P${mpn}${GS}S${serial}\u001e\u0004`

describe('the scan station under pressure', { skip: cannotBrowse }, () => {
  it('processes scans, responses and undos in order, however fast they arrive', async () => {
    const { pk, reference } = await order(digikey, [
      { sku: 'FAST-1-ND', name: 'Encoder', quantity: 2, isTrackable: true },
      { sku: 'FAST-2-ND', name: 'Fuse holder', quantity: 5 },
      { sku: 'FAST-3-ND', name: 'Spring', quantity: 9 },
    ])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 9').waitFor()
    await scanCode(page, digikeyLabel(reference, 'FAST-1-ND', 2))
    await scanCode(page, 'ENC-1')
    await scanCode(page, formatUnitLabel('ENC', 'ENC-2'))
    await scanCode(page, digikeyLabel(reference, 'FAST-2-ND', 5))
    await scanCode(page, digikeyLabel(reference, 'FAST-3-ND', 9))
    // immediately, while all of that is still in progress
    await page.keyboard.press('Alt+u')
    await page.keyboard.press('Alt+u')
    await waitForText(page, 'Undone: Received 5 × Fuse holder into Shelf 3')
    assert.deepEqual(
      (await stockOf(pk)).map(({ name, serial }) => [name, serial]),
      [
        ['Encoder', 'ENC-1'],
        ['Encoder', 'ENC-2'],
      ],
    )
  })

  it('returns the focus to its field once a question is answered', async () => {
    const wire = await stock(await part('Wire', { units: 'm' }), 12, shelf)
    const page = await openConsole(service, 'member', '/scan/count/')
    await waitForText(page, 'Ready to scan')
    await scanCode(page, `{"stockitem": ${wire}}`)
    await page.getByText('Press Enter to confirm 12 m.').waitFor()
    await press(page, 'Enter')
    await waitForText(page, 'Counted 12 m × Wire')
    await page.waitForFunction(() => document.activeElement?.matches('input[data-codes]'))
    const field = page.getByRole('textbox', { name: 'Scan or type a barcode' })
    await page.keyboard.type(`INV-SI${wire}`, { delay: INPUT_DELAY_MS + 50 })
    await press(page, 'Enter')
    await page.getByText('Press Enter to confirm 12 m.').waitFor()
    await press(page, 'Enter')
    await page.getByText('Press Enter to confirm 12 m.').waitFor({ state: 'detached' })
    assert.equal(await field.evaluate((input) => document.activeElement === input), true)
  })

  it('accepts only valid serial numbers, and each once', async () => {
    const { pk, reference } = await order(mouser, [{ sku: 'S-1', mpn: 'MOT-1', name: 'Motor', quantity: 2, isTrackable: true }])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 2').waitFor()
    await scanCode(page, mouserLabel(reference, 'MOT-1', 2))
    await waitForText(page, 'Serial numbers for 2 × Motor')
    for (const invalidCode of [
      `{"stocklocation": ${shelf}}`,
      `INV-SL${shelf}`,
      mouserLabel(reference, 'MOT-1', 2),
      `010950600013435210L-5`,
    ]) {
      await scanCode(page, invalidCode)
      await waitForText(page, 'This barcode has no serial number')
      await scanCode(page, 'M-100')
      await page.locator('.scan-question').getByText('1 of 2 scanned').waitFor()
    }
    await scanCode(page, 'M-100')
    await waitForText(page, 'M-100 is already scanned')
    await assertAccessible(page)
    await capturePage(page, 'scan-serial-twice')
    await scanCode(page, `01095060001343521728123121M-101`)
    await waitForText(page, 'Received 2 × Motor into Shelf 3')
    assert.deepEqual(
      (await stockOf(pk)).map(({ serial }) => serial),
      ['M-100', 'M-101'],
    )
  })

  it('asks which order a label of another order is received for', async () => {
    const ownOrder = await order(digikey, [{ sku: 'BOTH-ND', name: 'Knob', quantity: 10 }])
    const otherOrder = await order(digikey, [])
    const [supplierPart] = await service.rows('select pk from supplier_part where "SKU" = \'BOTH-ND\'')
    const line = { order: otherOrder.pk, part: supplierPart.pk, quantity: 4 }
    assert.equal((await service.superuser.post('/api/order/po-line/', line)).status, 201)
    const page = await openConsole(service, 'member', `/scan/receive/?order=${ownOrder.pk}&place=${shelf}`)
    await page.getByText('0 of 10').waitFor()
    await scanCode(page, digikeyLabel(otherOrder.reference, 'BOTH-ND', 4))
    await waitForText(page, `This label belongs to ${otherOrder.reference}`)
    await assertAccessible(page)
    await capturePage(page, 'scan-other-order')
    assert.deepEqual([await stockOf(ownOrder.pk), await stockOf(otherOrder.pk)], [[], []])
    await press(page, 'Enter')
    await waitForText(page, 'Received 4 × Knob into Shelf 3')
    assert.deepEqual([(await stockOf(ownOrder.pk)).length, (await stockOf(otherOrder.pk)).length], [0, 1])
    await scanCode(page, digikeyLabel(ownOrder.reference, 'BOTH-ND', 6))
    await waitForText(page, 'Received 6 × Knob into Shelf 3')
    assert.equal((await stockOf(ownOrder.pk)).length, 1)
  })

  it('does not offer to create a known supplier part if only the order is unknown', async () => {
    const { reference } = await order(digikey, [{ sku: 'KNOWN-ND', name: 'Lens', quantity: 1 }])
    const page = await openConsole(service, 'member', `/scan/receive/?place=${shelf}`)
    await page.getByText('Ready to scan').waitFor()
    await scanCode(page, digikeyLabel('PO-777777', 'KNOWN-ND', 1))
    await waitForText(page, 'Purchase order PO-777777 does not exist')
    assert.equal(await findNewest(page).getByRole('link').count(), 0)
    await scanCode(page, digikeyLabel(reference, 'UNKNOWN-ND', 1))
    await findNewest(page).getByRole('link', { name: 'No supplier part matches' }).waitFor()
    // internal codes are not a delivery
    await scanCode(page, `{"part": ${await part('Old lens')}}`)
    await waitForText(page, 'Old lens cannot be received')
    const item = await stock(await part('Older lens'), 3, shelf)
    await scanCode(page, `{"stockitem": ${item}}`)
    await waitForText(page, '3 × Older lens is a stock item that is already in Stockroom. It cannot be received again.')
  })

  it('takes batch and quantity from a GS1 code, with and without scanner prefixes and suffixes', async () => {
    const gtin = '09506000134352'
    const { pk } = await order(mouser, [{ sku: gtin, name: 'Adhesive', quantity: 30 }])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 30').waitFor()
    await scanCode(page, `]C101${gtin}10LOT-9${GS}3012`, 'Tab')
    await waitForText(page, 'Received 12 × Adhesive into Shelf 3')
    await scanCode(page, `01${gtin}10LOT-10${GS}308`, undefined)
    await waitForText(page, 'Received 8 × Adhesive into Shelf 3')
    const batches = await service.rows('select batch, quantity::float from stock_item where purchase_order = $1 order by pk', [
      pk,
    ])
    assert.deepEqual(batches, [
      { batch: 'LOT-9', quantity: 12 },
      { batch: 'LOT-10', quantity: 8 },
    ])
  })

  it('receives a delivery once when two stations scan it at the same time, and shows the result at both', async () => {
    const { pk, reference } = await order(digikey, [{ sku: 'TWO-ND', name: 'Bracket', quantity: 10 }])
    const stations = await Promise.all(
      (['member', 'superuser'] as const).map((caller) =>
        openConsole(service, caller, `/scan/receive/?order=${pk}&place=${shelf}`),
      ),
    )
    const [firstStation, secondStation] = stations as [Page, Page]
    for (const page of stations) await page.getByText('0 of 10').waitFor()
    // both requests arrive before one gets a response
    let requestCount = 0
    let release = () => {}
    const bothSent = new Promise<void>((resolve) => {
      release = resolve
    })
    for (const page of stations) {
      await page.route('**/api/barcode/batch/', async (route) => {
        if (++requestCount === 2) release()
        await bothSent
        await route.continue()
      })
      await scanCode(page, digikeyLabel(reference, 'TWO-ND', 6))
    }
    for (const page of stations) await findNewest(page).locator('p').and(page.locator(':not(.scan-ready)')).waitFor()
    const texts = await Promise.all(stations.map((page) => findNewest(page).textContent()))
    assert.equal(texts.filter((text) => text?.includes('Received 6 × Bracket')).length, 1, texts.join(' | '))
    assert.equal(texts.filter((text) => text?.includes('6 × Bracket is a stock item')).length, 1, texts.join(' | '))
    assert.equal((await stockOf(pk)).length, 1)
    for (const page of stations) await page.getByText('6 of 10').waitFor()
    // undoing a receipt whose stock the other account has changed is rejected with a reason
    const winner = texts[0]?.includes('Received') ? firstStation : secondStation
    const [item] = await service.rows('select pk from stock_item where purchase_order = $1', [pk])
    await service.superuser.post('/api/stock/count/', { items: [{ pk: item.pk, quantity: 5 }] })
    await press(winner, 'Alt+u')
    await waitForText(winner, 'Cannot undo this')
    assert.equal((await stockOf(pk)).length, 1)
  })

  it('reports an unanswered question as discarded', async () => {
    const cable = await part('Litz wire', { units: 'm' })
    const [reel, otherReel] = [await stock(cable, 40, shelf), await stock(cable, 7, shelf, { batch: 'rest' })]
    const page = await openConsole(service, 'member', '/scan/count/')
    await page.getByText('Ready to scan').waitFor()
    await scanCode(page, `{"stockitem": ${reel}}`)
    await page.getByText('Expected: 40 m').waitFor()
    await scanCode(page, `{"stockitem": ${otherReel}}`)
    await page.getByText('Expected: 7 m').waitFor()
    await findJournal(page).getByText('Discarded: How many of Litz wire?').waitFor()
    await press(page, 'Escape')
    await waitForText(page, 'Discarded: How many of Litz wire?')
    assert.equal(await page.locator('.scan-question').count(), 0)
    const counted = await service.rows('select pk from stock_item where pk = any($1) and stocktake_date is not null', [
      [reel, otherReel],
    ])
    assert.deepEqual(counted, [])
  })

  it('reports pending scans when the next one is scanned, and undoes completed ones', async () => {
    const { pk, reference } = await order(digikey, [
      { sku: 'LATE-1-ND', name: 'Gasket', quantity: 3 },
      { sku: 'LATE-2-ND', name: 'Valve', quantity: 2 },
    ])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 3').waitFor()
    await page.route('**/api/barcode/batch/', (route) => route.abort())
    await scanCode(page, digikeyLabel(reference, 'LATE-1-ND', 3))
    await waitForText(page, 'Stored: it is sent when the connection is back')
    await page.unroute('**/api/barcode/batch/')
    await scanCode(page, digikeyLabel(reference, 'LATE-2-ND', 2))
    await findJournal(page).getByText('Received 3 × Gasket into Shelf 3').waitFor()
    await findJournal(page).getByText('Received 2 × Valve into Shelf 3').waitFor()
    await press(page, 'Alt+u')
    await findNewest(page)
      .getByText(/^Undone/)
      .waitFor()
    await press(page, 'Alt+u')
    await waitUntil(async () => (await stockOf(pk)).length === 0, 'the receipts are not undone')
  })

  it('reports results in order, whichever name loads first', async () => {
    const { pk, reference } = await order(digikey, [
      { sku: 'TURN-1-ND', name: 'Washer', quantity: 3 },
      { sku: 'TURN-2-ND', name: 'Nut', quantity: 2 },
    ])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 3').waitFor()
    await page.route('**/api/barcode/batch/', (route) => route.abort())
    await scanCode(page, digikeyLabel(reference, 'TURN-1-ND', 3))
    await waitForText(page, 'Stored: it is sent when the connection is back')
    // the line of the pending scan loads late
    const gate = Promise.withResolvers<void>()
    await page.route(
      /\/po-line\/\d+\//,
      async (route) => {
        await gate.promise
        await route.continue()
      },
      { times: 1 },
    )
    await page.unroute('**/api/barcode/batch/')
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await waitUntil(async () => (await stockOf(pk)).length === 1, 'the pending scan is not sent')
    await scanCode(page, digikeyLabel(reference, 'TURN-2-ND', 2))
    await waitUntil(async () => (await stockOf(pk)).length === 2, 'the next scan is not received')
    // long enough for the next result to overtake it if that did not wait
    await page.waitForTimeout(300)
    gate.resolve()
    await findNewest(page).getByText('Received 2 × Nut into Shelf 3').waitFor()
    await findJournal(page).getByText('Received 3 × Washer into Shelf 3').waitFor()
    await press(page, 'Alt+u')
    await waitForText(page, 'Undone: Received 2 × Nut into Shelf 3')
    await press(page, 'Alt+u')
    await waitUntil(async () => (await stockOf(pk)).length === 0, 'the receipts are not undone')
  })

  it('reports that Caps Lock is on if it changed the scanned text', async () => {
    const page = await openConsole(service, 'member', '/scan/')
    await page.getByText('Ready to scan').waitFor()
    const scanWith = (isLocked: boolean) =>
      page.evaluate((modifierCapsLock) => {
        for (const key of [...'inv-sl1', 'Enter'])
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, modifierCapsLock, bubbles: true, cancelable: true }))
      }, isLocked)
    await scanWith(true)
    await waitForText(page, 'Caps Lock is on. Turn it off and scan again.')
    await scanWith(false)
    await findNewest(page).getByText('inv-sl1').waitFor()
  })

  it('ignores the events of browser autofill', async () => {
    const page = await openConsole(service, 'member', '/scan/')
    await page.getByText('Ready to scan').waitFor()
    await page.locator('input[data-search]').focus()
    // a keydown event without a key
    await page.evaluate(() => document.activeElement?.dispatchEvent(new Event('keydown', { bubbles: true, cancelable: true })))
    await scanCode(page, `{"stocklocation": ${shelf}}`)
    await waitForText(page, 'Shelf 3')
  })

  it('does not leave a form with unsaved input', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('button', { name: 'New company' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Half typed')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).focus()
    await scanCode(page, `{"stocklocation": ${shelf}}`)
    await page.getByText('Save or close the form first').waitFor()
    assert.equal(new URL(page.url()).pathname, '/company/')
    assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Half typed')
    await press(page, 'Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // a dialog without input closes
    await press(page, 'Control+k')
    await page.getByRole('dialog').waitFor()
    await scanCode(page, `{"stocklocation": ${shelf}}`)
    await page.waitForURL(`**/stock/location/${shelf}/`)
    await page.getByRole('heading', { name: 'Shelf 3' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
  })

  it('does not leave a page while a confirmation is open', async () => {
    const page = await openConsole(service, 'member', `/stock/location/${shelf}/`)
    await page.getByRole('heading', { name: 'Shelf 3' }).waitFor()
    await press(page, 'Shift+D')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
    await scanCode(page, `{"stocklocation": ${shelf + 1}}`)
    await page.getByText('Save or close the form first').waitFor()
    assert.equal(new URL(page.url()).pathname, `/stock/location/${shelf}/`)
    assert.equal(await dialog.count(), 1)
  })

  it('keeps the start of a scan that arrives before the settings of the service', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('button', { name: 'New company' }).first().waitFor()
    await page.waitForFunction(() => localStorage.getItem('stockroom.scanner') !== null)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/web/settings/', async (route) => {
      await released
      await route.continue()
    })
    await page.reload()
    await page.getByRole('button', { name: 'New company' }).first().waitFor()
    await scanCode(page, `{"stocklocation": ${shelf}}`)
    await page.waitForURL(`**/stock/location/${shelf}/`)
    release()
  })
})
