import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testService } from '../../testing/service.ts'
import { cannotBrowse, capturePage, openConsole } from '../testing/console.ts'
import { scanCode } from '../testing/scanner.ts'
import { fillWorkshop } from '../testing/workshop.ts'

const service = await testService()
const { locations } = await fillWorkshop(service)
/** Seconds between two keys of a scanner. */
const PACES_SECONDS = [0.001, 0.02, 0.06, 0.15, 0.3]

/** The name of the focused field. */
const readFocusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const field = document.activeElement as HTMLInputElement
    return field.name || field.innerText
  })

describe('a scan into a form', { skip: cannotBrowse }, () => {
  it('fills the focused text field and moves to the next, at every pace', async () => {
    const page = await openConsole(service, 'member', '/company/')
    for (const pace of PACES_SECONDS)
      for (const end of ['Enter', 'Tab'] as const) {
        await page.goto('/company/')
        await page.getByRole('button', { name: 'New company' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Name').focus()
        await scanCode(page, 'ACME-4711', end, pace)
        const next = await readFocusedName(page)
        assert.notEqual(next, 'name', `${end} at ${pace}`)
        assert.equal(await dialog.getByLabel('Name').inputValue(), 'ACME-4711')
        await scanCode(page, 'L2031/88', end, pace)
        assert.equal(await dialog.locator(`[name="${next}"]`).inputValue(), 'L2031/88')
        assert.notEqual(await readFocusedName(page), next)
      }
    assert.equal((await service.member.get('/api/company/?search=ACME-4711')).body.count ?? 0, 0)
    // people submit it with Enter
    await page.getByRole('dialog').getByLabel('Name').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' Limited')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'ACME-4711 Limited' }).waitFor()
  })

  it('appends one serial number after the other, and submits nothing midway', async () => {
    const page = await openConsole(service, 'member', '/stock/')
    for (const pace of PACES_SECONDS)
      for (const end of ['Enter', 'Tab'] as const) {
        await page.goto('/stock/')
        await page.getByRole('button', { name: 'New stock' }).first().click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('combobox', { name: 'Part' }).fill('Door sensor')
        await page.getByRole('option', { name: 'Door sensor' }).click()
        await dialog.locator('[name=quantity]').fill('3')
        const field = dialog.locator('[name=serial_numbers]')
        await field.focus()
        for (const serial of ['W-903', 'W-904', 'W-905']) await scanCode(page, serial, end, pace)
        assert.equal(await field.inputValue(), 'W-903, W-904, W-905', `${end} at ${pace}`)
        await dialog.getByText('3: W-903, W-904, W-905').waitFor()
        assert.equal(await readFocusedName(page), 'serial_numbers')
      }
    await capturePage(page, 'scanned-serials')
    // more can be typed as usual
    const field = page.getByRole('dialog').locator('[name=serial_numbers]')
    await page.keyboard.type(',W-910')
    assert.equal(await field.inputValue(), 'W-903, W-904, W-905,W-910')
  })

  it('selects the scanned object in a picker', async () => {
    const page = await openConsole(service, 'member', '/stock/')
    await page.getByRole('button', { name: 'New stock' }).first().click()
    const dialog = page.getByRole('dialog')
    const locationField = dialog.locator('[name=location]')
    for (const pace of PACES_SECONDS) {
      await locationField.fill('')
      await locationField.focus()
      await scanCode(page, 'Box 7', 'Enter', pace)
      await page.waitForFunction(
        ([suffix]) => (document.querySelector('dialog [name=location]') as HTMLInputElement).value.endsWith(suffix as string),
        ['Box 7'],
      )
      assert.notEqual(await readFocusedName(page), 'location', String(pace))
      assert.equal(await dialog.count(), 1)
    }
  })

  it('keeps the control characters of a label', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('button', { name: 'New company' }).click()
    const name = page.getByRole('dialog').getByLabel('Name')
    for (const [pace, label] of [
      [0.001, ']d201040063813339311\u001d10ABC'],
      [0.1, '[)>\u001e06\u001dP296-ND\u001dQ10\u001e\u0004'],
    ] as const) {
      await name.fill('')
      await name.focus()
      await scanCode(page, label, 'Enter', pace)
      assert.equal(await name.inputValue(), label)
    }
  })

  it('is an action of the page if no text field has the focus', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('heading', { name: 'Companies' }).waitFor()
    await scanCode(page, `{"stocklocation": ${locations.box}}`)
    await page.waitForURL(`**/stock/location/${locations.box}/`)
    // the end of a scan does not press a focused button
    await page.goto('/company/')
    await page.getByRole('button', { name: 'New company' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Not yet')
    for (const pace of [0.001, 0.06, 0.3]) {
      await dialog.getByRole('button', { name: 'Create' }).focus()
      await scanCode(page, 'W-903', 'Enter', pace)
    }
    const { results } = (await service.member.get('/api/company/?limit=100')).body
    assert.ok(!results.some(({ name }: { name: string }) => name === 'Not yet'))
  })
})
