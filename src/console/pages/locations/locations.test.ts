import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder } from '../../../testing/files.ts'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })

describe('locations', { skip: cannotBrowse }, () => {
  it('show an empty state with a way to create one', async () => {
    const page = await openConsole(service, 'member', '/stock/location/')
    await page.getByText('No locations yet').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'locations-none')
    const viewerPage = await openConsole(service, 'viewer', '/stock/location/')
    await viewerPage.getByText('No locations yet').waitFor()
    assert.equal(await viewerPage.getByRole('button', { name: 'New location' }).count(), 0)
  })

  it('are a tree with keyboard navigation, and with its expanded locations in the URL', async () => {
    const { locations } = await fillWorkshop(service)
    const page = await openConsole(service, 'member', '/stock/location/')
    await page.getByRole('treeitem', { name: 'Store' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('treeitem', { name: 'Store', selected: true }).waitFor()
    // expands it, moves into it, and expands that
    await page.keyboard.press('ArrowRight')
    await page.getByRole('treeitem', { name: 'Shelf A' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('treeitem', { name: 'Shelf A', selected: true }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('treeitem', { name: 'Box 7' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'locations')
    const other = await openConsole(service, 'viewer', page.url())
    await other.getByRole('treeitem', { name: 'Box 7' }).waitFor()
    await page.getByRole('treeitem', { name: 'Shelf A' }).getByRole('link').click()
    await page.waitForURL(`**/stock/location/${locations.shelf}/`)
  })

  it('have a page with their stock and child locations, where they can be created and edited', async () => {
    const [shelf] = await service.rows("select pk from stock_location where name = 'Shelf A'")
    const page = await openConsole(service, 'member', `/stock/location/${shelf.pk}/`)
    await page.getByRole('heading', { name: 'Shelf A' }).waitFor()
    await page.getByText('6 rows').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'location')
    await page.getByLabel('including child locations').uncheck()
    await page.getByText('5 rows').waitFor()

    await page.keyboard.press('o')
    const dialog = page.getByRole('dialog', { name: 'New location' })
    await dialog.getByLabel('Name').fill('Box 8')
    await assertAccessible(page)
    await capturePage(page, 'location-new')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Box 8' }).waitFor()
    await page.getByText('No stock here').waitFor()
    await page.keyboard.press('e')
    await page.getByRole('dialog').getByLabel('Description').fill('Spare parts')
    await page.keyboard.press('Enter')
    await page.getByText('Saved').waitFor()
    await page.getByText('Spare parts').waitFor()
    assert.equal((await service.member.get('/api/stock/location/?name=Box 8')).body.results[0].description, 'Spare parts')
  })

  it("can be deleted right after the user's own change, before the page reloads", async () => {
    const { body: location } = await service.member.post('/api/stock/location/', { name: 'Box 9' })
    const page = await openConsole(service, 'member', `/stock/location/${location.pk}/`)
    await page.getByRole('heading', { name: 'Box 9' }).waitFor()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/web/read/', (route) => released.then(() => route.continue()))
    await page.keyboard.press('e')
    await page.getByRole('dialog').getByLabel('Description').fill('Soon gone')
    await page.keyboard.press('Enter')
    await page.getByText('Saved').waitFor()
    await page.keyboard.press('Shift+D')
    const deletion = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    assert.equal((await deletion).status(), 204)
    release()
    await page.waitForURL('**/stock/location/')
  })

  it('have a label to print', async () => {
    const [shelf] = await service.rows("select pk from stock_location where name = 'Shelf A'")
    const page = await openConsole(service, 'viewer', `/stock/location/${shelf.pk}/`)
    await page.getByRole('heading', { name: 'Shelf A' }).waitFor()
    await page.keyboard.press('Shift+P')
    const dialog = page.getByRole('dialog', { name: 'Print labels' })
    await dialog.getByLabel('Template').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'labels')
    await page.keyboard.press('Enter')
    const file = dialog.getByRole('link', { name: 'Open PDF' })
    await file.waitFor({ timeout: scaleTimeout(60_000) })
    const response = await page.request.get(String(await file.getAttribute('href')))
    assert.equal(response.headers()['content-type'], 'application/pdf')
  })

  it('keep the template and the printer of the last label, unless a printer is the default', async () => {
    const [shelf] = await service.rows("select pk from stock_location where name = 'Shelf A'")
    const page = await openConsole(service, 'viewer', `/stock/location/${shelf.pk}/`)
    const dialog = page.getByRole('dialog', { name: 'Print labels' })
    const openDialog = async () => {
      await page.goto(`/stock/location/${shelf.pk}/`)
      await page.getByRole('heading', { name: 'Shelf A' }).waitFor()
      await page.keyboard.press('Shift+P')
      await dialog.getByLabel('Template').waitFor()
      return [dialog.getByLabel('Template'), dialog.getByRole('combobox', { name: 'Print', exact: true })].map((field) =>
        field.locator('option:checked').innerText(),
      )
    }
    await openDialog()
    await dialog.getByLabel('Template').selectOption('QR and text')
    await dialog.getByRole('button', { name: 'Print 1 label' }).click()
    await dialog.getByRole('link', { name: 'Open PDF' }).waitFor({ timeout: scaleTimeout(60_000) })
    assert.deepEqual(await Promise.all(await openDialog()), ['QR and text', 'as a PDF'])
    await page.goto('/settings/display/')
    await page.getByLabel('Print labels', { exact: true }).selectOption('on the label printer')
    await page.getByText('Saved').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'display-printer')
    assert.deepEqual(await Promise.all(await openDialog()), ['QR and text', 'on the label printer'])
  })

  it('load in one round trip with their contents, as categories do', async () => {
    const page = await openConsole(service, 'member', '/')
    const requests: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) requests.push(pathname)
    })
    const { body: location } = await service.member.post('/api/stock/location/', { name: 'Loft' })
    const { body: category } = await service.member.post('/api/part/category/', { name: 'Feet' })
    const { body: part } = await service.member.post('/api/part/', {
      name: 'Rubber foot',
      description: '',
      category: category.pk,
    })
    await service.member.post('/api/stock/', { part: part.pk, quantity: 4, location: location.pk })
    const row = 'Rubber foot'
    for (const [path, title] of [
      [`/stock/location/${location.pk}/`, 'Loft'],
      [`/part/category/${category.pk}/`, 'Feet'],
    ] as const) {
      requests.length = 0
      await page.evaluate((url) => {
        const link = document.createElement('a')
        link.href = url
        document.querySelector('main')?.append(link)
        link.click()
      }, path)
      await page.getByRole('heading', { name: title }).waitFor()
      await page.getByRole('grid').getByRole('link', { name: row }).waitFor()
      assert.deepEqual(requests, ['/api/web/read/'], path)
      // each later search is a request of its own, including the return to the unfiltered list
      await page.getByPlaceholder('Search').fill('foot')
      await page.waitForURL('**/?search=foot')
      await page.getByRole('grid').getByRole('link', { name: row }).waitFor()
      await page.getByPlaceholder('Search').fill('')
      await page.waitForURL((url) => url.search === '')
      await page.getByRole('grid').getByRole('link', { name: row }).waitFor()
      assert.equal(requests.length, 3, requests.join(' '))
    }
  })
})

describe('a location with a thousand child locations', { skip: cannotBrowse }, () => {
  it('shows the first ones with their total, and loads the others on request', async () => {
    const [rack] = await service.rows("insert into stock_location (name, description) values ('Rack', '') returning pk")
    await service.rows(
      `insert into stock_location (name, description, parent) select 'Bin ' || lpad(i::text, 4, '0'), '', $1 from generate_series(1, 1000) i`,
      [rack.pk],
    )
    const page = await openConsole(service, 'member', `/stock/location/${rack.pk}/`)
    await page.getByRole('link', { name: 'all 1,000 locations' }).waitFor()
    assert.ok((await page.locator('.locations a').count()) < 100)
    await assertAccessible(page)
    await capturePage(page, 'location-thousand')
    await page.getByRole('link', { name: 'all 1,000 locations' }).click()
    await page.getByText('1,000 rows').waitFor()

    await page.goto(`/stock/location/?open=${rack.pk}`)
    await page.getByRole('button', { name: '800 more locations' }).waitFor()
    await page.getByRole('treeitem', { name: 'Bin 0200' }).waitFor()
    await assertAccessible(page)
    // Enter on the last line of the level loads the next ones
    await page.getByRole('treeitem', { name: 'Rack' }).click({ position: { x: 300, y: 10 } })
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('treeitem', { name: 'Bin 0200' }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: '800 more locations' }).click()
    await page.getByRole('treeitem', { name: 'Bin 0400' }).waitFor()
    await page.getByRole('button', { name: '600 more locations' }).waitFor()
  })
})
