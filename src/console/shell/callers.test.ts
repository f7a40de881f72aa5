import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { groups } from '../../resources/web/demo/demo-accounts.ts'
import { PASSWORD, testService } from '../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole, waitUntilLoaded } from '../testing/console.ts'
import { workshop } from '../testing/deliveries.ts'

const service = await testService()
const { place, part, stock, supplier, order, sale } = workshop(service)
const shelf = await place('Shelf 3')
const lamp = await part('Lamp', { assembly: true })
const line = await service.superuser.post('/api/bom/', { part: lamp, sub_part: await part('Filament'), quantity: 1 })
assert.equal(line.status, 201, line.text)
const item = await stock(lamp, 5, shelf)
/** Target of actions that must not change the pages. */
const otherItem = await stock(lamp, 1, shelf)
const company = await supplier('DigiKey')
const purchaseOrder = await order(company, [{ sku: 'BULB-ND', name: 'Bulb', quantity: 5 }])
const spareOrder = await order(company, [{ sku: 'SPARE-ND', name: 'Spare bulb', quantity: 5 }])
const salesOrder = await sale(lamp, 2)
const buildResponse = await service.superuser.post('/api/build/', { part: lamp, quantity: 2, reference: 'BO-0001' })
assert.equal(buildResponse.status, 201, buildResponse.text)
const build = buildResponse.body.pk

/** Creates an account in one group of the demo workshop. */
async function createAccount(username: string, group: string): Promise<void> {
  await service.rows('insert into user_group (name) values ($1)', [group])
  for (const [role, rights] of Object.entries(groups.find(({ name }) => name === group)?.rights ?? {}))
    await service.rows(
      `update rule_set set can_add = $3, can_change = $4, can_delete = $5 from user_group
       where rule_set."group" = user_group.pk and user_group.name = $1 and rule_set.name = $2`,
      [group, role, ...(['add', 'change', 'delete'] as const).map((right) => rights.includes(right))],
    )
  await service.rows(
    `insert into user_account (username, password) select $1, password from user_account where username = 'member'`,
    [username],
  )
  await service.rows(
    `insert into user_group_member ("user", "group") select a.pk, g.pk from user_account a, user_group g where a.username = $1 and g.name = $2`,
    [username, group],
  )
}
await createAccount('storekeeper', 'Stores')
await createAccount('buyer', 'Purchasing')
service.app.routes.services.accounts.invalidate()

const CALLERS = ['storekeeper', 'buyer', 'viewer', 'staff', 'superuser'] as const
type Caller = (typeof CALLERS)[number]

/** The features, each with the first URL it loads. */
const FEATURES: Record<string, string> = {
  Parts: '/api/part/',
  Stock: '/api/stock/',
  Locations: '/api/stock/location/',
  'Build orders': '/api/build/',
  'Purchase orders': '/api/order/po/',
  'Sales orders': '/api/order/so/',
  Returns: '/api/order/ro/',
  Companies: '/api/company/',
}

/**
 * The buttons and shortcuts of pages, each with a request for its action that tests permissions only: an invalid body or version prevents
 * any visible change.
 */
const ACTION_REQUESTS: Record<string, Record<string, [method: string, path: string, body?: object]>> = {
  '/part/': { 'New part': ['POST', '/api/part/'] },
  [`/part/${lamp}/`]: {
    Edit: ['PATCH', `/api/part/${lamp}/`],
    Delete: ['DELETE', `/api/part/${lamp}/`],
    'New stock': ['POST', '/api/stock/'],
    'Create build order': ['POST', '/api/build/'],
    'Add parameter': ['POST', '/api/part/parameter/'],
    'Add related part': ['POST', '/api/part/related/'],
    'Record stock level': ['POST', '/api/part/stocktake/'],
    'Duplicate part': ['POST', '/api/part/'],
    'Add file': ['POST', '/api/attachment/', { model_type: 'part', model_id: 0 }],
  },
  [`/part/${lamp}/bom/`]: {
    'Create build order': ['POST', '/api/build/'],
    'Add component': ['POST', '/api/bom/'],
    'Validate BOM': ['PATCH', `/api/part/${lamp}/bom-validate/`, { valid: 'perhaps' }],
    'Import from file': ['POST', '/api/bom/import/upload/'],
    'Copy BOM': ['POST', `/api/part/${lamp}/bom-copy/`],
  },
  [`/part/${lamp}/prices/`]: {
    'Override price range': ['PATCH', `/api/part/${lamp}/pricing/`, { override_min: 'dear' }],
    Recalculate: ['PATCH', `/api/part/${lamp}/pricing/`, { override_min: 'dear' }],
    'New price': ['POST', '/api/part/internal-price/'],
  },
  [`/stock/item/${item}/`]: {
    Move: ['POST', '/api/stock/transfer/'],
    Count: ['POST', '/api/stock/count/'],
    Add: ['POST', '/api/stock/add/'],
    Remove: ['POST', '/api/stock/remove/'],
    'Change status': ['POST', '/api/stock/change_status/'],
    'Link barcode': ['POST', '/api/barcode/link/', { barcode: 'BOX OF {caller}', stockitem: otherItem }],
    'Print labels': ['GET', '/api/label/stock/'],
    Edit: ['PATCH', `/api/stock/${item}/`],
    Delete: ['DELETE', `/api/stock/${item}/`],
    'Add file': ['POST', '/api/attachment/', { model_type: 'stockitem', model_id: 0 }],
  },
  '/stock/location/': { 'New location': ['POST', '/api/stock/location/'] },
  [`/stock/location/${shelf}/`]: {
    'Count this location': ['POST', '/api/stock/count/'],
    'New stock': ['POST', '/api/stock/'],
    'New child location': ['POST', '/api/stock/location/'],
    'Edit location': ['PATCH', `/api/stock/location/${shelf}/`],
    Delete: ['DELETE', `/api/stock/location/${shelf}/`],
  },
  '/build/': { 'New build order': ['POST', '/api/build/'] },
  [`/build/${build}/`]: {
    'Allocate stock': ['POST', `/api/build/${build}/auto-allocate/`, { location: 999_999 }],
    'Create output': ['POST', `/api/build/${build}/create-output/`],
    'Complete build order': ['POST', `/api/build/${build}/finish/`],
    'Cancel build order': ['POST', `/api/build/${build}/cancel/`, { remove_allocated_stock: 'perhaps' }],
    Edit: ['PATCH', `/api/build/${build}/`],
  },
  '/order/purchase-order/': { 'New purchase order': ['POST', '/api/order/po/'] },
  [`/order/purchase-order/${purchaseOrder.pk}/`]: {
    Receive: ['POST', `/api/order/po/${purchaseOrder.pk}/receive/`],
    Complete: ['POST', `/api/order/po/${purchaseOrder.pk}/complete/`],
    // targets another order, as it would succeed
    'Cancel purchase order': ['POST', `/api/order/po/${spareOrder.pk}/cancel/`],
    'Edit purchase order': ['PATCH', `/api/order/po/${purchaseOrder.pk}/`],
    'Add line': ['POST', '/api/order/po-line/'],
    'Add other charge': ['POST', '/api/order/po-extra-line/'],
  },
  '/order/sales-order/': { 'New sales order': ['POST', '/api/order/so/'] },
  [`/order/sales-order/${salesOrder.pk}/`]: {
    Allocate: ['POST', `/api/order/so/${salesOrder.pk}/allocate/`],
    Complete: ['POST', `/api/order/so/${salesOrder.pk}/complete/`],
    'Edit sales order': ['PATCH', `/api/order/so/${salesOrder.pk}/`],
    'Add line': ['POST', '/api/order/so-line/'],
    'Add other charge': ['POST', '/api/order/so-extra-line/'],
  },
  '/company/': { 'New company': ['POST', '/api/company/'] },
  [`/company/${company}/`]: { Edit: ['PATCH', `/api/company/${company}/`] },
  '/scan/': {
    Receive: ['POST', '/api/barcode/po-receive/'],
    Move: ['POST', '/api/stock/transfer/'],
    Count: ['POST', '/api/stock/count/'],
    Pick: ['POST', '/api/barcode/so-allocate/'],
  },
}

/** Whether the API permits a request for an account. */
async function isAllowed(username: Caller, [method, url, body = {}]: [string, string, object?]): Promise<boolean> {
  const { statusCode } = await service.app.inject({
    method: method as 'POST',
    url,
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${PASSWORD}`).toString('base64')}`,
      // a version that does not match
      ...(method === 'DELETE' ? { 'if-match': '"0"' } : {}),
    },
    ...(method === 'GET' ? {} : { payload: JSON.parse(JSON.stringify(body).replace('{caller}', username)) }),
  })
  assert.ok(statusCode !== 401 && statusCode < 500, `${method} ${url}: ${statusCode}`)
  return statusCode !== 403
}

async function signIn(username: Caller): Promise<Page> {
  // wide enough for all features side by side
  const page = await openConsole(service, 'anonymous', '/', { viewport: { width: 1900, height: 900 } })
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: username }).waitFor()
  return page
}

/** The actions that a page offers, by buttons, menus, links and shortcuts. */
async function listOfferedActions(page: Page, path: string): Promise<Set<string>> {
  await page.goto(path)
  await page.locator('main h1').waitFor()
  await waitUntilLoaded(page)
  const main = page.locator('main')
  for (const menu of await main.getByRole('button', { name: 'More', exact: true }).all()) await menu.click()
  const texts = await main.locator('button, a.button').allInnerTexts()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Shortcuts' })
  await help.waitFor()
  const keys = await help.locator('dd').allInnerTexts()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  return new Set([...texts, ...keys].map((text) => text.split('\n')[0]?.trim() ?? ''))
}

describe('the console for each kind of account', { skip: cannotBrowse }, () => {
  for (const caller of CALLERS)
    it(`matches the permissions of ${caller}`, async () => {
      const page = await signIn(caller)
      const features = await page.locator('header nav').getByRole('link').allInnerTexts()
      const visibleFeatures = Object.keys(FEATURES).filter((name) => features.some((text) => text.trim() === name))
      const permittedFeatures: string[] = []
      for (const [name, path] of Object.entries(FEATURES))
        if (await isAllowed(caller, ['GET', path])) permittedFeatures.push(name)
      assert.deepEqual(visibleFeatures, permittedFeatures, 'features')
      const mismatches: string[] = []
      let offeredCount = 0
      for (const [path, requests] of Object.entries(ACTION_REQUESTS)) {
        const texts = await listOfferedActions(page, path)
        for (const [name, request] of Object.entries(requests)) {
          if (texts.has(name)) offeredCount++
          const isPermitted = await isAllowed(caller, request)
          if (texts.has(name) !== isPermitted)
            mismatches.push(`${path} ${name}: ${isPermitted ? 'is hidden' : 'is offered, and rejected'}`)
        }
      }
      assert.deepEqual(mismatches, [])
      if (caller === 'superuser') assert.equal(offeredCount, Object.values(ACTION_REQUESTS).flatMap(Object.keys).length)
      await page.goto('/')
      await page.locator('main h1').waitFor()
      await assertAccessible(page)
      await capturePage(page, `caller-${caller}`)
    })

  it('explains the missing permission if an account without a role opens a URL', async () => {
    const page = await signIn('staff')
    for (const path of [`/part/${lamp}/`, `/stock/item/${item}/`, `/order/purchase-order/${purchaseOrder.pk}/`]) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'You do not have permission to view this' }).waitFor()
      assert.equal(await page.getByText('You do not have permission to view this').count(), 1)
    }
    await page.goto('/')
    await page.getByText('No tasks for you').waitFor()
    assert.equal(await page.getByText('All done').count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'may-not-see')
  })
})
