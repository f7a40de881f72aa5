import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()
const create = async (path: string, body: object): Promise<number> => {
  const response = await service.superuser.post(path, body)
  assert.equal(response.status, 201, `${path} ${response.text}`)
  return response.body.pk ?? response.body[0].pk
}
const category = await create('/api/part/category/', { name: 'Finch resistors' })
const flags = { assembly: true, purchaseable: true, salable: true }
const part = await create('/api/part/', { name: 'Finch amplifier', category, ...flags })
for (let index = 1; index <= 12; index++) await create('/api/part/', { name: `Finch knob ${index}`, category })
const location = await create('/api/stock/location/', { name: 'Finch shelf' })
await create('/api/stock/', { part, quantity: 5, location })
const company = await create('/api/company/', {
  name: 'Finch Components',
  is_supplier: true,
  is_customer: true,
  is_manufacturer: true,
})
await create('/api/company/part/manufacturer/', { part, manufacturer: company, MPN: 'FINCH-M1' })
await create('/api/company/part/', { part, supplier: company, SKU: 'FINCH-S1' })
await create('/api/order/po/', { reference: 'PO-0001', supplier: company })
await create('/api/order/so/', { reference: 'SO-0001', customer: company })
await create('/api/order/ro/', { reference: 'RMA-0001', customer: company })
await create('/api/build/', { reference: 'BO-0001', part, quantity: 2, title: 'A few' })

const OBJECT_KINDS = [
  'Parts',
  'Stock items',
  'Locations',
  'Categories',
  'Purchase orders',
  'Sales orders',
  'Returns',
  'Build orders',
  'Companies',
  'Supplier parts',
  'Manufacturer parts',
]

describe('the search', { skip: cannotBrowse }, () => {
  it('is opened by the box in the header, Ctrl+K or /, and finds objects of every kind in groups', async () => {
    // a page without a search of its own
    const page = await openConsole(service, 'member', '/settings/profile/')
    const field = page.getByRole('combobox', { name: 'Search and commands' })
    const box = page.getByRole('banner').getByRole('button', { name: 'Search' })
    await box.click()
    await field.waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.locator('.search-box:focus').waitFor()
    await page.keyboard.press('/')
    await field.waitFor()
    await page.keyboard.press('Control+k')
    await field.waitFor({ state: 'detached' })
    // on a page with a search of its own, / goes there first
    await page.goto('/company/')
    await page.getByText('1 row').waitFor()
    await page.keyboard.press('/')
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('/')
    await field.waitFor()
    await page.keyboard.type('finch')
    await page.getByRole('option', { name: 'Finch amplifier' }).first().waitFor()
    const groups = await page
      .locator('.palette [role=group]')
      .evaluateAll((all) => all.map((group) => group.getAttribute('aria-label')))
    assert.deepEqual(groups.toSorted(), [...OBJECT_KINDS, 'Search'].toSorted())
    await page.locator('.palette-kind', { hasText: 'Parts' }).getByText('5 of 13').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'search')
    await page.getByRole('option', { name: 'FINCH-S1' }).click()
    await page.getByRole('heading', { name: 'FINCH-S1' }).waitFor()
  })

  it('finds pages by other words for them, also in German', async () => {
    const page = await openConsole(service, 'member', '/notifications/')
    const findPage = async (text: string, title: string, expectedUrl: string) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(text)
      const group = page.getByRole('group', { name: /^(Pages|Seiten)$/ })
      await group.getByRole('option', { name: title }).first().waitFor()
      await group.getByRole('option', { name: title }).first().click()
      await page.waitForURL((url) => url.pathname + url.search === expectedUrl)
    }
    await findPage('vendor', 'Suppliers', '/company/?is_supplier=true')
    await findPage('storage', 'Locations', '/stock/location/')
    await findPage('bin', 'Locations', '/stock/location/')
    await findPage('import', 'Assemblies', '/part/?assembly=true')
    await findPage('dark mode', 'Display', '/settings/display/')
    await findPage('VAT', 'Companies', '/company/')
    await findPage('tax', 'Suppliers', '/company/?is_supplier=true')
    await findPage('2FA', 'Security', '/settings/security/')
    const german = await openConsole(service, 'member', '/notifications/', { locale: 'de-DE' })
    await german.keyboard.press('Control+k')
    await german.keyboard.type('regal')
    await german
      .getByRole('group', { name: 'Seiten' })
      .getByRole('option', { name: /^Lagerorte/ })
      .waitFor()
    await german.keyboard.press('Control+a')
    await german.keyboard.type('händler')
    await german
      .getByRole('group', { name: 'Seiten' })
      .getByRole('option', { name: /^Lieferanten/ })
      .waitFor()
    await assertAccessible(german)
    await capturePage(german, 'search-german')
  })

  it('opens an object before a page that only other words find', async () => {
    const page = await openConsole(service, 'member', '/notifications/')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('shelf')
    await page.getByRole('group', { name: 'Pages' }).getByRole('option', { name: 'Locations' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Finch shelf' }).waitFor()
  })

  it('finds a single setting for staff, which its link opens, and none for others', async () => {
    const page = await openConsole(service, 'staff', '/notifications/')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('stale time')
    await page.getByRole('group', { name: 'Settings' }).getByRole('option', { name: 'Stock Stale Time' }).click()
    await page.getByLabel('Stock Stale Time', { exact: true }).waitFor()
    assert.equal(await page.locator('.setting').count(), 1)
    for (const words of ['two-factor', '2FA', 'second factor', 'authenticator']) {
      await page.goto('/notifications/')
      await page.keyboard.press('Control+k')
      await page.keyboard.type(words)
      await page.getByRole('group', { name: 'Settings' }).getByRole('option', { name: 'Enforce MFA' }).waitFor()
      await page.goto(`/settings/system/?search=${encodeURIComponent(words)}`)
      await page.getByLabel('Enforce MFA', { exact: true }).waitFor()
    }
    // those that only other programs use have no effect here
    await page.goto('/search/?q=supported+currencies')
    await page.getByText('No matches for “supported currencies”').waitFor()
    await page.goto('/settings/system/?search=vendor')
    await page.getByLabel('Purchase Order Reference Pattern').waitFor()

    const member = await openConsole(service, 'member', '/search/?q=stale+time')
    await member.getByText('No matches for “stale time”').waitFor()
    await assertAccessible(member)
  })

  it('finds users for staff, and none for others', async () => {
    const page = await openConsole(service, 'staff', '/notifications/')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('viewer')
    await page.getByRole('group', { name: 'Users' }).getByRole('option', { name: 'viewer' }).click()
    await page.getByRole('heading', { name: 'viewer' }).waitFor()
    assert.match(new URL(page.url()).pathname, /^\/settings\/users\/\d+\/$/)
    const member = await openConsole(service, 'member', '/search/?q=viewer')
    await member.getByText('No matches for “viewer”').waitFor()
  })

  it('opens the object of a scan, at the pace of a scanner', async () => {
    const page = await openConsole(service, 'member', '/notifications/')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).waitFor()
    await scanCode(page, JSON.stringify({ stocklocation: location }))
    await page.getByRole('heading', { name: 'Finch shelf' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.goto('/search/?q=finch')
    await page.getByRole('heading', { name: 'Parts (13)' }).waitFor()
    await scanCode(page, JSON.stringify({ part }))
    await page.getByRole('heading', { name: 'Finch amplifier' }).waitFor()
  })

  it('reports that the service cannot be reached, and continues with the next letter', async () => {
    const page = await openConsole(service, 'member', '/notifications/')
    await page.keyboard.press('Control+k')
    await page.route('**/api/search/', (route) => route.abort())
    await page.keyboard.type('finch amp')
    await page.getByRole('dialog').getByRole('alert').getByText('The service cannot be reached').waitFor()
    await page.unrouteAll()
    await page.keyboard.type('l')
    await page.getByRole('option', { name: 'Finch amplifier' }).first().waitFor()
    assert.equal(await page.getByRole('dialog').getByRole('alert').count(), 0)
  })
})

describe('the page of results', { skip: cannotBrowse }, () => {
  it('shows the results by kind with their numbers, and links to all of them', async () => {
    const page = await openConsole(service, 'member', '/notifications/')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('finch')
    await page.getByRole('option', { name: 'Show all results for “finch”' }).click()
    await page.waitForURL('**/search/?q=finch')
    await page.getByRole('heading', { name: 'Parts (13)' }).waitFor()
    for (const kind of OBJECT_KINDS)
      assert.equal(await page.getByRole('heading', { name: new RegExp(`^${kind} \\(`) }).count(), 1, kind)
    await assertAccessible(page)
    await capturePage(page, 'search-results')
    await page.getByRole('link', { name: 'Show all 13' }).click()
    await page.waitForURL('**/part/?search=finch')
    await page.getByText('13 rows').waitFor()
  })

  it('searches as one types, with the text in the address', async () => {
    const page = await openConsole(service, 'member', '/search/')
    await page.getByText('Enter a name, a number or a word').waitFor()
    await page.keyboard.type('finch sh')
    await page.getByRole('main').getByRole('link', { name: 'Finch shelf' }).waitFor()
    assert.equal(new URL(page.url()).search, '?q=finch+sh')
    await page.reload()
    await page.getByRole('main').getByRole('link', { name: 'Finch shelf' }).click()
    await page.getByRole('heading', { name: 'Finch shelf' }).waitFor()
  })

  it('shows kinds without a list of their own alone', async () => {
    const page = await openConsole(service, 'member', '/search/?q=finch&kind=supplierpart')
    await page.getByRole('heading', { name: 'Supplier parts (1)' }).waitFor()
    assert.equal(await page.getByRole('heading', { level: 2 }).count(), 1)
    await page.getByRole('link', { name: 'Show results of all types' }).click()
    await page.getByRole('heading', { name: 'Parts (13)' }).waitFor()
  })

  it('leaves out what the account cannot view', async () => {
    const page = await openConsole(service, 'nobody', '/search/?q=finch')
    await page.getByText('No matches for “finch”').waitFor()
  })
})

describe('the search on a phone', { skip: cannotBrowse }, () => {
  it('is opened by an icon, and is as wide as the window', async () => {
    const page = await openConsole(service, 'member', '/part/', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).tap()
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('finch')
    await page.getByRole('option', { name: 'Finch amplifier' }).first().waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})
