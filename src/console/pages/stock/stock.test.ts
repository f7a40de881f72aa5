import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { locations, parts, items } = await fillWorkshop(service)

describe('the stock list', { skip: cannotBrowse }, () => {
  it('shows units, locations and statuses in a table, and filters by location', async () => {
    const page = await openConsole(service, 'member', '/stock/?in_stock=true')
    await page.getByText('6 rows').waitFor()
    await page.getByText('87.5 m', { exact: true }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'stock')
    await page.getByLabel('Location', { exact: true }).fill('box')
    await page.keyboard.press('Enter')
    await page.getByText('1 row', { exact: true }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('location'), String(locations.box))
    await page.locator('tbody').getByText('Attention needed').waitFor()
  })

  it('fills in the next serial numbers by a click on the hint that shows them', async () => {
    const page = await openConsole(service, 'member', '/stock/?in_stock=true')
    await page.getByRole('button', { name: 'New stock' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New stock' })
    await dialog.getByRole('combobox', { name: 'Part' }).fill('Door sensor')
    await page.getByRole('option', { name: /Door sensor/ }).click()
    await dialog.locator('[name=quantity]').fill('3')
    await dialog.getByText('Next serial number: 1003.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'next-serial')
    await dialog.getByRole('button', { name: 'Use 1003+' }).click()
    assert.equal(await dialog.locator('[name=serial_numbers]').inputValue(), '1003+')
    await dialog.getByText('3: 1003, 1004, 1005').waitFor()
  })

  it('moves an item by keyboard: its row, m, some letters of the location, and Enter twice', async () => {
    const page = await openConsole(service, 'member', `/stock/?in_stock=true&location=${locations.box}`)
    await page.getByText('1 row', { exact: true }).waitFor()
    let keys = 0
    const press = async (key: string) => {
      await page.keyboard.press(key)
      keys++
    }
    await press('m')
    await page.getByRole('dialog', { name: 'Move' }).waitFor()
    await assertAccessible(page)
    for (const letter of 'ben') await press(letter)
    await press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Bench')
    await capturePage(page, 'stock-move')
    await press('Enter')
    await page.getByText('12 m moved to Bench').waitFor()
    assert.ok(keys <= 6, `${keys} keys`)
    assert.equal((await service.member.get(`/api/stock/${items.oldCable}/`)).body.location, locations.bench)
    await page.getByText('No matches').waitFor()
  })

  it('opens a page with details, location, quantity, history, and actions by keys', async () => {
    const page = await openConsole(service, 'member', `/stock/item/${items.resistors}/`)
    await page.getByRole('heading', { name: 'Resistor 10 kΩ 0603' }).waitFor()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Quantity').fill('800')
    await page.keyboard.press('Enter')
    await page.getByText('800 added').waitFor()
    await page.getByText('balance 5,000').waitFor()
    // a billion is unusually large
    await page.keyboard.press('a')
    await dialog.getByLabel('Quantity').fill('1000000000')
    await page.keyboard.press('Enter')
    const confirmation = page.getByRole('dialog', { name: 'Enter 1,000,000,000? The previous quantity was 5,000.' })
    await confirmation.waitFor()
    // as in every dialog: the confirming button, then the one that goes back, which has the focus
    assert.deepEqual(await confirmation.locator('.buttons button').allTextContents(), ['Confirm', 'Check again'])
    await assertAccessible(page)
    await capturePage(page, 'doubt')
    await page.keyboard.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.keyboard.press('r')
    await dialog.getByLabel('Quantity').fill('99999')
    await page.keyboard.press('Enter')
    await page.getByText('more than').or(dialog.locator('.field-error, .problem')).first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.keyboard.press('s')
    await dialog.getByLabel('Status').selectOption('Quarantined')
    await page.keyboard.press('Enter')
    await page.getByText('Status: Quarantined').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'stock-item')
    const { body } = await service.member.get(`/api/stock/${items.resistors}/`)
    assert.deepEqual([body.quantity, body.status], [5000, 75])
  })

  it('adds stock, and edits it in place', async () => {
    const page = await openConsole(service, 'member', '/stock/')
    await page.getByText('6 rows').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'New stock' }).waitFor()
    await page.keyboard.type('cable')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('2,5')
    await assertAccessible(page)
    await capturePage(page, 'stock-new')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /Cable LiYCY/ }).waitFor()
    await page.getByText('2.5 m', { exact: true }).first().waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('Batch').fill('C-77')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /batch C-77/ }).waitFor()
  })

  it('adds stock with a preview of its serial numbers, in the default location of the part', async () => {
    await service.member.patch(`/api/part/${parts.sensor}/`, { default_location: locations.bench })
    const page = await openConsole(service, 'member', '/stock/')
    await page.getByText(/rows/).waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New stock' })
    await dialog.waitFor()
    assert.equal(await dialog.getByLabel('Serial numbers').count(), 0)
    await page.keyboard.type('s-door')
    await page.keyboard.press('Enter')
    await dialog.getByText('Next serial number: 1003.').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('2')
    await dialog.getByLabel('Serial numbers').fill('1003+')
    await dialog.getByText('2: 1003, 1004').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'stock-new-serials')
    await page.keyboard.press('Enter')
    await page.getByText('Stock created: 2').waitFor()
    const { results } = (await service.member.get(`/api/stock/?part=${parts.sensor}&location=${locations.bench}`)).body
    assert.deepEqual(results.map(({ serial }: { serial: string }) => serial).sort(), ['1003', '1004'])
    for (const { pk } of results) assert.equal((await service.member.delete(`/api/stock/${pk}/`)).status, 204)
  })

  it('offers no actions to a read-only account', async () => {
    const page = await openConsole(service, 'viewer', `/stock/item/${items.cable}/`)
    await page.getByRole('heading', { name: /Cable/ }).waitFor()
    for (const name of ['Move', 'Count', 'Add', 'Remove', 'More', 'Add file'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    await page.keyboard.press('m')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await assertAccessible(page)
    await page.goto('/stock/')
    await page.getByText(/rows/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'New stock' }).count(), 0)
  })

  it('saves, shares and deletes views', async () => {
    const page = await openConsole(service, 'member', `/stock/?in_stock=true&location=${locations.shelf}&ordering=-stock`)
    await page.getByText(/\d rows/).waitFor()
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByText('No saved views').waitFor()
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('View name').fill('Most on the shelf')
    await page.getByLabel('Share with everyone').check()
    await assertAccessible(page)
    await capturePage(page, 'views')
    await page.getByLabel('View name').press('Enter')
    await page.getByRole('link', { name: /Most on the shelf/ }).waitFor()

    const other = await openConsole(service, 'viewer', '/stock/')
    await other.getByRole('button', { name: 'Saved views' }).click()
    await other.getByRole('link', { name: 'Most on the shelf member' }).click()
    await other.waitForURL((url) => url.search === `?in_stock=true&location=${locations.shelf}&ordering=-stock`)
    assert.equal(await other.getByRole('button', { name: /^Delete/ }).count(), 0)
    await page.getByRole('button', { name: 'Delete Most on the shelf' }).click()
    await page.getByText('No saved views').waitFor()
  })
})

describe('an action on stock', { skip: cannotBrowse }, () => {
  const addStock = async (name: 'member' | 'superuser' = 'member') => {
    const { body } = await service.member.post('/api/stock/', { part: parts.resistor, quantity: 40, location: locations.bench })
    const pk = body[0]?.pk ?? body.pk
    const page = await openConsole(service, name, `/stock/item/${pk}/`)
    await page.getByRole('heading', { name: 'Resistor 10 kΩ 0603' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('dialog').getByLabel('Quantity').fill('2')
    await page.keyboard.press('Enter')
    await page.getByText('2 added').waitFor()
    const readQuantity = async () => (await service.member.get(`/api/stock/${pk}/`)).body.quantity
    assert.equal(await readQuantity(), 42)
    return { pk, page, readQuantity }
  }

  it('is undone by one key while its message is shown, and the page reloads', async () => {
    const { pk, page, readQuantity } = await addStock()
    await page.getByText('balance 42').waitFor()
    await page.keyboard.press('u')
    await page.getByText('Undone: 2 added').waitFor()
    await page.getByText('balance 40').first().waitFor()
    assert.equal(await readQuantity(), 40)
    await assertAccessible(page)
    await capturePage(page, 'stock-undone')
    // the key does not undo twice, and undoes nothing else
    await page.keyboard.press('u')
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
    const { count } = (await service.member.get(`/api/stock/track/?item=${pk}`)).body
    assert.equal(count, 3)
  })

  it("is not undone after another user's later change, with a message", async () => {
    const { pk, page, readQuantity } = await addStock()
    await service.superuser.post('/api/stock/count/', { items: [{ pk, quantity: 17 }] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(/Cannot undo\. .* has a quantity of 17 instead of 42/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
    assert.equal(await readQuantity(), 17)
  })
})

describe('batch actions on stock items', { skip: cannotBrowse }, () => {
  /** Selects the first ten rows by keyboard. */
  const selectTenRows = async (path: string) => {
    const page = await openConsole(service, 'member', path)
    await page.getByText('12 rows').waitFor()
    for (let row = 1; row < 10; row++) await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('10 rows selected').waitFor()
    return page
  }
  const BATCH_FIELDS = { part: parts.resistor, batch: 'ten' }

  it('move all of them by one key, some letters and Enter twice, with a note', async () => {
    for (let item = 1; item <= 12; item++) {
      const { status } = await service.member.post('/api/stock/', {
        ...BATCH_FIELDS,
        quantity: item + 0.5,
        location: locations.bench,
      })
      assert.equal(status, 201)
    }
    const page = await selectTenRows('/stock/?in_stock=true&batch=ten&ordering=stock')
    await assertAccessible(page)
    await capturePage(page, 'stock-chosen')
    const idempotencyKeys: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/stock/transfer/')) idempotencyKeys.push(String(request.headers()['idempotency-key']))
    })
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: 'Move' })
    await dialog.waitFor()
    await page.keyboard.type('box')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value.endsWith('Box 7'))
    await assertAccessible(page)
    await capturePage(page, 'stock-move-many')
    await page.keyboard.press('Enter')
    await page.getByText('10 items moved to Box 7').waitFor()
    await page.getByText(/rows selected/).waitFor({ state: 'detached' })
    assert.equal(idempotencyKeys.length, 1)
    const { results } = (await service.member.get(`/api/stock/?batch=ten&location=${locations.box}&ordering=stock`)).body
    assert.deepEqual(
      results.map(({ quantity }: { quantity: number }) => quantity),
      Array.from({ length: 10 }, (_, index) => index + 1.5),
    )
  })

  it('set one status for all, remove quantities line by line, and show each error at its line', async () => {
    const page = await selectTenRows('/stock/?in_stock=true&batch=ten&ordering=stock')
    await page.keyboard.press('s')
    await page.getByRole('dialog').getByText('and 5 more').waitFor()
    await page.getByRole('dialog').getByLabel('Status').selectOption('Attention needed')
    await page.keyboard.press('Enter')
    await page.getByText('Status: Attention needed').waitFor()
    const { count } = (await service.member.get('/api/stock/?batch=ten&status=50')).body
    assert.equal(count, 10)

    await page.getByText(/rows selected/).waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 rows selected').waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Remove' })
    await dialog.waitFor()
    await page.keyboard.type('0,25')
    await page.keyboard.press('Enter')
    await page.keyboard.type('99')
    await page.keyboard.press('Enter')
    await dialog.locator('tr.has-difference').waitFor()
    assert.equal(await dialog.locator('tr.has-difference').count(), 1)
    await capturePage(page, 'stock-remove-many')
    await dialog.getByRole('textbox').nth(1).fill('0,5')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Stock removed from 2 items').waitFor()
    const { results } = (await service.member.get('/api/stock/?batch=ten&ordering=stock&limit=2')).body
    assert.deepEqual(
      results.map(({ quantity }: { quantity: number }) => quantity),
      [1.25, 2],
    )
    // one key undoes an action on several items
    await page.locator('.toast', { hasText: 'Stock removed from 2 items' }).getByRole('button', { name: 'Undo' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'stock-undo-many')
    await page.keyboard.press('u')
    await page.getByText('Undone: Stock removed from 2 items').waitFor()
    const restoredItems = (await service.member.get('/api/stock/?batch=ten&ordering=stock&limit=2')).body.results
    assert.deepEqual(
      restoredItems.map(({ quantity }: { quantity: number }) => quantity),
      [1.5, 2.5],
    )
    await page.getByRole('row').filter({ hasText: '1.5' }).first().waitFor()
    // the status set before that can be undone as well
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('Undo: Status: Attention needed')
    await page.getByRole('option', { name: /Status: Attention needed/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Undone: Status: Attention needed').waitFor()
    assert.equal((await service.member.get('/api/stock/?batch=ten&status=50')).body.count, 0)
  })

  it('ask to confirm unusually large quantities, each with its previous one', async () => {
    const page = await selectTenRows('/stock/?in_stock=true&batch=ten&ordering=stock')
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog', { name: 'Add' })
    await dialog.waitFor()
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await page.keyboard.type('123456')
    await page.keyboard.press('Control+Enter')
    const confirmation = page.getByRole('dialog', { name: 'Confirm the quantity' })
    await confirmation.getByText('Resistor 10 kΩ 0603: Enter 123,456? The previous quantity was 2.5.').waitFor()
    assert.equal(await confirmation.getByRole('listitem').count(), 1)
    await assertAccessible(page)
    await capturePage(page, 'stock-doubt-many')
    await page.keyboard.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    const readQuantities = async () =>
      (await service.member.get('/api/stock/?batch=ten&ordering=stock&limit=2')).body.results.map(
        ({ quantity }: { quantity: number }) => quantity,
      )
    assert.deepEqual(await readQuantities(), [1.5, 2.5])
    await dialog.getByRole('textbox').nth(1).fill('3')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Stock added to 2 items').waitFor()
    assert.deepEqual(await readQuantities(), [3.5, 3.5])
    await page.keyboard.press('u')
    await page.getByText('Undone: Stock added to 2 items').waitFor()
  })

  it('are limited to printing for a read-only account', async () => {
    const page = await openConsole(service, 'viewer', '/stock/?batch=ten')
    await page.getByText('12 rows').waitFor()
    await page.keyboard.press(' ')
    await page.getByText('1 row selected').waitFor()
    const actions = await page.locator('.choice-bar .actions button').allTextContents()
    assert.deepEqual(actions, ['Print labels'])
  })

  it('show names in two lines and quantities in full on a phone', async () => {
    const name = 'Potentiometer 100 kΩ, logarithmic'
    assert.equal((await service.member.patch(`/api/part/${parts.cable}/`, { name, units: 'm' })).status, 200)
    assert.equal((await service.member.patch(`/api/stock/${items.cable}/`, { quantity: 1234567.25 })).status, 200)
    const page = await openConsole(service, 'member', `/stock/?part=${parts.cable}`, { viewport: { width: 390, height: 844 } })
    const row = page.getByRole('row').filter({ hasText: '1,234,567.25' })
    await row.waitFor()
    const cells = await row.locator('td:visible').evaluateAll((all) =>
      all.map((cell) => {
        const inner = cell.querySelector('a') ?? cell
        const { top, bottom, height } = cell.getBoundingClientRect()
        return { text: cell.textContent, isWhole: inner.scrollHeight <= inner.clientHeight + 1, height, bottom, top }
      }),
    )
    assert.deepEqual(
      cells.filter(({ isWhole, height }) => !isWhole || height !== 52),
      [],
    )
    await capturePage(page, 'stock-phone')
  })
})

describe('a stock list of a hundred thousand items', { skip: cannotBrowse }, () => {
  it('scrolls to its middle, loads the rows there, and has a link to that position', async () => {
    const ROW_COUNT = 100_000
    // in batches: each must end within the statement timeout, even on a busy machine
    for (let start = 1; start <= ROW_COUNT; start += 10_000)
      await service.rows(
        `insert into stock_item (part, quantity, location, batch, purchase_price_currency)
         select part, i, location, 'many', 'EUR'
         from generate_series($1::integer, $1 + 9999) i, (select part, location from stock_item where pk = $2) source`,
        [start, items.resistors],
      )
    await service.rows('analyze stock_item')
    const page = await openConsole(service, 'member', '/stock/?in_stock=true')
    await page.getByText(/100,0\d\d rows/).waitFor()
    const middle = ROW_COUNT / 2
    await page.locator('.table-scroller').evaluate((scroller, row) => scroller.scrollTo({ top: row * 34 }), middle)
    await page.waitForFunction((row) => {
      const rows = [...document.querySelectorAll('tbody tr')]
      const hasRow = rows.some((one) => Number(one.getAttribute('aria-rowindex')) === row + 2)
      return hasRow && !document.querySelector('tbody .waiting')
    }, middle)
    await page.locator(`tr[aria-rowindex="${middle + 2}"]`).click({ position: { x: 400, y: 10 } })
    await page.getByRole('heading', { name: /Resistor/ }).waitFor()
    await page.goBack()
    await page.locator(`tr[aria-rowindex="${middle + 2}"][aria-selected=true]`).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'stock-many')
  })

  it('says when nothing is in stock, and how to continue', async () => {
    const page = await openConsole(await testService(), 'member', '/stock/?in_stock=true')
    await page.getByText('Nothing in stock').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText('No stock yet').waitFor()
  })
})
