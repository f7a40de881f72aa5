import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD, testService } from '../../../testing/service.ts'
import { OTHER_HOST } from '../../testing/browser.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { digikeyLabel, workshop } from '../../testing/deliveries.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService({ ALLOWED_HOSTS: OTHER_HOST })
const { place, supplier, order, stockOf, setting } = workshop(service)
await setting('BARCODE_INPUT_DELAY', 400)
const shelf = await place('Shelf 3')
const digikey = await supplier('DigiKey')

describe('the console over plain HTTP, on a host other than localhost', { skip: cannotBrowse }, () => {
  it('works, and explains why it has no camera', async () => {
    const page = await openConsole(service, 'anonymous', '/scan/', { host: OTHER_HOST })
    assert.equal(await page.evaluate(() => window.isSecureContext), false)
    await page.getByLabel('Username').fill('member')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('The camera needs HTTPS').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Scan with camera' }).count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'scan-plain-http')
    await scanCode(page, `{"stocklocation": ${shelf}}`)
    await page.locator('.scan-newest').getByText('Shelf 3').waitFor()
    // creating, editing and searching
    await page.goto('/company/')
    await page.getByRole('button', { name: 'New company' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Brightwell Components')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Brightwell Components' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('shelf')
    await page
      .getByRole('option', { name: /Shelf 3/ })
      .first()
      .waitFor()
  })

  it('stores scans while the network is down, as over HTTPS', async () => {
    const { pk, reference } = await order(digikey, [{ sku: 'PLAIN-ND', name: 'Thermistor', quantity: 6 }])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`, { host: OTHER_HOST })
    await page.getByText('0 of 6').waitFor()
    await page.context().setOffline(true)
    await scanCode(page, digikeyLabel(reference, 'PLAIN-ND', 6))
    await page.locator('.scan-newest').getByText('Stored: it is sent when the connection is back').waitFor()
    assert.deepEqual(await stockOf(pk), [])
    await page.context().setOffline(false)
    await page.reload()
    await page.getByText('6 of 6').waitFor()
    assert.equal((await stockOf(pk)).length, 1)
  })
})
