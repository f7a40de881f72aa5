import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page, Response } from 'playwright-core'
import { hashPassword } from '../resources/user/password.ts'
import { startDemoWorkshop } from '../testing/objects/demo-workshop.ts'
import { preparePrinting } from '../testing/printing.ts'
import { PASSWORD, type TestService, testService } from '../testing/service.ts'
import { scaleTimeout } from '../testing/slowness.ts'
import { cannotBrowse, openConsole, waitUntilLoaded } from './testing/console.ts'
import { readRoutes } from './testing/routes.ts'

const ROUTES = readRoutes()

/** The list resource with the objects of a page, by the pattern of the page. */
const LIST_PATHS: Record<string, string> = {
  '/part/': '/api/part/',
  '/supplier-part/': '/api/company/part/',
  '/manufacturer-part/': '/api/company/part/manufacturer/',
  '/part/category/': '/api/part/category/',
  '/stock/item/': '/api/stock/',
  '/stock/location/': '/api/stock/location/',
  '/stock/count/': '/api/stock/location/',
  '/build/': '/api/build/',
  '/order/purchase-order/': '/api/order/po/',
  '/order/sales-order/': '/api/order/so/',
  '/order/return-order/': '/api/order/ro/',
  '/order/transfer-order/': '/api/order/transfer-order/',
  '/company/': '/api/company/',
  '/import/': '/api/importer/session/',
  '/settings/users/': '/api/user/',
  '/settings/groups/': '/api/user/group/',
  '/settings/security-events/': '/api/user/security-event/',
  '/settings/printers/': '/api/machine/',
  '/settings/plugins/': '/api/plugins/',
  '/settings/templates/label-part/': '/api/label/part/',
}
const SCAN_MODES = ['look-up', 'receive', 'move', 'count', 'pick', 'link']
/** A test visits some fifty pages. */
const LONG_TIMEOUT = { timeout: scaleTimeout(400_000) }
/** Number of objects that are visited per pattern. */
const OBJECTS_PER_PAGE = 2

type Reader = (path: string) => Promise<{ results: { pk: number; key?: string }[] }>

/** The URLs of a pattern: of its first objects, or of one that does not exist. */
async function listUrls(pattern: string, read: Reader): Promise<{ url: string; exists: boolean }[]> {
  if (pattern.includes(':kind')) return listUrls(pattern.replace(':kind', 'label-part'), read)
  if (pattern.includes(':mode')) return SCAN_MODES.map((mode) => ({ url: pattern.replace(':mode', mode), exists: true }))
  const [parameter] = /:\w+/.exec(pattern) ?? []
  if (parameter === undefined) return [{ url: pattern, exists: true }]
  const [start = ''] = pattern.split(parameter)
  const list = LIST_PATHS[start]
  assert.ok(list, `no list for the objects of ${pattern}`)
  const { results } = await read(`${list}?limit=${OBJECTS_PER_PAGE}`)
  if (results.length === 0) return [{ url: pattern.replace(parameter, '1'), exists: false }]
  return results.map(({ pk, key }) => ({
    url: pattern.replace(parameter, String(parameter === ':key' ? key : pk)),
    exists: true,
  }))
}

/** Error statuses in a response of the service, including those in a combined read. */
async function listFailures(response: Response): Promise<string[]> {
  const { pathname } = new URL(response.url())
  if (!pathname.startsWith('/api/')) return response.status() >= 400 ? [`${response.status()} ${pathname}`] : []
  if (response.status() >= 400) return [`${response.status()} ${pathname}`]
  if (pathname !== '/api/web/read/') return []
  const responses = Object.entries((await response.json()) as Record<string, { status: number }>)
  return responses.filter(([, { status }]) => status >= 400).map(([name, { status }]) => `${status} of ${name}`)
}

/** Visits every page, and collects the failures. An error in a script of a page fails the test by itself. */
async function visitAll(page: Page, read: Reader, checkText: (url: string, text: string) => void): Promise<string[]> {
  const problems: string[] = []
  for (const pattern of ROUTES)
    for (const { url, exists } of await listUrls(pattern, read)) {
      const responses: Response[] = []
      const collect = (response: Response) => responses.push(response)
      page.on('response', collect)
      await page.goto(url)
      await page.locator('main h1').first().waitFor()
      await waitUntilLoaded(page)
      page.off('response', collect)
      const failures = (await Promise.all(responses.map((response) => listFailures(response).catch(() => [])))).flat()
      const heading = await page.locator('main h1').first().innerText()
      const isMissing = heading === 'Page not found'
      if (exists && failures.length > 0) problems.push(`${url}: ${failures.join(', ')}`)
      if (exists === isMissing) problems.push(`${url}: has the heading ${heading}`)
      const text = await page.locator('body').innerText()
      if (/undefined|NaN|\[object |Invalid Date/.test(text)) problems.push(`${url}: shows ${text}`)
      checkText(url, text)
    }
  return problems
}

/** Buttons of the page whose text is truncated, overflows, or leaves the page. */
function findCutButtons(): string[] {
  const buttons = [...document.querySelectorAll<HTMLElement>('button, a.button')].filter(
    // the value of a cell is truncated on purpose
    (element) => !element.closest('td') && element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  )
  return buttons.flatMap((button) => {
    const { left, right, width } = button.getBoundingClientRect()
    const line = button.closest('.main-nav, .filter-bar, .table-scroll')
    const isCut = button.scrollWidth > button.clientWidth + 1 || button.scrollHeight > button.clientHeight + 1
    const isOutside = !line && width > 0 && (left < -1 || right > document.documentElement.clientWidth + 1)
    return isCut || isOutside ? [`${button.innerText.trim()} (${isCut ? 'cut' : 'outside'})`] : []
  })
}

const createReader =
  (service: TestService): Reader =>
  async (path) =>
    (await service.superuser.get(path)).body

/** A service with the demo data. */
async function startDemo() {
  const { app, pool } = await startDemoWorkshop(false)
  await app.listen({ port: 0, host: '127.0.0.1' })
  await pool.query(`insert into user_account (username, password, is_staff, is_superuser) values ('superuser', $1, true, true)`, [
    await hashPassword(PASSWORD),
  ])
  const authorization = `Basic ${Buffer.from(`superuser:${PASSWORD}`).toString('base64')}`
  const read: Reader = async (url) => (await app.inject({ url, headers: { authorization } })).json()
  return { service: { app } as TestService, read }
}
const demo = await startDemo()

describe('every page of the console', { skip: cannotBrowse }, () => {
  it('is in the router', () => {
    assert.ok(ROUTES.length > 25, ROUTES.join())
  })

  it('opens on an empty database with default settings', LONG_TIMEOUT, async () => {
    const service = await testService(await preparePrinting())
    const page = await openConsole(service, 'superuser', '/')
    assert.deepEqual(await visitAll(page, createReader(service), () => {}), [])
  })

  it('says nothing false about a few initial objects with default settings', LONG_TIMEOUT, async () => {
    const service = await testService(await preparePrinting())
    const create = async (path: string, body: object): Promise<number> => {
      const { status, body: created, text } = await service.superuser.post(path, body)
      assert.equal(status, 201, `${path} ${text}`)
      return created.pk ?? created[0].pk
    }
    const category = await create('/api/part/category/', { name: 'Fasteners' })
    const location = await create('/api/stock/location/', { name: 'Shelf A' })
    const flags = { assembly: true, purchaseable: true, salable: true }
    const part = await create('/api/part/', { name: 'Screw M3', category, ...flags })
    await create('/api/stock/', { part, quantity: 5, location })
    await create('/api/stock/', { part, quantity: 5, location, expiry_date: '2020-01-01' })
    const company = await create('/api/company/', {
      name: 'Bolt & Co',
      is_supplier: true,
      is_customer: true,
      is_manufacturer: true,
    })
    await create('/api/company/part/manufacturer/', { part, manufacturer: company, MPN: 'M3-10' })
    await create('/api/company/part/', { part, supplier: company, SKU: 'B-310' })
    await create('/api/order/po/', { reference: 'PO-0001', supplier: company })
    await create('/api/order/so/', { reference: 'SO-0001', customer: company })
    await create('/api/order/ro/', { reference: 'RMA-0001', customer: company })
    await create('/api/build/', { reference: 'BO-0001', part, quantity: 2, title: 'A few' })
    const page = await openConsole(service, 'superuser', '/')
    const falseClaims: string[] = []
    const checkText = (url: string, text: string) => {
      // the service does not track expiry with default settings; the page of the setting explains it
      if (url === '/settings/system/') return
      for (const claim of text.matchAll(/^.*(expire|expiry|stale).*$/gim)) {
        falseClaims.push(`${url}: ${claim[0]}`)
      }
    }
    assert.deepEqual(await visitAll(page, createReader(service), checkText), [])
    assert.deepEqual(falseClaims, [])
    // an old link to expired stock lists everything, and does not call it expired
    await page.goto('/stock/?stale=true&columns=part,expiry_date')
    await page.getByText('2 rows').waitFor()
    assert.equal(await page.getByText(/expire|expiry/i).count(), 0)
    await page.getByRole('button', { name: 'More filters' }).click()
    assert.equal(await page.getByLabel(/expire|project/i).count(), 0)
  })

  it('opens on the demo data, which covers every feature', LONG_TIMEOUT, async () => {
    const { service, read } = demo
    const page = await openConsole(service, 'superuser', '/')
    assert.deepEqual(await visitAll(page, read, () => {}), [])
    await page.goto('/')
    await page.getByRole('heading', { name: 'Expiring stock' }).waitFor()
    await page.getByRole('link', { name: 'Returns' }).first().waitFor()
  })

  it('has German buttons whose texts fit', LONG_TIMEOUT, async () => {
    const { service, read } = demo
    const page = await openConsole(service, 'superuser', '/', { locale: 'de-DE' })
    const cutButtons: string[] = []
    for (const pattern of ROUTES) {
      const [{ url } = { url: '/' }] = await listUrls(pattern, read)
      await page.goto(url)
      await page.locator('main h1').first().waitFor()
      await waitUntilLoaded(page)
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 })
        for (const button of await page.evaluate(findCutButtons)) cutButtons.push(`${url} at ${width}: ${button}`)
      }
    }
    assert.deepEqual(cutButtons, [])
  })
})
