import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createObjectsAs } from '../../../testing/objects/creates.ts'
import { preparePrinting } from '../../../testing/printing.ts'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { createKeyCounter } from '../../testing/keys.ts'

const service = await testService()
const { member } = service

const create = createObjectsAs(member)
const formatDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('the home page', { skip: cannotBrowse }, () => {
  it('shows the set-up checklist for an empty database, according to the permissions', async () => {
    const page = await openConsole(service, 'member', '/')
    await page.getByRole('heading', { name: 'Set-up checklist' }).waitFor()
    await page.getByRole('link', { name: 'Locations' }).and(page.locator('.steps a')).waitFor()
    // steps of others say whose they are, and only staff dismisses the list
    assert.equal(await page.locator('.steps').getByRole('link', { name: 'Backups' }).count(), 0)
    await page.locator('.steps li', { hasText: 'Backups' }).getByText('Needs superuser status').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Dismiss' }).count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'home-empty')
    const staffPage = await openConsole(service, 'staff', '/')
    await staffPage
      .locator('.steps li', { hasText: 'Label printer' })
      .getByText('Needs Add permission for Administration')
      .waitFor()
    const viewerPage = await openConsole(service, 'viewer', '/')
    await viewerPage.getByText('There is no data yet.').waitFor()
    assert.equal(await viewerPage.locator('main').getByRole('link').count(), 0)
    await assertAccessible(viewerPage)
  })

  it('offers demo data to a superuser, without inviting to it, and loads it', async () => {
    const other = await testService(await preparePrinting())
    const page = await openConsole(other, 'superuser', '/company/')
    await page.getByRole('heading', { name: 'Companies' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    const button = page.getByRole('button', { name: 'Load demo data' })
    await button.waitFor()
    await assertAccessible(page)
    await capturePage(page, 'home-demo')
    // loading it cannot be undone: Enter, pressed once more after the sign-in, does not
    assert.equal(await button.and(page.locator(':focus')).count(), 0)
    await page.keyboard.press('Enter')
    assert.equal((await other.superuser.get('/api/web/demo/')).body.status, 'available')
    await button.click()
    await page.getByText(/Loading demo data… \d+ %/).waitFor()
    await assertAccessible(page)
    await page.getByRole('heading', { name: 'Due' }).waitFor({ timeout: scaleTimeout(100_000) })
    await page.getByRole('heading', { name: 'Low stock' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'home-workshop')
  })

  it('shows the progress of loading demo data from any page, and all of the data at the end', async () => {
    const other = await testService()
    // half of the data is loaded
    assert.equal((await other.superuser.post('/api/company/', { name: 'Half of the demo', is_supplier: true })).status, 201)
    await other.rows('insert into demo_run (percent) values (40)')
    const page = await openConsole(other, 'superuser', '/company/')
    await page.getByRole('link', { name: 'Half of the demo' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByText('Loading demo data… 40 %').waitFor()
    await page.reload()
    await page.getByText('Loading demo data… 40 %').waitFor()
    assert.equal(await page.getByText('All done').count(), 0)
    await other.rows('update demo_run set percent = 99')
    await page.getByText('Loading demo data… 99 %').waitFor()
    await other.rows('update demo_run set percent = 100, finished = now()')
    await page.getByText('All done').waitFor()
    // an aborted run is reported next to the loaded part
    await other.rows(`update demo_run set finished = null, percent = 40, error = ''`)
    await page.reload()
    await page.getByText('stopped part-way').waitFor()
    await page.getByText('All done').waitFor()
    await assertAccessible(page)
  })

  it('shows due orders, and orders low stock with 3 keys', async () => {
    const supplier = await create('/api/company/', {
      name: 'Brightwell Components, who have nearly everything that an instrument is made of',
      is_supplier: true,
      currency: 'EUR',
    })
    const category = await create('/api/part/category/', { name: 'Parts' })
    for (const [name, pack, units] of [
      ['Toggle switch with a name that is longer than most', '10'],
      ['Cable', '1', 'm'],
    ]) {
      const part = await create('/api/part/', { name, category, purchaseable: true, minimum_stock: 25, units })
      await create('/api/company/part/', { part, supplier, SKU: `BW-${pack}`, pack_quantity: pack })
    }
    const overdueOrder = await create('/api/order/po/', {
      reference: 'PO-9001',
      supplier,
      target_date: formatDay(-3),
      description: 'Knobs',
    })
    assert.equal((await member.post(`/api/order/po/${overdueOrder}/issue/`)).status, 201)
    await create('/api/order/po/', { reference: 'PO-9002', supplier, target_date: formatDay(0), description: 'Felt' })
    await create('/api/order/po/', {
      reference: 'PO-9003',
      supplier,
      target_date: formatDay(30),
      description: 'For another month',
    })

    const page = await openConsole(service, 'member', '/')
    await page.getByRole('heading', { name: 'Due' }).waitFor()
    const due = page.locator('section', { has: page.getByRole('heading', { name: 'Due' }) })
    assert.deepEqual(await due.locator('li a:first-child').filter({ hasText: 'PO-' }).allTextContents(), ['PO-9001', 'PO-9002'])
    await due.locator('.work-item', { hasText: 'PO-9002' }).getByText('Today').waitFor()
    assert.match(await page.locator('.work-item.inner', { hasText: 'Cable' }).innerText(), /0 in stock, minimum 25 m\s+25 m$/)
    await assertAccessible(page)
    await capturePage(page, 'home')

    // each button is as wide as its label, in German as well
    const felt = await create('/api/part/', { name: 'Felt', category, purchaseable: true, minimum_stock: 5 })
    const german = await openConsole(service, 'member', '/', { locale: 'de-DE' })
    await german.getByRole('link', { name: 'Lieferant' }).first().waitFor()
    assert.deepEqual(
      await german
        .locator('.work-item .button, .work-item button')
        .evaluateAll((buttons) =>
          buttons.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
        ),
      [],
    )
    await capturePage(german, 'home-german')
    await member.patch(`/api/part/${felt}/`, { active: false })
    assert.equal((await member.delete(`/api/part/${felt}/`)).status, 204)

    // a read-only account sees the same, without actions
    const viewerPage = await openConsole(service, 'viewer', '/')
    await viewerPage.getByText('2 parts to reorder').waitFor()
    assert.equal(await viewerPage.locator('.work-item').getByRole('button').count(), 0)
    assert.equal(await viewerPage.locator('main').getByRole('link', { name: 'Receive' }).count(), 0)

    const colleaguePage = await openConsole(service, 'superuser', '/')
    await colleaguePage.getByText('2 parts to reorder').waitFor()
    // skips the first two due orders, then presses Enter
    const keys = createKeyCounter(page)
    await keys.press('ArrowDown')
    await page.getByRole('link', { name: 'Receive' }).and(page.locator(':focus')).waitFor()
    await keys.press('End')
    await page.getByRole('button', { name: 'Order', exact: true }).and(page.locator(':focus')).waitFor()
    await keys.press('Enter')
    assert.equal(keys.pressed, 3)
    await page.waitForURL(/purchase-order\/\d+\/$/)
    await page.getByText('Pending', { exact: true }).waitFor()
    const { body } = await member.get(`/api/order/po-line/?order=${/(\d+)\/$/.exec(page.url())?.[1]}&ordering=quantity`)
    assert.deepEqual(
      body.results.map(({ quantity }: { quantity: number }) => quantity),
      [3, 25],
    )
    // a colleague with an outdated page cannot order it again
    await colleaguePage.getByRole('button', { name: 'Order', exact: true }).click()
    await colleaguePage.getByText('Someone else has ordered').waitFor()
    await colleaguePage.getByText('2 parts to reorder').waitFor({ state: 'detached' })
    assert.equal(
      (await member.get('/api/order/po/?status=10')).body.results.filter(
        ({ description }: { description: string }) => description === 'Low stock',
      ).length,
      1,
    )
    // stock on order is no longer low
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('heading', { name: 'Due' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Low stock' }).count(), 0)
  })

  it('links to rows beyond the limit, and to the dialog of the next action', async () => {
    const other = await testService()
    const createObject = async (path: string, body: object): Promise<number> => {
      const response = await other.member.post(path, body)
      assert.equal(response.status, 201, response.text)
      return (Array.isArray(response.body) ? response.body[0] : response.body).pk
    }
    const company = await createObject('/api/company/', { name: 'Songbird Audio', is_supplier: true, is_customer: true })
    const category = await createObject('/api/part/category/', { name: 'Instruments' })
    const shelf = await createObject('/api/stock/location/', { name: 'Shelf' })
    const [scarce, plenty] = [
      await createObject('/api/part/', { name: 'Robin, of which there are none', category, salable: true }),
      await createObject('/api/part/', { name: 'Wren, of which there are many', category, salable: true }),
    ]
    await createObject('/api/stock/', { part: plenty, quantity: 1_000, location: shelf })
    await other.superuser.patch('/api/settings/global/STOCK_ENABLE_EXPIRY/', { value: true })
    await createObject('/api/stock/', { part: plenty, quantity: 3, location: shelf, expiry_date: formatDay(-2), batch: 'old' })
    const sale = await createObject('/api/order/so/', { reference: 'SO-0001', customer: company, target_date: formatDay(2) })
    // lines without shortages come first, and there are more of them than the page shows
    for (const [part, count] of [
      [plenty, 120],
      [scarce, 30],
    ])
      await other.rows(
        `insert into sales_order_line ("order", part, quantity, shipped, sale_price_currency)
         select ${sale}, ${part}, 2, 0, 'EUR' from generate_series(1, ${count})`,
      )
    assert.equal((await other.member.post(`/api/order/so/${sale}/issue/`)).status, 201)
    await other.rows(
      `insert into return_order (reference, customer, status, target_date, creation_date, description, total_price_currency)
       select 'RMA-' || n, ${company}, 20, current_date - 1, current_date, '', 'USD' from generate_series(1001, 1028) n`,
    )
    const page = await openConsole(other, 'member', '/')
    const findSection = (name: string) => page.locator('section', { has: page.getByRole('heading', { name, exact: true }) })
    await findSection('Waiting for parts').getByText('5 more sales order lines').waitFor()
    assert.equal(await findSection('Waiting for parts').locator('.work-item:not(.rest)').count(), 25)
    assert.equal(await findSection('Waiting for parts').getByText('Wren').count(), 0)
    await findSection('Due').getByRole('link', { name: '3 more returns' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'home-rest')
    await findSection('Due').getByRole('link', { name: '3 more returns' }).click()
    await page.getByText('28 rows').waitFor()
    await page.goBack()
    // one key at the current row: allocate stock
    await findSection('Due')
      .locator('.work-item', { hasText: 'SO-0001' })
      .getByRole('link', { name: 'Allocate and ship' })
      .press('Enter')
    await page.getByRole('dialog', { name: 'Allocate stock' }).waitFor()
    assert.equal(new URL(page.url()).search, '')
    await page.goBack()
    await findSection('Expiring stock').getByRole('link', { name: 'All' }).click()
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.goBack()
    await findSection('Expiring stock').getByRole('link', { name: 'Review' }).press('Enter')
    await page.getByRole('dialog').getByLabel('Status').waitFor()
  })

  it('shows notifications, which a key marks as read', async () => {
    const other = await testService()
    const { body: part } = await other.superuser.post('/api/part/category/', { name: 'Parts' })
    assert.ok(part.pk)
    await other.rows(
      `insert into notification ("user", category, name, message) select pk, 'part.notify_low_stock', 'Low stock', 'Felt is low on stock: 2 in stock, minimum 5.'
       from user_account where username = 'member'
       union all select pk, 'label', 'The printer is back.', 'The printer is back.' from user_account where username = 'member'`,
    )
    await other.rows(
      `insert into notification ("user", category, name, message, creation)
       select pk, 'label', 'Old', 'Old ' || n, '2020-01-01' from user_account, generate_series(1, 9) n where username = 'member'`,
    )
    await other.member.post('/api/stock/location/', { name: 'Shelf' })
    const page = await openConsole(other, 'member', '/')
    await page.getByText('minimum 5').waitFor()
    assert.equal(await page.getByText('The printer is back.').count(), 1)
    // shows one sentence each, and only a few of them
    assert.equal(await page.locator('.home').getByText('Low stock', { exact: true }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Mark as read' }).count(), 5)
    assert.equal(await page.getByRole('link', { name: '6 more' }).getAttribute('href'), '/notifications/')
    await capturePage(page, 'home-news')
    await other.rows(`delete from notification where name = 'Old'`)
    await page.reload()
    await page.getByText('minimum 5').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('.work-item').nth(1).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    const patchUrls: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && patchUrls.push(request.url()))
    await page.keyboard.press('Enter')
    await page.evaluate(() => (document.activeElement as HTMLElement).click())
    await page.getByText('All done').waitFor()
    assert.equal(patchUrls.length, 1)
    assert.equal((await other.member.get('/api/notifications/?read=false')).body.count, 0)
    await assertAccessible(page)
  })
})
