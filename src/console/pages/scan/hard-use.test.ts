import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testService } from '../../../testing/service.ts'
import { until } from '../../../testing/until.ts'
import { assertAccessible, cannotBrowse, consoleOf, looksAt } from '../../testing/console.ts'
import { digikeyLabel, mouserLabel, workshop } from '../../testing/deliveries.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()
const { place, part, stock, supplier, order, stockOf, setting } = workshop(service)
/** Milliseconds: keys come late where a machine does much else. */
const DELAY = 400
await setting('BARCODE_INPUT_DELAY', DELAY)
const shelf = await place('Shelf 3')
const digikey = await supplier('DigiKey')
const mouser = await supplier('Mouser')
const GS = '\u001d'

const newest = (page: Page) => page.locator('.scan-newest')
const says = (page: Page, text: string | RegExp) => newest(page).getByText(text).waitFor()
const journal = (page: Page) => page.locator('.scan-newest, .scan-journal li')
/** As people type: slower than any scanner. */
async function press(page: Page, key: string): Promise<void> {
  await page.waitForTimeout(DELAY + 50)
  await page.keyboard.press(key)
}
/** A label of a unit as makers print it: its article and its serial number. */
const unitLabel = (mpn: string, serial: string) => `[)>\u001e06${GS}1P${mpn}${GS}S${serial}\u001e\u0004`

describe('the scan station in a hurry', { skip: cannotBrowse }, () => {
  it('does what is scanned, answered and taken back one after the other, however fast it comes', async () => {
    const { pk, reference } = await order(digikey, [
      { sku: 'FAST-1-ND', name: 'Encoder', quantity: 2, isTrackable: true },
      { sku: 'FAST-2-ND', name: 'Fuse holder', quantity: 5 },
      { sku: 'FAST-3-ND', name: 'Spring', quantity: 9 },
    ])
    const page = await consoleOf(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 9').waitFor()
    await scanCode(page, digikeyLabel(reference, 'FAST-1-ND', 2))
    await scanCode(page, 'ENC-1')
    await scanCode(page, unitLabel('ENC', 'ENC-2'))
    await scanCode(page, digikeyLabel(reference, 'FAST-2-ND', 5))
    await scanCode(page, digikeyLabel(reference, 'FAST-3-ND', 9))
    // at once, while all that is still being done
    await page.keyboard.press('Alt+u')
    await page.keyboard.press('Alt+u')
    await says(page, 'Undone: Received 5 × Fuse holder into Shelf 3')
    assert.deepEqual(
      (await stockOf(pk)).map(({ name, serial }) => [name, serial]),
      [
        ['Encoder', 'ENC-1'],
        ['Encoder', 'ENC-2'],
      ],
    )
  })

  it('has the field of codes once a scan is answered', async () => {
    const wire = await stock(await part('Wire', { units: 'm' }), 12, shelf)
    const page = await consoleOf(service, 'member', '/scan/count/')
    await says(page, 'Ready to scan')
    await scanCode(page, `{"stockitem": ${wire}}`)
    await page.getByText('Enter alone confirms 12 m.').waitFor()
    await press(page, 'Enter')
    await says(page, 'Counted 12 m × Wire')
    await page.waitForFunction(() => document.activeElement?.matches('input[data-codes]'))
    const field = page.getByRole('textbox', { name: 'Scan or type a barcode' })
    await page.keyboard.type(`INV-SI${wire}`, { delay: DELAY + 50 })
    await press(page, 'Enter')
    await page.getByText('Enter alone confirms 12 m.').waitFor()
    await press(page, 'Enter')
    await page.getByText('Enter alone confirms 12 m.').waitFor({ state: 'detached' })
    assert.equal(await field.evaluate((input) => document.activeElement === input), true)
  })

  it('takes for a serial number only what is one, and each once', async () => {
    const { pk, reference } = await order(mouser, [{ sku: 'S-1', mpn: 'MOT-1', name: 'Motor', quantity: 2, isTrackable: true }])
    const page = await consoleOf(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 2').waitFor()
    await scanCode(page, mouserLabel(reference, 'MOT-1', 2))
    await says(page, 'Serial numbers for 2 × Motor')
    for (const wrong of [
      `{"stocklocation": ${shelf}}`,
      `INV-SL${shelf}`,
      mouserLabel(reference, 'MOT-1', 2),
      `010950600013435210L-5`,
    ]) {
      await scanCode(page, wrong)
      await says(page, 'This barcode has no serial number')
      await scanCode(page, 'M-100')
      await page.locator('.scan-question').getByText('1 of 2 scanned').waitFor()
    }
    await scanCode(page, 'M-100')
    await says(page, 'M-100 is already scanned')
    await assertAccessible(page)
    await looksAt(page, 'scan-serial-twice')
    await scanCode(page, `01095060001343521728123121M-101`)
    await says(page, 'Received 2 × Motor into Shelf 3')
    assert.deepEqual(
      (await stockOf(pk)).map(({ serial }) => serial),
      ['M-100', 'M-101'],
    )
  })

  it('asks at the label of another order for which it is received', async () => {
    const mine = await order(digikey, [{ sku: 'BOTH-ND', name: 'Knob', quantity: 10 }])
    const other = await order(digikey, [])
    const [sold] = await service.rows('select pk from supplier_part where "SKU" = \'BOTH-ND\'')
    const line = { order: other.pk, part: sold.pk, quantity: 4 }
    assert.equal((await service.superuser.post('/api/order/po-line/', line)).status, 201)
    const page = await consoleOf(service, 'member', `/scan/receive/?order=${mine.pk}&place=${shelf}`)
    await page.getByText('0 of 10').waitFor()
    await scanCode(page, digikeyLabel(other.reference, 'BOTH-ND', 4))
    await says(page, `This label belongs to ${other.reference}`)
    await assertAccessible(page)
    await looksAt(page, 'scan-other-order')
    assert.deepEqual([await stockOf(mine.pk), await stockOf(other.pk)], [[], []])
    await press(page, 'Enter')
    await says(page, 'Received 4 × Knob into Shelf 3')
    assert.deepEqual([(await stockOf(mine.pk)).length, (await stockOf(other.pk)).length], [0, 1])
    await scanCode(page, digikeyLabel(mine.reference, 'BOTH-ND', 6))
    await says(page, 'Received 6 × Knob into Shelf 3')
    assert.equal((await stockOf(mine.pk)).length, 1)
  })

  it('does not offer to make what is known, where only the order is not', async () => {
    const { reference } = await order(digikey, [{ sku: 'KNOWN-ND', name: 'Lens', quantity: 1 }])
    const page = await consoleOf(service, 'member', `/scan/receive/?place=${shelf}`)
    await page.getByText('Ready to scan').waitFor()
    await scanCode(page, digikeyLabel('PO-777777', 'KNOWN-ND', 1))
    await says(page, 'Purchase order PO-777777 does not exist')
    assert.equal(await newest(page).getByRole('link').count(), 0)
    await scanCode(page, digikeyLabel(reference, 'UNKNOWN-ND', 1))
    await newest(page).getByRole('link', { name: 'No supplier part matches' }).waitFor()
    // goods of one's own are not a delivery
    await scanCode(page, `{"part": ${await part('Old lens')}}`)
    await says(page, 'Old lens cannot be received')
    const item = await stock(await part('Older lens'), 3, shelf)
    await scanCode(page, `{"stockitem": ${item}}`)
    await says(page, '3 × Older lens is a stock item that is already in Stockroom. It cannot be received again.')
  })

  it('takes batch and quantity from a code of GS1, with and without what scanners put before and behind it', async () => {
    const gtin = '09506000134352'
    const { pk } = await order(mouser, [{ sku: gtin, name: 'Adhesive', quantity: 30 }])
    const page = await consoleOf(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 30').waitFor()
    await scanCode(page, `]C101${gtin}10LOT-9${GS}3012`, 'Tab')
    await says(page, 'Received 12 × Adhesive into Shelf 3')
    await scanCode(page, `01${gtin}10LOT-10${GS}308`, undefined)
    await says(page, 'Received 8 × Adhesive into Shelf 3')
    const batches = await service.rows('select batch, quantity::float from stock_item where purchase_order = $1 order by pk', [
      pk,
    ])
    assert.deepEqual(batches, [
      { batch: 'LOT-9', quantity: 12 },
      { batch: 'LOT-10', quantity: 8 },
    ])
  })

  it('counts a delivery once that two stations scan at the same moment, and each sees what the other did', async () => {
    const { pk, reference } = await order(digikey, [{ sku: 'TWO-ND', name: 'Bracket', quantity: 10 }])
    const stations = await Promise.all(
      (['member', 'superuser'] as const).map((caller) => consoleOf(service, caller, `/scan/receive/?order=${pk}&place=${shelf}`)),
    )
    const [one, two] = stations as [Page, Page]
    for (const page of stations) await page.getByText('0 of 10').waitFor()
    // both are there before one is answered
    let waiting = 0
    let goOn = () => {}
    const bothAsk = new Promise<void>((resolve) => {
      goOn = resolve
    })
    for (const page of stations) {
      await page.route('**/api/barcode/batch/', async (route) => {
        if (++waiting === 2) goOn()
        await bothAsk
        await route.continue()
      })
      await scanCode(page, digikeyLabel(reference, 'TWO-ND', 6))
    }
    for (const page of stations) await newest(page).locator('p').and(page.locator(':not(.scan-ready)')).waitFor()
    const said = await Promise.all(stations.map((page) => newest(page).textContent()))
    assert.equal(said.filter((text) => text?.includes('Received 6 × Bracket')).length, 1, said.join(' | '))
    assert.equal(said.filter((text) => text?.includes('6 × Bracket is a stock item')).length, 1, said.join(' | '))
    assert.equal((await stockOf(pk)).length, 1)
    for (const page of stations) await page.getByText('6 of 10').waitFor()
    // what one takes back that the other has moved on is refused, and says why
    const winner = said[0]?.includes('Received') ? one : two
    const [item] = await service.rows('select pk from stock_item where purchase_order = $1', [pk])
    await service.superuser.post('/api/stock/count/', { items: [{ pk: item.pk, quantity: 5 }] })
    await press(winner, 'Alt+u')
    await says(winner, 'Cannot undo this')
    assert.equal((await stockOf(pk)).length, 1)
  })

  it('says of what was asked and not answered that it is not done', async () => {
    const cable = await part('Litz wire', { units: 'm' })
    const [reel, other] = [await stock(cable, 40, shelf), await stock(cable, 7, shelf, { batch: 'rest' })]
    const page = await consoleOf(service, 'member', '/scan/count/')
    await page.getByText('Ready to scan').waitFor()
    await scanCode(page, `{"stockitem": ${reel}}`)
    await page.getByText('Expected: 40 m').waitFor()
    await scanCode(page, `{"stockitem": ${other}}`)
    await page.getByText('Expected: 7 m').waitFor()
    await journal(page).getByText('Discarded: How many of Litz wire?').waitFor()
    await press(page, 'Escape')
    await says(page, 'Discarded: How many of Litz wire?')
    assert.equal(await page.locator('.scan-question').count(), 0)
    const counted = await service.rows('select pk from stock_item where pk = any($1) and stocktake_date is not null', [
      [reel, other],
    ])
    assert.deepEqual(counted, [])
  })

  it('says what became of scans that waited when the next one is scanned, and takes back what was done', async () => {
    const { pk, reference } = await order(digikey, [
      { sku: 'LATE-1-ND', name: 'Gasket', quantity: 3 },
      { sku: 'LATE-2-ND', name: 'Valve', quantity: 2 },
    ])
    const page = await consoleOf(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 3').waitFor()
    await page.route('**/api/barcode/batch/', (route) => route.abort())
    await scanCode(page, digikeyLabel(reference, 'LATE-1-ND', 3))
    await says(page, 'Stored: it is sent when the connection is back')
    await page.unroute('**/api/barcode/batch/')
    await scanCode(page, digikeyLabel(reference, 'LATE-2-ND', 2))
    await journal(page).getByText('Received 3 × Gasket into Shelf 3').waitFor()
    await journal(page).getByText('Received 2 × Valve into Shelf 3').waitFor()
    await press(page, 'Alt+u')
    await newest(page)
      .getByText(/^Undone/)
      .waitFor()
    await press(page, 'Alt+u')
    await until(async () => (await stockOf(pk)).length === 0, 'both to be taken back')
  })

  it('says what was done in its order, whatever is read first of what that is called', async () => {
    const { pk, reference } = await order(digikey, [
      { sku: 'TURN-1-ND', name: 'Washer', quantity: 3 },
      { sku: 'TURN-2-ND', name: 'Nut', quantity: 2 },
    ])
    const page = await consoleOf(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 3').waitFor()
    await page.route('**/api/barcode/batch/', (route) => route.abort())
    await scanCode(page, digikeyLabel(reference, 'TURN-1-ND', 3))
    await says(page, 'Stored: it is sent when the connection is back')
    // the line of what waited is read late
    const held = Promise.withResolvers<void>()
    await page.route(
      /\/po-line\/\d+\//,
      async (route) => {
        await held.promise
        await route.continue()
      },
      { times: 1 },
    )
    await page.unroute('**/api/barcode/batch/')
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await until(async () => (await stockOf(pk)).length === 1, 'what waited to be sent')
    await scanCode(page, digikeyLabel(reference, 'TURN-2-ND', 2))
    await until(async () => (await stockOf(pk)).length === 2, 'the next to be received')
    // long enough for the next one to be said before it, were that not to wait
    await page.waitForTimeout(300)
    held.resolve()
    await newest(page).getByText('Received 2 × Nut into Shelf 3').waitFor()
    await journal(page).getByText('Received 3 × Washer into Shelf 3').waitFor()
    await press(page, 'Alt+u')
    await says(page, 'Undone: Received 2 × Nut into Shelf 3')
    await press(page, 'Alt+u')
    await until(async () => (await stockOf(pk)).length === 0, 'both to be taken back')
  })

  it('says that Caps Lock is on where it changed what was scanned', async () => {
    const page = await consoleOf(service, 'member', '/scan/')
    await page.getByText('Ready to scan').waitFor()
    const scanWith = (isLocked: boolean) =>
      page.evaluate((modifierCapsLock) => {
        for (const key of [...'inv-sl1', 'Enter'])
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, modifierCapsLock, bubbles: true, cancelable: true }))
      }, isLocked)
    await scanWith(true)
    await says(page, 'Caps Lock is on. Turn it off and scan again.')
    await scanWith(false)
    await newest(page).getByText('inv-sl1').waitFor()
  })

  it('is not put out by what browsers send that fill in a field by themselves', async () => {
    const page = await consoleOf(service, 'member', '/scan/')
    await page.getByText('Ready to scan').waitFor()
    await page.locator('input[data-search]').focus()
    // a keydown that is of no key
    await page.evaluate(() => document.activeElement?.dispatchEvent(new Event('keydown', { bubbles: true, cancelable: true })))
    await scanCode(page, `{"stocklocation": ${shelf}}`)
    await says(page, 'Shelf 3')
  })

  it('leaves what somebody fills in where it is', async () => {
    const page = await consoleOf(service, 'member', '/company/')
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
    // what is over the page, with nothing filled in, makes way
    await press(page, 'Control+k')
    await page.getByRole('dialog').waitFor()
    await scanCode(page, `{"stocklocation": ${shelf}}`)
    await page.waitForURL(`**/stock/location/${shelf}/`)
    await page.getByRole('heading', { name: 'Shelf 3' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
  })

  it('stays where somebody is asked something', async () => {
    const page = await consoleOf(service, 'member', `/stock/location/${shelf}/`)
    await page.getByRole('heading', { name: 'Shelf 3' }).waitFor()
    await press(page, 'Shift+D')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
    await scanCode(page, `{"stocklocation": ${shelf + 1}}`)
    await page.getByText('Save or close the form first').waitFor()
    assert.equal(new URL(page.url()).pathname, `/stock/location/${shelf}/`)
    assert.equal(await dialog.count(), 1)
  })

  it('has the beginning of what is scanned before the settings of the service have come', async () => {
    const page = await consoleOf(service, 'member', '/company/')
    await page.getByRole('button', { name: 'New company' }).first().waitFor()
    await page.waitForFunction(() => localStorage.getItem('stockroom.scanner') !== null)
    let answer = () => {}
    const waiting = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/web/settings/', async (route) => {
      await waiting
      await route.continue()
    })
    await page.reload()
    await page.getByRole('button', { name: 'New company' }).first().waitFor()
    await scanCode(page, `{"stocklocation": ${shelf}}`)
    await page.waitForURL(`**/stock/location/${shelf}/`)
    answer()
  })
})
