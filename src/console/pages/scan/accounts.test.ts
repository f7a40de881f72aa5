import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { digikeyLabel, workshop } from '../../testing/deliveries.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()
const { place, supplier, order, stockOf, setting } = workshop(service)
await setting('BARCODE_INPUT_DELAY', 400)
const shelf = await place('Shelf 3')
const digikey = await supplier('DigiKey')

const BATCH = '**/api/barcode/batch/'
const findPendingScans = (page: Page) => page.locator('.scan-pending li')
const waitForText = (page: Page, text: string) => page.locator('.scan-newest').getByText(text).waitFor()
/** Reads the receipts of an order: user, part and quantity. */
const readReceipts = (pk: number) =>
  service.rows(
    `select account.username, part.name, item.quantity::float from stock_item item join part on part.pk = item.part
     join stock_tracking entry on entry.item = item.pk and entry.tracking_type = 70 join user_account account on account.pk = entry."user"
     where item.purchase_order = $1 order by item.pk`,
    [pk],
  )

async function signOut(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: username }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
}
async function signIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('pending scans and changing accounts', { skip: cannotBrowse }, () => {
  it('stay pending through a sign-out, are hidden from other accounts, and are sent once, for the account that made them', async () => {
    const { pk, reference } = await order(digikey, [
      { sku: 'OUT-1-ND', name: 'Diode', quantity: 20 },
      { sku: 'OUT-2-ND', name: 'Coil', quantity: 4 },
    ])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 20').waitFor()
    await page.route(BATCH, (route) => route.abort())
    await scanCode(page, digikeyLabel(reference, 'OUT-1-ND', 20))
    await waitForText(page, 'Stored: it is sent when the connection is back')
    await scanCode(page, digikeyLabel(reference, 'OUT-2-ND', 4))
    await page.getByRole('heading', { name: '2 pending scans' }).waitFor()
    await signOut(page, 'member')
    await page.unroute(BATCH)

    await signIn(page, 'superuser')
    await page.getByText('Ready to scan').waitFor()
    await scanCode(page, `{"stocklocation": ${shelf}}`)
    await waitForText(page, 'Location: Shelf 3')
    // only scans of this account are sent
    const batchRequest = page.waitForRequest(BATCH)
    await scanCode(page, digikeyLabel('PO-777777', 'NOBODY-ND', 1))
    assert.equal(((await batchRequest).postDataJSON() as { items: unknown[] }).items.length, 1)
    await waitForText(page, 'No supplier part matches this label')
    assert.equal(await findPendingScans(page).count(), 0)
    await page.goto('/company/')
    await page.getByRole('link', { name: 'DigiKey' }).waitFor()
    assert.equal(await page.getByText('pending scan').count(), 0)
    assert.deepEqual(await stockOf(pk), [])
    await signOut(page, 'superuser')

    await signIn(page, 'member')
    await waitUntil(async () => (await readReceipts(pk)).length === 2, 'the pending scans are not sent')
    assert.deepEqual(await readReceipts(pk), [
      { username: 'member', name: 'Diode', quantity: 20 },
      { username: 'member', name: 'Coil', quantity: 4 },
    ])
    await page.getByText('pending scan').waitFor({ state: 'detached' })
    // nothing is sent a second time
    await page.reload()
    await page.getByRole('link', { name: 'DigiKey' }).waitFor()
    const history = await service.superuser.get(`/api/barcode/history/?action=receive&search=${reference}`)
    assert.deepEqual(
      history.body.results.map((scan: { user: number; result: boolean }) => [scan.user, scan.result]),
      [
        [service.getPk('member'), true],
        [service.getPk('member'), true],
      ],
    )
  })

  it('record the response for an account that has signed out in the meantime', async () => {
    const { pk, reference } = await order(digikey, [{ sku: 'GONE-1-ND', name: 'Relay', quantity: 5 }])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 5').waitFor()
    const sentIds: string[] = []
    const release = Promise.withResolvers<void>()
    await page.route(BATCH, async (route) => {
      sentIds.push(...(route.request().postDataJSON() as { items: { id: string }[] }).items.map(({ id }) => id))
      const response = await route.fetch()
      await release.promise
      await route.fulfill({ response })
    })
    await scanCode(page, digikeyLabel(reference, 'GONE-1-ND', 5))
    await waitUntil(async () => (await readReceipts(pk)).length === 1, 'the scan is not processed')
    await signOut(page, 'member')
    const batchResponse = page.waitForResponse(BATCH)
    release.resolve()
    await (await batchResponse).finished()
    await signIn(page, 'member')
    await page.getByText('Ready to scan').waitFor()
    await scanCode(page, `{"stocklocation": ${shelf}}`)
    await waitForText(page, 'Location: Shelf 3')
    assert.equal(await findPendingScans(page).count(), 0)
    assert.equal(new Set(sentIds).size, sentIds.length, 'a scan was sent twice')
  })

  it('stay pending when the session has ended, even if another account signs in there', async () => {
    const { pk, reference } = await order(digikey, [{ sku: 'END-1-ND', name: 'Crystal', quantity: 7 }])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 7').waitFor()
    await service.rows('delete from user_session where "user" = $1', [service.getPk('member')])
    service.app.routes.services.accounts.invalidate()
    await scanCode(page, digikeyLabel(reference, 'END-1-ND', 7))
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.getByText('Your session has ended').or(dialog.getByLabel('Username')).first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'scan-session-ended')
    assert.deepEqual(await stockOf(pk), [])
    // nothing is sent after another account has signed in and before the console knows about it
    let releaseRead = () => {}
    const released = new Promise<void>((resolve) => {
      releaseRead = resolve
    })
    await page.route('**/api/web/read/', (route) => released.then(() => route.continue()))
    const readRequest = page.waitForRequest('**/api/web/read/')
    await signIn(page, 'superuser')
    await readRequest
    await page.evaluate(() => {
      window.dispatchEvent(new Event('online'))
      return fetch('/api/')
    })
    assert.deepEqual(await stockOf(pk), [])
    releaseRead()
    // another account is signed in: the page reloads
    await page.getByText('Ready to scan').waitFor()
    await page.getByText('0 of 7').waitFor()
    assert.equal(await findPendingScans(page).count(), 0)
    assert.deepEqual(await stockOf(pk), [])
    await signOut(page, 'superuser')
    await signIn(page, 'member')
    await page.getByText('7 of 7').waitFor()
    assert.deepEqual(await readReceipts(pk), [{ username: 'member', name: 'Crystal', quantity: 7 }])
  })

  it('are not attributed to an account that signs in in another window', async () => {
    const { pk, reference } = await order(digikey, [{ sku: 'WIN-1-ND', name: 'Antenna', quantity: 3 }])
    const page = await openConsole(service, 'member', `/scan/receive/?order=${pk}&place=${shelf}`)
    await page.getByText('0 of 3').waitFor()
    const otherPage = await page.context().newPage()
    await otherPage.goto('/company/')
    await otherPage.getByRole('link', { name: 'DigiKey' }).waitFor()
    await signOut(otherPage, 'member')
    // the page stays as it is for its account
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.waitFor()
    await signIn(otherPage, 'member')
    await dialog.waitFor({ state: 'detached' })
    await signOut(otherPage, 'member')
    await dialog.waitFor()
    await scanCode(page, digikeyLabel(reference, 'WIN-1-ND', 3))
    await signIn(otherPage, 'superuser')
    await page.getByRole('button', { name: 'superuser' }).waitFor()
    await page.getByText('0 of 3').waitFor()
    assert.deepEqual(await stockOf(pk), [])
    await signOut(otherPage, 'superuser')
    await signIn(otherPage, 'member')
    await waitUntil(async () => (await readReceipts(pk)).length === 1, 'the pending scans are not sent')
    assert.equal((await readReceipts(pk))[0].username, 'member')
  })
})
