import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../testing/console.ts'
import { scanCode } from '../testing/scanner.ts'
import { fillWorkshop } from '../testing/workshop.ts'

const service = await testService()
const { items } = await fillWorkshop(service)
const german = { locale: 'de-DE' }

describe('the console in German', { skip: cannotBrowse }, () => {
  it('explains fields, including rarely used ones', async () => {
    const page = await openConsole(service, 'member', '/company/', german)
    await page.getByRole('button', { name: 'Neue Firma' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Mehr', { exact: true }).click()
    await dialog.getByText('Die Währung, in der sie anbietet').waitFor()
    assert.doesNotMatch(String(await dialog.textContent()), /\b(the|whether|empty|which)\b/i)
    await assertAccessible(page)
    await capturePage(page, 'german-form')
  })

  it('explains why the service rejects a request', async () => {
    const page = await openConsole(service, 'member', '/company/', german)
    await page.getByRole('button', { name: 'Neue Firma' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-Mail').fill('niemand')
    await page.keyboard.press('Enter')
    await dialog.getByText('Gib eine gültige E-Mail-Adresse ein.').waitFor()
    await dialog.getByText('Dieses Feld darf nicht leer sein.').or(dialog.getByText('Dieses Feld ist erforderlich.')).waitFor()
    await capturePage(page, 'german-refusal')

    const itemPage = await openConsole(service, 'member', `/stock/item/${items.cable}/`, german)
    await itemPage.keyboard.press('r')
    const removal = itemPage.getByRole('dialog')
    await removal.getByLabel(/^Menge/).fill('100,5')
    await itemPage.keyboard.press('Enter')
    await removal.getByText('Nur 87,5 vorhanden.').waitFor()
  })

  it('explains why a scan did nothing, and translates notifications', async () => {
    await service.rows(
      `insert into notification ("user", category, name, message) select pk, 'part.notify_low_stock', 'Low stock', 'Felt is low on stock: 2.5 m in stock, minimum 5 m.'
       from user_account where username = 'member'`,
    )
    const page = await openConsole(service, 'member', '/scan/', german)
    await page.getByText('Bereit zum Scannen').waitFor()
    await scanCode(page, 'NOBODY-KNOWS-1')
    await page.locator('.scan-newest').getByText('Unbekannter Barcode').waitFor()
    await page.goto('/notifications/')
    await page.getByText('Felt hat niedrigen Bestand: 2.5 m auf Lager, Mindestbestand 5 m.').waitFor()
  })

  it('shows the names of keys as on a German keyboard', async () => {
    const page = await openConsole(service, 'member', '/company/', german)
    await page.getByRole('link', { name: 'Brightwell Components' }).waitFor()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Tasten' })
    for (const cap of ['Strg+K', 'Pos1', 'Ende', 'Bild']) await keys.getByText(cap, { exact: true }).first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'german-keys')
  })

  it('is loaded only when it is selected', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('heading', { name: 'Companies' }).waitFor()
    const resources = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    const before = await resources()
    assert.deepEqual(
      before.filter((name) => /\/de-/.test(name)),
      [],
    )
    await page.getByRole('button', { name: 'member' }).click()
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('heading', { name: 'Firmen' }).waitFor()
    const isLoaded = async () => (await resources()).some((name) => !before.includes(name) && /\/service-texts-/.test(name))
    await waitUntil(isLoaded, 'the German texts of the service are not loaded')
  })
})
