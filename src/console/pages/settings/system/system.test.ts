import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { createFilesFolder } from '../../../../testing/files.ts'
import { createPurchaseHelpers } from '../../../../testing/objects/purchasing.ts'
import { testService } from '../../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../../testing/console.ts'

let isSourceUp = true
const source = createServer((_request, response) => {
  if (!isSourceUp) return void response.writeHead(500).end()
  response.end(`<Envelope><Cube><Cube time='2026-01-30'><Cube currency='USD' rate='1.25'/></Cube></Cube></Envelope>`)
})
await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
after(() => source.close())

const service = await testService({ DATA_DIR: createFilesFolder().dataDir, FETCH_ALLOWED_HOSTS: '127.0.0.1' })
const { staff, superuser } = service
const { supplier } = createPurchaseHelpers(service)
const readSetting = async (key: string) => (await staff.get(`/api/settings/global/${key}/`)).body.value
const readRates = async () => (await staff.get('/api/currency/exchange/')).body.exchange_rates
const listNames = async (path: string, field = 'name') =>
  (await superuser.get(path)).body.results.map((row: Record<string, unknown>) => row[field])

/** Shows the page, checks it, and takes its picture. */
async function inspect(page: Page, name: string): Promise<void> {
  await assertAccessible(page)
  await capturePage(page, name)
}

const deleteRow = async (page: Page, name: string) => {
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  return page.getByRole('dialog')
}

describe('the general settings', { skip: cannotBrowse }, () => {
  it('name the installation in the header, and in the title if that is on', async () => {
    const page = await openConsole(service, 'staff', '/settings/')
    await page.getByRole('main').getByRole('link', { name: 'General' }).click()
    const name = page.getByLabel('Server Instance Name', { exact: true })
    await name.fill('Songbird')
    await name.press('Enter')
    await page.getByRole('banner').getByText('Songbird').waitFor()
    assert.equal(await page.title(), 'General · Stockroom')
    await page.getByLabel('Use instance name').check()
    await page.waitForFunction(() => document.title === 'General · Songbird')
    // only other programs use it
    assert.equal(await page.getByLabel('Base URL', { exact: true }).count(), 0)
    const currency = page.getByLabel('Default Currency', { exact: true })
    await currency.selectOption('EUR')
    await page.getByRole('button', { name: 'Default Currency: Reset to US Dollar' }).click()
    await page.getByRole('button', { name: 'Default Currency: Reset to US Dollar' }).waitFor({ state: 'detached' })
    assert.equal(await currency.inputValue(), 'USD')
  })

  it('show a logo in the header and to anonymous visitors, until it is removed; a file of another type is rejected', async () => {
    const page = await openConsole(service, 'staff', '/settings/general/')
    await page.getByText('No logo yet').waitFor()
    await page.setInputFiles('input[type=file]', { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await page.getByRole('alert').waitFor()
    assert.equal((await service.anonymous.get('/api/web/instance/')).body.logo, null)
    const buffer = await sharp({ create: { width: 120, height: 60, channels: 4, background: '#0a7' } })
      .png()
      .toBuffer()
    await page.setInputFiles('input[type=file]', { name: 'logo.png', mimeType: 'image/png', buffer })
    await page.getByRole('main').getByRole('img', { name: 'Logo' }).waitFor()
    await page.locator('.brand img[src^="/api/web/logo/"]').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await inspect(page, 'general')
    const visitor = await page
      .context()
      .browser()
      ?.newPage({ baseURL: new URL(page.url()).origin })
    assert.ok(visitor)
    await visitor.goto('/')
    const logo = visitor.locator('h1 img[src^="/api/web/logo/"]')
    await logo.waitFor()
    assert.ok(await logo.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth === 120)))
    await visitor.getByRole('heading', { name: 'Songbird' }).waitFor()
    await page.getByRole('button', { name: 'Remove logo' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove logo' }).click()
    await page.getByText('No logo yet').waitFor()
    await page.locator('.brand img[src^="/api/web/logo/"]').waitFor({ state: 'detached' })
  })

  it('take effect immediately: a setting that hides a field', async () => {
    const category = (await service.member.post('/api/part/category/', { name: 'Screws' })).body.pk
    const created = await service.member.post('/api/part/', { name: 'Bolt', description: 'M4', category })
    assert.equal(created.status, 201, created.text)
    const part = created.body.pk
    const page = await openConsole(service, 'superuser', `/part/${part}/`)
    await page.getByRole('heading', { name: 'Bolt' }).waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('Name', { exact: true }).waitFor()
    await page.getByText('More', { exact: true }).first().click()
    await page.getByLabel('Revision', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.goto('/settings/system/?search=PART_ENABLE_REVISION')
    await page.getByLabel('Part Revisions').waitFor()
    // "saved" means: in effect in this window too, so the story holds the requests that read it
    const release = Promise.withResolvers<void>()
    const isRead = Promise.withResolvers<void>()
    await page.route('**/api/web/read/', async (route) => {
      isRead.resolve()
      await release.promise
      await route.continue()
    })
    await page.getByLabel('Part Revisions').uncheck()
    await isRead.promise
    assert.equal(await page.getByText('Part Revisions saved').count(), 0)
    release.resolve()
    await page.getByText('Part Revisions saved').waitFor()
    await page.evaluate((path) => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
    }, `/part/${part}/`)
    await page.getByRole('heading', { name: 'Bolt' }).waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('Name', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Revision', { exact: true }).count(), 0)
  })

  it('store the lines of the letterhead', async () => {
    const page = await openConsole(service, 'staff', '/settings/general/')
    const address = page.getByLabel('Company address')
    await address.fill('Zeisestraße 14')
    await address.press('Enter')
    await address.pressSequentially('22765 Hamburg')
    await address.blur()
    await page.getByText('Company address saved').waitFor()
    assert.equal(await readSetting('DOCUMENT_ADDRESS'), 'Zeisestraße 14\n22765 Hamburg')
    await page.getByLabel('Document language').selectOption('Deutsch')
    await page.getByText('Document language saved').waitFor()
    assert.equal(await readSetting('DOCUMENT_LANGUAGE'), 'de')
    await inspect(page, 'settings-letterhead')
  })
})

describe('the currencies', { skip: cannotBrowse }, () => {
  before(() =>
    staff.patch('/api/plugins/settings/inventreecurrencyexchange/SOURCE_URL/', {
      value: `http://127.0.0.1:${(source.address() as AddressInfo).port}/`,
    }),
  )

  it('are updated now, get a manual rate, and return to the live one', async () => {
    const page = await openConsole(service, 'staff', '/settings/currencies/')
    await page.getByText('Currency Exchange').first().waitFor()
    await page.getByRole('button', { name: 'Update now' }).click()
    const euro = page.getByRole('row').filter({ hasText: 'EUR' })
    await euro.getByText('0.8 EUR').waitFor()
    await euro.getByRole('button', { name: 'EUR: Set manual rate' }).click()
    const field = page.getByRole('dialog').getByLabel('1 USD in EUR')
    for (const wrong of ['0', 'abc']) {
      await field.fill(wrong)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').locator('[aria-invalid]').waitFor()
    }
    await field.fill('0.9123456789')
    await inspect(page, 'own-rate')
    await page.keyboard.press('Enter')
    await euro.getByText('0.9123456789 EUR').waitFor()
    await euro.getByText('Manual rate', { exact: true }).waitFor()
    assert.equal((await readRates()).EUR, 0.9123456789)
    await inspect(page, 'currencies')
    await euro.getByRole('button', { name: 'EUR: Use live rate' }).click()
    await euro.getByText('0.8 EUR').waitFor()
    assert.equal((await readRates()).EUR, 0.8)
  })

  it('say why an update failed, also after a reload, in German too', async () => {
    const page = await openConsole(service, 'staff', '/settings/currencies/')
    await page.getByRole('button', { name: 'Update now' }).waitFor()
    isSourceUp = false
    await page.keyboard.press('u')
    await page.getByRole('alert').getByText('could not be fetched: Currency Exchange:').waitFor()
    assert.equal(await page.locator('.toast.bad').count(), 0)
    await page.reload()
    await page.locator('p.problem').getByText('could not be fetched').waitFor()
    const german = await openConsole(service, 'staff', '/settings/currencies/', { locale: 'de-DE' })
    await german.locator('p.problem').getByText('fehlgeschlagen').waitFor()
    await inspect(german, 'currencies-failed')
    isSourceUp = true
    await german.getByRole('button', { name: 'Jetzt abrufen' }).click()
    await german.locator('p.problem').waitFor({ state: 'detached' })
  })
})

describe('the units', { skip: cannotBrowse }, () => {
  it('are added with an example of their conversion, edited and deleted; a wrong definition is rejected at its field', async () => {
    const page = await openConsole(service, 'staff', '/settings/units/')
    await page.getByText('No custom units yet').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('spool')
    await dialog.getByLabel('Definition').fill('100 nonsense')
    await dialog.getByRole('status').getByText('nonsense').waitFor()
    await page.keyboard.press('Enter')
    await dialog.locator('[name=definition][aria-invalid]').waitFor()
    assert.deepEqual(await listNames('/api/units/'), [])
    await dialog.getByLabel('Definition').fill('100 metre')
    await dialog.getByText('2.5 spool = 250 m').waitFor()
    await inspect(page, 'new-unit')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').filter({ hasText: 'spool' })
    await row.getByText('1 spool = 100 m').waitFor()
    await inspect(page, 'units')
    await row.getByText('100 metre').dblclick()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('50 metre')
    await page.keyboard.press('Enter')
    await row.getByText('1 spool = 50 m').waitFor()
    await staff.post('/api/units/', { name: 'pallet', definition: '20 spool' })
    const ask = await deleteRow(page, 'spool')
    await ask.getByRole('button', { name: 'Delete' }).click()
    await ask.locator('.problem').waitFor()
    assert.deepEqual(await listNames('/api/units/?ordering=name'), ['pallet', 'spool'])
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').last().fill('pallet')
    await page.getByText('1 spool = 50 m').waitFor({ state: 'detached' })
    await (await deleteRow(page, 'pallet')).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No matches').waitFor()
    assert.deepEqual(await listNames('/api/units/'), ['spool'])
  })
})

describe('the references', { skip: cannotBrowse }, () => {
  it('show the next one of a pattern while it is typed, and the error of a wrong one at its field', async () => {
    const page = await openConsole(service, 'staff', '/settings/references/')
    await page.getByText('Next reference: PO-0001').waitFor()
    const pattern = page.getByRole('textbox', { name: 'Purchase Order Reference Pattern' })
    await pattern.fill('B-{ref:06d}')
    await page.getByText('Next reference: B-000001').waitFor()
    assert.equal(await readSetting('PURCHASEORDER_REFERENCE_PATTERN'), 'PO-{ref:04d}')
    await inspect(page, 'references')
    await pattern.press('Enter')
    await page.getByText('Purchase Order Reference Pattern saved').waitFor()
    assert.equal(await readSetting('PURCHASEORDER_REFERENCE_PATTERN'), 'B-{ref:06d}')
    await pattern.fill('B-{number}')
    await page.getByRole('status').getByText("Unknown format key specified: 'number'").waitFor()
    await pattern.press('Enter')
    await page.getByRole('alert').getByText('Unknown format key').waitFor()
    assert.equal(await pattern.getAttribute('aria-invalid'), 'true')
    assert.equal(await page.getByText('Unknown format key').count(), 1)
    assert.equal(await readSetting('PURCHASEORDER_REFERENCE_PATTERN'), 'B-{ref:06d}')
    await pattern.press('Escape')
    await page.getByText('Next reference: B-000001').waitFor()
  })
})

describe('the project codes', { skip: cannotBrowse }, () => {
  it('are added, edited and deleted, and link to their orders', async () => {
    const project_code = (await staff.post('/api/project-code/', { code: 'WREN', description: 'Synthesizer' })).body.pk
    await superuser.post('/api/order/po/', { reference: 'B-000001', supplier: await supplier(), project_code })
    const page = await openConsole(service, 'superuser', '/settings/project-codes/')
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Project Code').or(dialog.getByLabel('Code')).first().fill('WREN')
    await page.keyboard.press('Enter')
    await dialog.locator('[aria-invalid]').waitFor()
    await dialog.getByLabel('Project Code').or(dialog.getByLabel('Code')).first().fill('FAIR')
    await page.keyboard.press('Enter')
    const fair = page.getByRole('row').filter({ hasText: 'FAIR' })
    await fair.getByText('Not used').waitFor()
    const wren = page.getByRole('row').filter({ hasText: 'WREN' })
    await inspect(page, 'project-codes')
    await wren.getByText('Synthesizer').dblclick()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Pocket synthesizer')
    await page.keyboard.press('Enter')
    await wren.getByText('Pocket synthesizer').waitFor()
    await (await deleteRow(page, 'FAIR')).getByRole('button', { name: 'Delete' }).click()
    await fair.waitFor({ state: 'detached' })
    const ask = await deleteRow(page, 'WREN')
    await ask.getByText('1 order loses its project code.').waitFor()
    await ask.getByRole('button', { name: 'Cancel' }).click()
    assert.deepEqual(await listNames('/api/project-code/', 'code'), ['WREN'])
    await wren.getByRole('link', { name: '1 purchase order' }).click()
    await page.getByRole('link', { name: 'B-000001' }).waitFor()
  })
})

describe('the location types', { skip: cannotBrowse }, () => {
  it('are added with an icon, edited and deleted by those with the right, and link to their locations', async () => {
    const location_type = (await service.member.post('/api/stock/location-type/', { name: 'Shelf', icon: 'ti:books' })).body.pk
    await service.member.post('/api/stock/location/', { name: 'Shelf A', location_type })
    const page = await openConsole(service, 'member', '/settings/location-types/')
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Crate')
    await dialog.getByLabel('Icon').selectOption('Box')
    await inspect(page, 'new-location-type')
    await dialog.getByLabel('Name').press('Enter')
    const crate = page.getByRole('row').filter({ hasText: 'Crate' })
    await crate.getByText('Not used').waitFor()
    assert.deepEqual(await listNames('/api/stock/location-type/?ordering=name', 'icon'), ['ti:box', 'ti:books'])
    await inspect(page, 'location-types')
    await crate.getByText('Box').dblclick()
    await page.getByLabel('Icon').selectOption('Vehicle')
    await crate.getByText('Vehicle').waitFor()
    await (await deleteRow(page, 'Crate')).getByRole('button', { name: 'Delete' }).click()
    await crate.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: '1 location' }).click()
    await page.getByRole('link', { name: 'Shelf A' }).click()
    await page.locator('.badge .icon').waitFor()
  })

  it('are only shown to those who can view them, and say who may', async () => {
    const page = await openConsole(service, 'viewer', '/settings/location-types/')
    await page.getByText('Shelf').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'New location type' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Delete Shelf' }).count(), 0)
    const other = await openConsole(service, 'nobody', '/settings/location-types/')
    await other.getByText('This page requires the permission to view stock locations').waitFor()
    assert.equal(await other.getByText('Shelf', { exact: true }).count(), 0)
  })
})

describe('the parameters', { skip: cannotBrowse }, () => {
  it('are templates with units and choices, and defaults of a category', async () => {
    const category = (await service.member.post('/api/part/category/', { name: 'Resistors' })).body.pk
    const page = await openConsole(service, 'member', '/settings/parameters/')
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Resistance')
    await dialog.getByLabel('Unit').fill('nonsense')
    await page.keyboard.press('Enter')
    await dialog.locator('[name=units][aria-invalid]').waitFor()
    assert.deepEqual(await listNames('/api/part/parameter/template/'), [])
    await dialog.getByLabel('Unit').fill('ohm')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').filter({ hasText: 'Resistance' })
    await row.first().waitFor()
    await page.getByLabel('Category', { exact: true }).fill('Resist')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/?category=${category}`)
    await page.getByLabel('Add parameter').fill('Resistance')
    await page.keyboard.press('Enter')
    const cell = page.getByRole('grid', { name: 'Default parameters' })
    await cell.getByRole('textbox').fill('10k')
    await page.keyboard.press('Enter')
    await cell.getByText('10k').waitFor()
    await inspect(page, 'parameters')
    assert.deepEqual(await listNames(`/api/part/category/parameters/?category=${category}`, 'default_value'), ['10k'])
    await page.getByRole('grid', { name: 'Parameter templates' }).getByRole('button', { name: 'Delete Resistance' }).click()
    const ask = page.getByRole('dialog')
    await ask.getByText('No category has this parameter any more.').waitFor()
    await ask.getByRole('button', { name: 'Cancel' }).click()
  })
})

describe('the pages about the installation', { skip: cannotBrowse }, () => {
  it('are for staff, and tell others so', async () => {
    const page = await openConsole(service, 'member', '/settings/')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Currencies' }).count(), 0)
    for (const path of ['general', 'currencies', 'units', 'references', 'project-codes']) {
      await page.goto(`/settings/${path}/`)
      await page.getByText('You do not have permission to use this page').waitFor()
      await page.getByText('This page needs an account with staff status').waitFor()
    }
  })
})
