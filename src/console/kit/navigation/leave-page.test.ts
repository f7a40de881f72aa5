import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { waitUntil } from '../../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { pressEnterImmediately } from '../../testing/keys.ts'

const service = await testService()
const { body: company } = await service.member.post('/api/company/', { name: 'Halden Sensors', is_supplier: true })
const listContacts = async (): Promise<{ name: string }[]> =>
  (await service.member.get(`/api/company/contact/?company=${company.pk}&ordering=name`)).body.results

/** Accessible name of the focused element. */
const getFocusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    return element.getAttribute('aria-label') ?? (element.innerText || element.getAttribute('name') || element.localName)
  })

async function assertFocused(page: Page, name: string): Promise<void> {
  await page
    .waitForFunction(
      (expected) => {
        const element = document.activeElement as HTMLElement
        return (element.getAttribute('aria-label') ?? (element.innerText || element.getAttribute('name'))) === expected
      },
      name,
      { timeout: scaleTimeout(4_000) },
    )
    .catch(async () => assert.equal(await getFocusedName(page), name))
}

describe('unsaved input', { skip: cannotBrowse }, () => {
  it('is not discarded by Escape or a click outside its window without confirmation; an untouched form closes immediately', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('button', { name: 'New company' }).first().waitFor()
    const dialog = page.getByRole('dialog', { name: 'New company' })
    await page.keyboard.press('n')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.keyboard.press('n')
    await dialog.getByLabel('Name', { exact: true }).waitFor()
    await page.keyboard.type('Tarn')
    await page.keyboard.press('Escape')
    const confirmation = page.getByRole('alertdialog', { name: 'Discard changes?' })
    await confirmation.waitFor()
    await assertFocused(page, 'Keep editing')
    await assertAccessible(page)
    await capturePage(page, 'drop')
    await page.keyboard.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    await assertFocused(page, 'name')
    await page.keyboard.type(' Tools')
    const name = dialog.getByLabel('Name', { exact: true })
    // the last key is delayed briefly, in case a scan begins with it
    await waitUntil(async () => (await name.inputValue()) === 'Tarn Tools', 'the text is not typed')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'detached' })
    await page.mouse.click(20, 700)
    await confirmation.waitFor()
    await confirmation.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await service.member.get('/api/company/?limit=1&search=Tarn')).body.count, 0)
  })

  it('is not discarded by a link or by Back without confirmation', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('link', { name: 'Halden Sensors' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Phone').fill('0041 22')
    await page.getByRole('link', { name: 'Parts', exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Discard changes?' })
    await dialog.waitFor()
    await assertAccessible(page)
    await capturePage(page, 'drop-page')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.evaluate(() => history.back())
    await dialog.waitFor()
    assert.equal(new URL(page.url()).pathname, `/company/${company.pk}/`)
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    assert.equal(await page.getByLabel('Phone').inputValue(), '0041 22')
    await page.evaluate(() => history.back())
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await page.waitForURL('**/company/')
    await page.getByRole('link', { name: 'Halden Sensors' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Phone').fill('1')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog', { name: 'Discard changes?' }).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByLabel('Phone').waitFor({ state: 'detached' })
    await assertFocused(page, 'Edit')
  })
})

describe('the focus', { skip: cannotBrowse }, () => {
  it('is on the cancel button when deleting, and then on the next row, the row before it, and the section heading', async () => {
    for (const name of ['Ada', 'Bo', 'Cleo']) await service.member.post('/api/company/contact/', { company: company.pk, name })
    const page = await openConsole(service, 'member', `/company/${company.pk}/`)
    const contacts = page.getByRole('grid', { name: 'Contacts' })
    await contacts.getByText('Cleo').waitFor()
    const remove = async (name: string) => {
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: `Delete ${name}?` }).waitFor()
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Enter')
      await contacts.getByText(name).waitFor({ state: 'detached' })
    }
    await contacts.getByRole('button', { name: 'Delete Bo' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await assertFocused(page, 'Delete Bo')
    assert.equal((await listContacts()).length, 3)
    await remove('Bo')
    await assertFocused(page, 'Delete Cleo')
    await remove('Cleo')
    await assertFocused(page, 'Delete Ada')
    await remove('Ada')
    await assertFocused(page, 'Contacts')
  })

  it('returns to the menu that opened a window, or to the page title when nothing was focused before', async () => {
    const { body: location } = await service.member.post('/api/stock/location/', { name: 'Shelf 9' })
    const page = await openConsole(service, 'member', `/stock/location/${location.pk}/`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await assertFocused(page, 'More')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('e')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await assertFocused(page, 'Shelf 9')
  })

  it('ignores a second Enter on the button that it returns to', async () => {
    const { body } = await service.member.post('/api/company/', { name: 'Finch & Daughters' })
    const page = await openConsole(service, 'member', `/company/${body.pk}/`)
    await page.getByRole('button', { name: 'New contact' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New contact' })
    await dialog.waitFor()
    await page.keyboard.type('Ada')
    const isIgnored = pressEnterImmediately(page, 'New contact')
    await page.keyboard.press('Enter')
    assert.equal(await isIgnored, true)
    await page.getByRole('row', { name: /Ada/ }).waitFor()
    assert.equal(await dialog.count(), 0)
    // later it works normally
    await page.waitForTimeout(600)
    await page.keyboard.press('Enter')
    await dialog.waitFor()
  })
})
