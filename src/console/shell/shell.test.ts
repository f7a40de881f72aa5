import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { testService } from '../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole, waitUntilLoaded } from '../testing/console.ts'
import { scanCode } from '../testing/scanner.ts'

const service = await testService()
await service.member.post('/api/company/', { name: 'Brightwell Components', description: 'Electronic parts by the reel' })

/** Signs in from a dialog, with the cookies of a session. */
async function signIn(page: Page, dialog: Locator, cookies: Parameters<BrowserContext['addCookies']>[0]): Promise<void> {
  await page.route('**/api/auth/login/', async (route) => {
    await page.context().addCookies(cookies)
    await route.fulfill({ status: 200, json: {} })
  })
  await dialog.getByLabel('Username').fill('member')
  await dialog.getByLabel('Password').fill('any')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
}

describe('the shell', { skip: cannotBrowse }, () => {
  it('finds any object and runs any command with Ctrl+K', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByText('1 row').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('bright')
    await page.getByRole('option', { name: 'Brightwell Components' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'palette')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Brightwell Components' }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Search and commands' }).count(), 0)

    await page.keyboard.press('Control+k')
    await page.keyboard.type('go comp')
    await page.getByRole('group', { name: 'Pages' }).getByRole('option', { name: 'Companies' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/company/')
    await page.getByRole('heading', { name: 'Companies' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Search and commands' }).waitFor({ state: 'detached' })
  })

  it('keeps what fast people type in the search, which still takes a scan', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByText('1 row').waitFor()
    const search = page.getByRole('combobox', { name: 'Search and commands' })
    const openSearch = async () => {
      await page.locator('.search-box').click()
      await search.and(page.locator(':focus')).waitFor()
    }
    for (const delay of [1, 40]) {
      await openSearch()
      await page.keyboard.type('brightwell', { delay })
      await page.getByRole('option', { name: 'Brightwell Components' }).waitFor()
      assert.equal(await search.inputValue(), 'brightwell')
      await page.keyboard.press('Escape')
      await search.waitFor({ state: 'detached' })
    }
    await openSearch()
    await scanCode(page, 'brightwell', 'Enter', 0.04)
    await page.getByRole('heading', { name: 'Brightwell Components' }).waitFor()
    await openSearch()
    await scanCode(page, 'no-such-code')
    await page.getByText('no-such-code').first().waitFor()
    assert.equal(await search.count(), 0)
  })

  it('shows a page with loaded code immediately, and sends no more requests for the previous one', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.locator('output.count').getByText('row').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByText('No parts yet').waitFor()
    const requestedPaths: string[] = []
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
    await page.evaluate(() => {
      const link = document.createElement('a')
      link.href = '/company/?ordering=name'
      document.body.append(link)
      link.click()
      link.remove()
    })
    assert.equal(await page.locator('h1').innerText(), 'Companies')
    await page.locator('output.count').getByText('row').waitFor()
    assert.ok(!requestedPaths.includes('/api/part/'), requestedPaths.join())
    const isInPage = () => document.getElementById('page')?.contains(document.activeElement)
    assert.ok(await page.evaluate(isInPage), `keys go to ${await page.evaluate(() => document.activeElement?.outerHTML)}`)
  })

  it('lists the shortcuts of the page after ?, without those the account cannot use', async () => {
    const page = await openConsole(service, 'viewer', '/company/')
    await page.getByText('1 row').waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Shortcuts' })
    await dialog.getByText('Next row').waitFor()
    assert.equal(await dialog.getByText('New company').count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'keys')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.waitForURL('**/company/')
  })

  it('has every entry in its header or in the menu next to it, at any window width', async () => {
    const page = await openConsole(service, 'superuser', '/company/')
    const header = page.getByRole('navigation', { name: 'Menu' })
    const moreButton = page.getByRole('button', { name: 'More pages' })
    await header.getByRole('link', { name: 'Companies' }).waitFor()
    for (const width of [1920, 1440, 1280, 1100, 1024, 800]) {
      await page.setViewportSize({ width, height: 900 })
      // once measured, no visible entry is truncated
      await page.waitForFunction(() => {
        const line = document.querySelector('.main-nav')?.getBoundingClientRect() as DOMRect
        const links = [...document.querySelectorAll<HTMLElement>('.main-nav a:not(.over)')]
        return links.length > 2 && links.every((link) => link.getBoundingClientRect().right <= line.right + 0.5)
      })
      const hidden = await page.locator('.main-nav a.over').allTextContents()
      assert.equal(await moreButton.count(), hidden.length > 0 ? 1 : 0, String(width))
      if (hidden.length === 0) continue
      await moreButton.click()
      assert.deepEqual(await page.locator('.main-nav-line .menu-content a').allTextContents(), hidden, String(width))
      await page.keyboard.press('Escape')
    }
    await moreButton.click()
    await assertAccessible(page)
    await page.locator('.main-nav-line .menu-content').getByRole('link', { name: 'Companies' }).click()
    await page.getByRole('heading', { name: 'Companies' }).waitFor()
    // entries in the menu do not scroll the others
    const scrollState = await page.locator('.main-nav').evaluate((line) => [line.scrollLeft, line.scrollWidth > line.clientWidth])
    assert.deepEqual(scrollState, [0, true])
    await capturePage(page, 'header')
  })

  it('keeps a key for the page that is loading, and runs no command of the previous one', async () => {
    const page = await openConsole(service, 'superuser', '/company/')
    await page.getByText('1 row').waitFor()
    const gate = Promise.withResolvers<void>()
    await page.route('**/console/*.js', async (route) => {
      await gate.promise
      await route.continue()
    })
    const codeRequest = page.waitForRequest('**/console/*.js')
    for (const key of ['g', 'p', 'n']) await page.keyboard.press(key)
    await codeRequest
    assert.equal(await page.locator('h1').innerText(), 'Companies')
    assert.equal(await page.getByRole('dialog').count(), 0)
    gate.resolve()
    await page.getByRole('dialog', { name: 'New part' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 1)
    assert.equal(new URL(page.url()).pathname, '/part/')
  })

  it('opens the search of the page that is loading, or another page without waiting for it', async () => {
    const page = await openConsole(service, 'superuser', '/company/')
    await page.getByText('1 row').waitFor()
    const gate = Promise.withResolvers<void>()
    await page.route('**/console/*.js', async (route) => {
      await gate.promise
      await route.continue()
    })
    for (const key of ['g', 'p', 'n', 'g', 's', '/']) await page.keyboard.press(key)
    gate.resolve()
    await page.getByRole('heading', { name: 'Stock', exact: true }).waitFor()
    await page.waitForFunction(() => document.activeElement?.matches('input[data-search]'))
    assert.equal(await page.getByRole('dialog').count(), 0)
  })

  it('cancels a search when its page is left', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('searchbox').waitFor()
    // the page stays until the code of the next one is loaded
    const gate = Promise.withResolvers<void>()
    await page.route('**/console/*.js', async (route) => {
      await gate.promise
      await route.continue()
    })
    // before the search starts
    await page.evaluate(() => {
      const field = document.querySelector('input[type=search]') as HTMLInputElement
      field.focus()
      field.value = 'a'
      field.dispatchEvent(new Event('input', { bubbles: true }))
      const link = document.createElement('a')
      link.href = '/order/sales-order/?search=hall'
      document.body.append(link)
      link.click()
    })
    // ends after the timer of the search
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    gate.resolve()
    await page.getByRole('heading', { name: 'Sales orders' }).waitFor()
    assert.equal(new URL(page.url()).search, '?search=hall')
  })

  it('reports an action that was done although its response was lost, if it is sent again with changes', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Lost answer')
    await page.route('**/api/company/', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('The service cannot be reached').waitFor()
    await page.unrouteAll()
    await dialog.getByLabel('Name').fill('Lost answer, edited')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Your first attempt was saved').waitFor()
    const { body } = await service.member.get('/api/company/?search=Lost&limit=5')
    assert.equal(body.count, 1)
    assert.equal((await service.superuser.delete(`/api/company/${body.results[0].pk}/`)).status, 204)
  })

  it('formats numbers in the base language if the browser requests an invalid variant of it', async () => {
    const page = await openConsole(service, 'member', '/notifications/')
    await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'en'] })`)
    await page.goto('/company/')
    await page.getByText('1 row', { exact: true }).waitFor()
  })

  it('reports an unknown URL, and a page without permission', async () => {
    const page = await openConsole(service, 'member', '/what/there/is/not')
    for (const url of ['/what/there/is/not', '/company/999/']) {
      await page.goto(url)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      await assertAccessible(page)
      await capturePage(page, 'not-found')
      await page.locator('main').getByRole('link', { name: 'Go to Home' }).click()
      await page.waitForURL((url) => url.pathname === '/')
    }
    const anonymous = await openConsole(service, 'nobody', '/company/')
    await anonymous.getByText('You do not have permission').waitFor()
  })

  it('labels the account button by its visible text, and ends the breadcrumbs with a name', async () => {
    const page = await openConsole(service, 'member', '/company/')
    const button = page.locator('.head-end .menu > button')
    await button.waitFor()
    const readLabels = async () => [await button.getAttribute('aria-label'), (await button.innerText()).trim()]
    assert.deepEqual(await readLabels(), ['member', 'member'])
    await service.rows(`update user_account set first_name = 'Ada', last_name = 'Moen' where username = 'member'`)
    service.app.routes.services.accounts.invalidate()
    await page.reload()
    await button.waitFor()
    assert.deepEqual(await readLabels(), ['Ada Moen (member)', 'Ada Moen'])
    await service.rows(`update user_account set first_name = '', last_name = '' where username = 'member'`)
    service.app.routes.services.accounts.invalidate()
    const { body } = await service.member.get('/api/company/?limit=1')
    await page.goto(`/company/${body.results[0].pk}/`)
    const crumbs = page.locator('.crumbs')
    await crumbs.waitFor()
    assert.equal(
      await crumbs.evaluate((element) => element.lastElementChild?.lastChild?.nodeType),
      3,
      'text comes last, not an arrow that leads nowhere',
    )
  })

  it('reports that the service is unreachable, and continues once it is reachable', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByText('1 row').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'New company' }).click()
    await page.getByLabel('Name').fill('Sent twice')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('This data may be out of date').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Sent twice' }).waitFor()
    await page.getByText('This data may be out of date').waitFor({ state: 'detached' })
  })

  it('keeps its content if a reload fails, and reloads when the browser is online again', async () => {
    const { pk } = (await service.member.post('/api/company/', { name: 'Reread' })).body
    for (const path of ['/company/?search=Reread', `/company/${pk}/`]) {
      const page = await openConsole(service, 'member', path)
      const name = page.locator('main').getByText('Reread').first()
      await name.waitFor()
      // including requests after the page itself
      await waitUntilLoaded(page)
      const waitForRead = () => page.waitForRequest((request) => /\/api\/(company|web\/read)\//.test(request.url()))
      await page.route(/\/api\/(company|web\/read)\//, (route) => route.abort())
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      // a list that has not loaded yet shows the error in its own place as well
      const toast = page.locator('.toasts').getByText('The service cannot be reached. Try again.')
      await toast.waitFor()
      assert.ok(await name.isVisible())
      await page.unrouteAll()
      const reading = waitForRead()
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await reading
      await page.getByText('This data may be out of date').waitFor({ state: 'detached' })
      await name.waitFor()
      // an error of some time ago closes with the page
      await page.clock.setFixedTime(Date.now() + 60_000)
      await page.getByRole('link', { name: 'Parts', exact: true }).first().click()
      await page.getByRole('heading', { name: 'Parts', exact: true }).waitFor()
      await toast.waitFor({ state: 'detached' })
    }
  })

  it('asks for a sign-in when the session has ended, ignores Escape there, and reloads the page', async () => {
    const { pk } = (await service.member.post('/api/company/', { name: 'Before the end' })).body
    const page = await openConsole(service, 'member', `/company/${pk}/`)
    await page.getByRole('heading', { name: 'Before the end' }).waitFor()
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.waitFor()
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape')
    assert.ok(await dialog.isVisible())
    await assertAccessible(page)
    await service.member.patch(`/api/company/${pk}/`, { name: 'After it' })
    await signIn(page, dialog, cookies)
    await page.getByRole('heading', { name: 'After it' }).waitFor()
  })

  it('reports an action that failed because the session had ended, in the dialog that retries it', async () => {
    const create = async (path: string, body: object) => (await service.member.post(path, body)).body.pk
    const category = await create('/api/part/category/', { name: 'Beads' })
    const pk = await create('/api/stock/', { part: await create('/api/part/', { name: 'Ferrite bead', category }), quantity: 8 })
    const page = await openConsole(service, 'member', `/stock/item/${pk}/`)
    await page.getByRole('heading', { name: 'Ferrite bead' }).waitFor()
    await page.keyboard.press('c')
    const countDialog = page.getByRole('dialog', { name: 'Count' })
    await countDialog.waitFor()
    await page.keyboard.type('7')
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.waitFor()
    await signIn(page, dialog, cookies)
    await countDialog.getByRole('alert').getByText('You were signed out, so nothing was changed. Try again.').waitFor()
    await countDialog.getByLabel('Quantity').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Counted: 7').waitFor()
  })

  it('opens the result that matches all input, even if Enter is pressed before it arrives', async () => {
    for (const name of ['Alder 1', 'Alder 12']) await service.member.post('/api/company/', { name, is_supplier: true })
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('heading', { name: 'Companies' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Alder 1')
    await page.getByRole('option', { name: /Alder 12/ }).waitFor()
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/search/', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    assert.equal(await page.getByRole('dialog').count(), 1)
    gate.resolve()
    await page.getByRole('heading', { name: 'Alder 12' }).waitFor()
  })

  it('finds stock with its quantity and unit, and distinguishes batches', async () => {
    const create = async (path: string, body: object) => (await service.member.post(path, body)).body.pk
    const part = await create('/api/part/', {
      name: 'Speaker cable',
      units: 'm',
      category: await create('/api/part/category/', { name: 'All' }),
    })
    for (const batch of ['C-41', 'C-42']) await create('/api/stock/', { part, quantity: 1500.5, batch })
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('heading', { name: 'Companies' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('C-41')
    const option = page.getByRole('option', { name: 'Speaker cable × 1,500.5 m' })
    await option.getByText('C-41').waitFor()
  })
})
