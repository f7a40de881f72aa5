import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../testing/console.ts'

const service = await testService()

describe('the guides', { skip: cannotBrowse }, () => {
  it('are opened from the menu of the account, from the list of shortcuts, and by a command', async () => {
    const page = await openConsole(service, 'member', '/company/')
    const openGuides = async (act: () => Promise<void>) => {
      const [guides] = await Promise.all([page.context().waitForEvent('page'), act()])
      await guides.getByRole('heading', { name: 'Guides', level: 1 }).waitFor()
      await guides.close()
    }
    await page.getByRole('button', { name: 'member' }).click()
    await openGuides(() => page.getByRole('link', { name: 'Guides' }).click())
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await openGuides(() => page.getByRole('dialog').getByRole('link', { name: 'Guides' }).click())
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('open guides')
    await page.getByRole('option', { name: 'Open guides' }).waitFor()
    await openGuides(() => page.keyboard.press('Enter'))
  })

  it('can be read without an account, with their sections and neighbors', async () => {
    const page = await openConsole(service, 'anonymous', '/docs/')
    await assertAccessible(page)
    await capturePage(page, 'docs')
    await page.locator('.docs-cards').getByRole('link', { name: 'Getting started' }).click()
    await page.getByRole('heading', { name: 'Getting started', level: 1 }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'docs-getting-started')
    const sections = page.getByRole('navigation', { name: 'Contents' }).locator('[aria-current] + ul a')
    const title = await sections.nth(1).innerText()
    await sections.nth(1).click()
    const heading = page.getByRole('heading', { name: title, level: 2 })
    await page.waitForFunction(() => window.scrollY > 0)
    // the header does not cover it
    const top = await heading.evaluate((element) => element.getBoundingClientRect().top)
    assert.ok(top >= 49, String(top))
    await page.getByRole('navigation', { name: 'Previous and next' }).getByRole('link', { name: /^Next/ }).click()
    await page.getByRole('link', { name: 'Previous Getting started' }).click()
    await page.waitForURL('**/docs/getting-started/')
  })

  it('are searched with the keyboard', async () => {
    const page = await openConsole(service, 'anonymous', '/docs/')
    await page.keyboard.press('/')
    await page.keyboard.type('first account')
    const results = page.getByRole('region', { name: 'Results' })
    await results.getByRole('link', { name: 'Getting started: Create the first account' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'docs-search')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/getting-started/#create-the-first-account')
    await page.keyboard.press('/')
    await page.keyboard.type('qwertyuiop')
    await results.getByText('No matches').waitFor()
    await page.keyboard.press('Escape')
    await results.waitFor({ state: 'hidden' })
  })

  it('have the theme of the console', async () => {
    const page = await openConsole(service, 'anonymous', '/docs/')
    await page.getByRole('combobox', { name: 'Appearance' }).selectOption('dark')
    const readTheme = () => page.evaluate(() => document.documentElement.dataset.theme)
    assert.equal(await readTheme(), 'dark')
    await page.goto('/docs/getting-started/')
    assert.equal(await readTheme(), 'dark')
    await page.goto('/')
    await page.getByRole('heading').first().waitFor()
    assert.equal(await readTheme(), 'dark')
  })

  it('have their contents behind a button on a phone', async () => {
    const page = await openConsole(service, 'anonymous', '/docs/getting-started/', { viewport: { width: 390, height: 844 } })
    const contents = page.getByRole('navigation', { name: 'Contents' })
    assert.equal(await contents.isVisible(), false)
    await page.getByRole('button', { name: 'Contents' }).click()
    await contents.waitFor()
    await assertAccessible(page)
    if (process.env.CONSOLE_PICTURES) await page.screenshot({ path: `${process.env.CONSOLE_PICTURES}/docs-contents-phone.png` })
    await contents.locator('[aria-current] + ul a').first().click()
    await contents.waitFor({ state: 'hidden' })
  })

  it('are read without scripts, but for the search', async () => {
    const page = await openConsole(service, 'anonymous', '/docs/getting-started/', { javaScriptEnabled: false })
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Getting started' }).waitFor()
    assert.equal(await page.getByRole('searchbox').isVisible(), false)
  })
})
