import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService()
const { body: company } = await service.member.post('/api/company/', { name: 'Halden Sensors', is_supplier: true })
const { body: order } = await service.member.post('/api/order/po/', { supplier: company.pk, reference: 'PO-0042' })

/** Records the methods of the requests with which the page creates or changes objects from now on. */
function recordWrites(page: Page): { methods: string[] } {
  const changes = { methods: [] as string[] }
  page.on('request', (request) => {
    const isRead = /\/(read|search)\/$/.test(new URL(request.url()).pathname)
    if (/^(POST|PATCH)$/.test(request.method()) && !isRead) changes.methods.push(request.method())
  })
  return changes
}

describe('cells', { skip: cannotBrowse }, () => {
  it('start editing on typing, as in a spreadsheet; outside of them the key is a shortcut of the page', async () => {
    await service.member.post('/api/company/contact/', { company: company.pk, name: 'Ada' })
    const page = await openConsole(service, 'member', `/company/${company.pk}/`)
    const contacts = page.getByRole('grid', { name: 'Contacts' })
    await contacts.getByText('Ada').waitFor()
    // arrows belong to the table below until it is known to have no rows
    await page.getByText('No supplied parts yet').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('n 2 returns')
    await page.keyboard.press('Enter')
    await contacts.locator('[data-at="0-1"]:not(.editing)').getByText('n 2 returns').waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    // two keys in immediate succession, as quick typists press them
    await contacts.locator('[data-at="0-1"]').focus()
    await page.evaluate(() => {
      for (const key of ['1', '2'])
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    })
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === '12')
    await page.keyboard.press('Escape')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('?')
    await page.getByText('letters and digits start editing').waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'New contact' }).waitFor()
  })

  it('receive the key that immediately follows the one that starts editing, while both could still be a scan', async () => {
    await service.member.post('/api/company/contact/', { company: company.pk, name: 'Zoe', phone: '40' })
    const page = await openConsole(service, 'member', `/company/${company.pk}/`)
    const contacts = page.getByRole('grid', { name: 'Contacts' })
    const row = contacts.getByRole('row').filter({ hasText: 'Zoe' })
    const phone = row.getByRole('gridcell').filter({ hasText: '40' })
    const pressKeys = async (...keys: string[]) => {
      for (const key of keys) {
        await page.keyboard.down(key)
        await page.keyboard.up(key)
      }
    }
    await phone.focus()
    await pressKeys('6', 'Escape')
    await contacts.locator('.cells-editor').waitFor({ state: 'detached' })
    await row.getByText('40', { exact: true }).waitFor()
    assert.equal(await phone.evaluate((cell) => cell === document.activeElement), true)
    await pressKeys('7', '8', 'Enter')
    await row.getByText('78', { exact: true }).waitFor()
    await contacts.locator('.cells-editor').waitFor({ state: 'detached' })
  })

  it('start editing on typing in lists, too', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('button', { name: 'Edit: Description' }).focus()
    await page.keyboard.type('new 3 reels')
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.keyboard.press('Enter')
    await saved
    await page.getByRole('gridcell', { name: 'new 3 reels' }).waitFor()
    assert.equal((await service.member.get(`/api/company/${company.pk}/`)).body.description, 'new 3 reels')
  })

  it("reject text that is not a number immediately, and accept numbers in the reader's format", async () => {
    const { body: line } = await service.member.post('/api/order/po-extra-line/', {
      order: order.pk,
      quantity: 1,
      description: 'Fracht',
    })
    const page = await openConsole(service, 'member', `/order/purchase-order/${order.pk}/`, { locale: 'de-DE' })
    const cell = page
      .getByRole('row', { name: /Fracht/ })
      .locator('td')
      .filter({ hasText: /^1$/ })
    await cell.click()
    const writes = recordWrites(page)
    await page.keyboard.type('1 Stück')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Gib eine Zahl ein, zum Beispiel 1,5.').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    assert.deepEqual(writes.methods, [])
    await assertAccessible(page)
    await capturePage(page, 'cell-number')
    // as the console itself formats five thousand
    await page.keyboard.press('Control+a')
    await page.keyboard.type('5.000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Mehrdeutige Zahl. Schreib 5000 oder 5,0.').waitFor()
    assert.deepEqual(writes.methods, [])
    await page.keyboard.press('Control+a')
    await page.keyboard.type('1,5')
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.keyboard.press('Enter')
    await saved
    await page.getByRole('gridcell', { name: '1,5', exact: true }).waitFor()
    assert.deepEqual(writes.methods, ['PATCH'])
    assert.equal((await service.member.get(`/api/order/po-extra-line/${line.pk}/`)).body.quantity, 1.5)
  })
})

describe('forms', { skip: cannotBrowse }, () => {
  it('are sent once, however often Enter is pressed', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('button', { name: 'New company' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Twice & Sons')
    const writes = recordWrites(page)
    await page.evaluate(async () => {
      const form = document.querySelector('dialog form') as HTMLFormElement
      for (let attempt = 0; attempt < 200 && form.isConnected; attempt++) {
        form.requestSubmit()
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })
    await page.getByRole('heading', { name: 'Twice & Sons' }).waitFor()
    assert.deepEqual(writes.methods, ['POST'])
  })
})
