import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { member } = service
const { locations, parts, supplier } = await fillWorkshop(service)

const create = async (path: string, body: object) => {
  const { status, body: created, text } = await member.post(path, body)
  assert.equal(status, 201, text)
  return created
}

describe('storing goods', { skip: cannotBrowse }, () => {
  it('shows the total of a delivery in the history, and the quantity after a change only', async () => {
    const order = (await create('/api/order/po/', { supplier, reference: 'PO-0001' })).pk
    const reel = (await member.get(`/api/company/part/?part=${parts.resistor}`)).body.results[0].pk
    const line = (await create('/api/order/po-line/', { order, part: reel, quantity: 2 })).pk
    await create(`/api/order/po/${order}/issue/`, {})
    await create(`/api/order/po/${order}/receive/`, { location: locations.bench, items: [{ line_item: line, quantity: 2 }] })
    const [received] = (await member.get(`/api/stock/?purchase_order=${order}`)).body.results
    const page = await openConsole(service, 'member', `/stock/item/${received.pk}/`)
    const newest = page.locator('.timeline li').first()
    // two packs of 5,000
    await newest.getByText('delivery of 2', { exact: true }).waitFor()
    assert.equal(await page.getByText(/^then /).count(), 0)
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Count' }).waitFor()
    await page.keyboard.type('9990')
    await page.keyboard.press('Enter')
    await newest.getByText('9,990', { exact: true }).waitFor()
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: 'Remove' }).waitFor()
    await page.keyboard.type('90')
    await page.keyboard.press('Enter')
    await newest.getByText('balance 9,900', { exact: true }).waitFor()
    await capturePage(page, 'stock-history')
  })

  it('changes nothing if another user has changed the item since, and reloads it', async () => {
    const { pk } = await create('/api/stock/', { part: parts.sensor, quantity: 5, location: locations.box })
    const page = await openConsole(service, 'member', `/stock/item/${pk}/`)
    await page.getByRole('heading', { name: /Door sensor/ }).waitFor()
    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog')
    // with the suggested serial numbers
    await dialog.getByText(/^5: /).waitFor()
    await create('/api/stock/remove/', { items: [{ pk, quantity: 1 }] })
    await page.keyboard.press('Enter')
    await dialog.getByText('Someone else changed this.').waitFor()
    await page.locator('.figures').getByText('4', { exact: true }).waitFor()
    assert.equal((await member.get(`/api/stock/${pk}/`)).body.quantity, 4)
  })

  it("does not overwrite another user's change with a count, in the dialog of one item", async () => {
    const { pk } = await create('/api/stock/', { part: parts.board, quantity: 10, location: locations.box })
    const readQuantity = async () => (await member.get(`/api/stock/${pk}/`)).body.quantity
    const page = await openConsole(service, 'member', `/stock/item/${pk}/`)
    await page.getByRole('heading', { name: 'Sensor board' }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Count' })
    await dialog.getByText(/^10 · /).waitFor()
    await create('/api/stock/remove/', { items: [{ pk, quantity: 3 }] })
    await page.keyboard.type('9')
    await page.keyboard.press('Enter')
    await dialog.getByText('Someone else changed: Sensor board.').waitFor()
    // pressing the key twice does not confirm the message
    await page.keyboard.press('Enter')
    await dialog.getByText(/^7 · /).waitFor()
    await dialog.getByText('The quantity is now 7. You saw 10.').waitFor()
    await page.locator('.figures').getByText('7', { exact: true }).waitFor()
    assert.equal(await readQuantity(), 7)
    await assertAccessible(page)
    await capturePage(page, 'stock-changed')
    await dialog.getByRole('button', { name: 'Count again' }).click()
    // the typed count stays, and applies to the current quantity
    assert.equal(await dialog.getByLabel(/^Quantity/).inputValue(), '9')
    await page.keyboard.press('Enter')
    await page.getByText('Counted: 9').waitFor()
    assert.equal(await readQuantity(), 9)
  })

  it('takes the current quantity as the count on request, with German texts', async () => {
    const { pk } = await create('/api/stock/', { part: parts.board, quantity: 10, location: locations.box })
    const page = await openConsole(service, 'member', `/stock/item/${pk}/`, { locale: 'de-DE' })
    await page.getByRole('heading', { name: 'Sensor board' }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^10 · /).waitFor()
    await create('/api/stock/add/', { items: [{ pk, quantity: '1.5' }] })
    await page.keyboard.type('9')
    await page.keyboard.press('Enter')
    await dialog.getByText('Die Menge ist jetzt 11,5. Du hast 10 gesehen.').waitFor()
    await dialog.getByRole('button', { name: 'Neuen Wert übernehmen' }).click()
    assert.equal(await dialog.getByLabel(/^Menge/).inputValue(), '11,5')
    await dialog.getByLabel(/^Menge/).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const { body } = await member.get(`/api/stock/track/?item=${pk}&ordering=-pk`)
    assert.deepEqual([body.results[0].tracking_type, body.results[0].deltas], [10, { quantity: 11.5 }])
  })

  it('removes nothing from an item whose quantity another user reduced, until confirmed', async () => {
    const { pk } = await create('/api/stock/', { part: parts.board, quantity: 10, location: locations.box })
    const readQuantity = async () => (await member.get(`/api/stock/${pk}/`)).body.quantity
    const page = await openConsole(service, 'member', `/stock/item/${pk}/`)
    await page.getByRole('heading', { name: 'Sensor board' }).waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Remove' })
    await dialog.getByText(/^10 · /).waitFor()
    await create('/api/stock/remove/', { items: [{ pk, quantity: 3 }] })
    await page.keyboard.type('4')
    await page.keyboard.press('Enter')
    await dialog.getByText('The quantity is now 7. You saw 10.').waitFor()
    assert.equal(await readQuantity(), 7)
    await dialog.getByRole('button', { name: 'Use the new value' }).click()
    assert.equal(await dialog.getByLabel(/^Quantity/).inputValue(), '4')
    await dialog.getByLabel(/^Quantity/).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await readQuantity(), 3)
  })

  it("does not overwrite another user's change when several selected items are counted or moved", async () => {
    const batch = { part: parts.board, location: locations.box, batch: 'counted' }
    const keys: number[] = []
    for (const quantity of [3, 4, 5]) keys.push((await create('/api/stock/', { ...batch, quantity })).pk)
    const readQuantities = async () =>
      (await member.get('/api/stock/?batch=counted&ordering=stock')).body.results.map(
        ({ quantity }: { quantity: number }) => quantity,
      )
    const page = await openConsole(service, 'member', '/stock/?batch=counted&ordering=stock')
    await page.getByText('3 rows').waitFor()
    await page.keyboard.press('Control+A')
    await page.getByText('3 rows selected').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Count' })
    await dialog.waitFor()
    // items without a count may change
    await create('/api/stock/add/', { items: [{ pk: keys[2], quantity: 1 }] })
    await create('/api/stock/remove/', { items: [{ pk: keys[1], quantity: 2 }] })
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    await page.keyboard.type('4')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Someone else changed: Sensor board · batch counted. Enter').waitFor()
    await page.keyboard.press('Control+Enter')
    assert.deepEqual(await readQuantities(), [2, 3, 6])
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Count again' }).click()
    await page.keyboard.press('Control+Enter')
    await page.getByText('2 items counted').waitFor()
    assert.deepEqual(await readQuantities(), [3, 4, 6])
    await page.getByText('rows selected').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+A')
    await page.getByText('3 rows selected').waitFor()
    await page.keyboard.press('m')
    const moveDialog = page.getByRole('dialog', { name: 'Move' })
    await moveDialog.waitFor()
    await create('/api/stock/add/', { items: [{ pk: keys[0], quantity: 4 }] })
    await page.keyboard.type('bench')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Bench')
    await page.keyboard.press('Control+Enter')
    await moveDialog.getByText('Someone else changed: Sensor board · batch counted. Enter').waitFor()
    await moveDialog.getByRole('button', { name: 'Use the new value' }).click()
    // by default all of the current quantity is moved
    assert.equal(await moveDialog.getByRole('textbox').nth(0).inputValue(), '7')
    await page.keyboard.press('Control+Enter')
    await page.getByText('3 items moved to Bench').waitFor()
    assert.equal((await member.get(`/api/stock/?batch=counted&location=${locations.box}`)).body.count, 0)
    assert.deepEqual(await readQuantities(), [4, 6, 7])
  })

  it('applies an action to all selected items, even if pressed before all of them were loaded', async () => {
    for (const quantity of [3, 4, 5])
      await create('/api/stock/', { part: parts.board, location: locations.box, batch: 'quick', quantity })
    const page = await openConsole(service, 'member', '/stock/?batch=quick')
    await page.getByText('3 rows').waitFor()
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/stock/?*', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.keyboard.press('Control+A')
    await page.keyboard.press('c')
    assert.equal(await page.getByRole('dialog').count(), 0)
    gate.resolve()
    const dialog = page.getByRole('dialog', { name: 'Count' })
    await dialog.waitFor()
    assert.equal(await dialog.getByRole('textbox', { name: /^Quantity/ }).count(), 3)
  })

  it('moves the focus to the rejected one of several lines', async () => {
    const batch = { part: parts.board, location: locations.box, batch: 'several' }
    for (const quantity of [3, 4]) await create('/api/stock/', { ...batch, quantity })
    const page = await openConsole(service, 'member', '/stock/?batch=several&ordering=stock')
    await page.getByText('2 rows').waitFor()
    await page.keyboard.press('Control+A')
    await page.getByText('2 rows selected').waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Remove' })
    await dialog.waitFor()
    await page.keyboard.type('99')
    await page.keyboard.press('Enter')
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await dialog.locator('tr.has-difference').waitFor()
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === '99')
    await assertAccessible(page)
    // the wrong value is selected, so that typing replaces it
    await page.keyboard.type('2')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Stock removed from 2 items').waitFor()
    const { results } = (await member.get('/api/stock/?batch=several&ordering=stock')).body
    assert.deepEqual(
      results.map(({ quantity }: { quantity: number }) => quantity),
      [1, 3],
    )
  })

  it('shows expiry dates, in a short list and on a phone', async () => {
    for (const [name, value] of [
      ['STOCK_ENABLE_EXPIRY', 'True'],
      ['STOCK_STALE_DAYS', '30'],
    ])
      assert.equal((await service.superuser.patch(`/api/settings/global/${name}/`, { value })).status, 200)
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    await create('/api/stock/', { part: parts.board, location: locations.box, quantity: 6, expiry_date: day, batch: 'soon' })
    const page = await openConsole(service, 'member', '/stock/?batch=soon')
    const row = page.getByRole('row').filter({ hasText: 'Sensor board' })
    const badge = row.getByText(/^Expires \d+ \w+ \d{4}$/)
    await badge.waitFor()
    assert.equal(await row.getByText('OK', { exact: true }).count(), 0)
    const isWhole = await badge.evaluate((element) => {
      const cell = element.closest('td') as HTMLElement
      return element.getBoundingClientRect().right <= cell.getBoundingClientRect().right
    })
    assert.ok(isWhole, 'the day is not cut')
    await page.setViewportSize({ width: 390, height: 844 })
    const phoneBadge = row.locator('.expiry:visible')
    await phoneBadge.waitFor()
    assert.ok(
      await phoneBadge.evaluate((element) => element.scrollWidth <= element.clientWidth),
      'the day is not cut on a phone either',
    )
    await assertAccessible(page)
    await capturePage(page, 'stock-expiring')
  })

  it('fits the undo button on a phone after a move to a location whose name is one long word', async () => {
    const name = 'Kleinteileschubladenschrankerweiterungsbau'
    await create('/api/stock/location/', { name })
    const { pk } = await create('/api/stock/', { part: parts.board, location: locations.box, quantity: 7 })
    const page = await openConsole(service, 'member', `/stock/item/${pk}/`, { viewport: { width: 390, height: 844 } })
    await page.getByRole('heading', { name: 'Sensor board' }).waitFor()
    await page.keyboard.press('m')
    await page.getByRole('dialog', { name: 'Move' }).waitFor()
    await page.keyboard.type('klein')
    await page.keyboard.press('Enter')
    await page.waitForFunction((text) => (document.activeElement as HTMLInputElement).value === text, name)
    await page.keyboard.press('Enter')
    await page.getByText(`7 moved to ${name}`).waitFor()
    const buttons = page.locator('.toast button')
    const rightEdges = await buttons.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().right))
    assert.ok(Math.max(...rightEdges) <= 390, `its buttons end at ${rightEdges}`)
    await capturePage(page, 'stock-moved-phone')
  })

  it('merges items in two locations with three keys', async () => {
    const { pk } = await create('/api/stock/', { part: parts.sensor, location: locations.box, quantity: 2 })
    await create('/api/stock/', { part: parts.sensor, location: locations.bench, quantity: 3 })
    const page = await openConsole(service, 'member', `/stock/item/${pk}/`)
    await page.getByRole('heading', { name: /Door sensor/ }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('dialog', { name: 'Merge' }).waitFor()
    await page.keyboard.press(' ')
    await page.getByText('Total: 2 items, 5').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Merged: 5').waitFor()
  })

  it('assigns serial numbers to the whole units of a fractional quantity, and shows them', async () => {
    const { pk } = await create('/api/stock/', { part: parts.cable, location: locations.box, quantity: 2.5 })
    await member.patch(`/api/part/${parts.cable}/`, { trackable: true })
    const page = await openConsole(service, 'member', `/stock/item/${pk}/`, { locale: 'de-DE' })
    await page.getByRole('heading', { name: /Cable/ }).waitFor()
    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog', { name: 'Seriennummern vergeben' })
    await dialog.getByText('2: 1, 2', { exact: true }).waitFor()
    assert.equal(await dialog.getByLabel('Menge (m)').inputValue(), '2')
    await dialog.getByLabel('Menge (m)').fill('1,5')
    await dialog.getByText('Seriennummern brauchen eine ganze Menge ab 1.').waitFor()
    await dialog.getByLabel('Menge (m)').fill('1')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Seriennummer an 1 Lagerposten vergeben').waitFor()
  })

  it('shows the successors of an item that no longer exists', async () => {
    const { pk } = await create('/api/stock/', { part: parts.sensor, location: locations.shelf, quantity: 1 })
    const page = await openConsole(service, 'member', `/stock/item/${pk}/`)
    await page.getByRole('heading', { name: /Door sensor/ }).waitFor()
    await page.keyboard.press('b')
    await page.getByRole('dialog').getByText('1: 1003', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('1 item serialized').waitFor()
    await page.waitForURL(`**/stock/?in_stock=true&part=${parts.sensor}`)
    await page.getByRole('gridcell', { name: '#1003' }).waitFor()
  })
})
