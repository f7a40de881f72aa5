import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { member } = service
const { locations, parts, items } = await fillWorkshop(service)

const create = async (path: string, body: object) => {
  const { status, body: created, text } = await member.post(path, body)
  assert.equal(status, 201, text)
  return created.pk as number
}
const readStockItem = async (pk: number) => (await member.get(`/api/stock/${pk}/`)).body

await create('/api/bom/', { part: parts.sensor, sub_part: parts.board, quantity: 1 })

describe('the stock item page', { skip: cannotBrowse }, () => {
  it('installs a component with a few letters and Enter twice, and uninstalls it with two keys', async () => {
    const page = await openConsole(service, 'member', `/stock/item/${items.sensor}/`)
    await page.getByRole('heading', { name: /#1001/ }).waitFor()
    await page.keyboard.press('i')
    const dialog = page.getByRole('dialog', { name: 'Install component' })
    await dialog.waitFor()
    // only components of the assembly are offered
    await page.keyboard.type('resistor')
    await dialog.getByText('No matches').waitFor()
    // Ctrl and a key right behind letters typed at the pace of a scanner is a control character of its code
    await page.locator(':focus').selectText()
    await page.keyboard.type('board')
    await dialog.getByRole('option').first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'stock-install')
    await page.keyboard.press('Enter')
    await dialog.getByText('Available: 30.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Installed: Sensor board').waitFor()
    const installedTable = page.getByRole('table', { name: 'Installed components' })
    await installedTable.getByRole('link', { name: 'Sensor board' }).waitFor()
    const [board] = (await member.get(`/api/stock/?belongs_to=${items.sensor}`)).body.results
    assert.deepEqual([board.part, board.quantity], [parts.board, 1])
    assert.equal((await readStockItem(items.board)).quantity, 29)
    await assertAccessible(page)
    await capturePage(page, 'stock-assembly')

    await page.keyboard.press('Shift+I')
    await page.getByRole('dialog', { name: 'Uninstall component' }).waitFor()
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value.startsWith('Sensor board'))
    await capturePage(page, 'stock-take-out')
    await page.keyboard.press('Enter')
    await page.getByText('Uninstalled', { exact: true }).first().waitFor()
    await installedTable.waitFor({ state: 'detached' })
    const uninstalledItem = await readStockItem(board.pk)
    assert.deepEqual([uninstalledItem.belongs_to, uninstalledItem.location], [null, locations.shelf])
  })

  it('uninstalls with one key while another key can still undo the previous action', async () => {
    const board = await create('/api/stock/', { part: parts.board, quantity: 1, location: locations.shelf })
    const installed = await member.post(`/api/stock/${items.sensor}/install/`, { stock_item: board, quantity: 1 })
    assert.equal(installed.status, 201, installed.text)
    const cable = await create('/api/stock/', { part: parts.cable, quantity: 4, location: locations.shelf })
    const page = await openConsole(service, 'member', `/stock/item/${cable}/`)
    await page.getByRole('heading', { name: /Cable/ }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('dialog').getByLabel('Quantity').fill('2')
    await page.keyboard.press('Enter')
    await page.getByText('2 m added').waitFor()
    await page.evaluate((path) => {
      const link = document.createElement('a')
      link.href = path
      document.body.append(link)
      link.click()
      link.remove()
    }, `/stock/item/${board}/`)
    await page.getByRole('heading', { name: /Sensor board/ }).waitFor()
    await page.locator('button[aria-keyshortcuts=f]').first().waitFor()
    await page.keyboard.press('u')
    await page.getByText('Undone: 2 m added').waitFor()
    assert.equal((await readStockItem(cable)).quantity, 4)
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.keyboard.press('f')
    await page.getByRole('dialog', { name: 'Uninstall' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Uninstall' }).click()
    await page.getByText('Uninstalled', { exact: true }).first().waitFor()
    assert.equal((await readStockItem(board)).belongs_to, null)
    for (const pk of [board, cable]) await member.delete(`/api/stock/${pk}/`)
  })

  it('merges three items into one, on request even if their statuses differ', async () => {
    const otherCable = await create('/api/stock/', { part: parts.cable, quantity: 5.05, location: locations.bench })
    const page = await openConsole(service, 'member', `/stock/item/${items.cable}/`)
    await page.getByRole('heading', { name: /Cable/ }).waitFor()
    await page.keyboard.press('j')
    const dialog = page.getByRole('dialog', { name: 'Merge' })
    await dialog.getByRole('checkbox', { name: /Box 7/ }).check()
    await dialog.getByRole('checkbox', { name: /Bench/ }).check()
    await dialog.getByText('Total: 3 items, 104.55 m').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'stock-merge')
    await page.keyboard.press('Enter')
    await dialog.getByText('Stock status codes must match').waitFor()
    await dialog.getByLabel('Merge even if the status differs').check()
    await page.keyboard.press('Enter')
    await page.getByText('Merged: 104.55 m').waitFor()
    assert.deepEqual(
      [(await readStockItem(items.cable)).quantity, (await readStockItem(items.cable)).location],
      [104.55, locations.shelf],
    )
    for (const deletedItem of [otherCable, items.oldCable])
      assert.equal((await member.get(`/api/stock/${deletedItem}/`)).status, 404)
  })

  it('reports that there is nothing to merge with', async () => {
    const page = await openConsole(service, 'member', `/stock/item/${items.resistors}/`)
    await page.getByRole('heading', { name: /Resistor/ }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('dialog').getByText('No other stock of this part').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('shows the value of an item without binary fraction errors', async () => {
    // 104.55 times 1.85 is 193.4175
    await member.patch(`/api/stock/${items.cable}/`, { purchase_price: '1.85' })
    const page = await openConsole(service, 'member', `/stock/item/${items.cable}/`)
    await page.getByText(/EUR\s193\.42$/).waitFor()
  })

  it('shows a damaged item as available, with a note at each quantity', async () => {
    const damaged = await create('/api/stock/', { part: parts.board, quantity: 2, status: 55, location: locations.shelf })
    const flawText = /including 2 damaged/
    const page = await openConsole(service, 'member', `/part/${parts.board}/`)
    await page.locator('.figures').getByText(flawText).waitFor()
    await capturePage(page, 'part-flawed')
    await page.goto('/part/?search=board')
    await page
      .getByRole('row', { name: /Sensor board/ })
      .getByText(flawText)
      .waitFor()
    await capturePage(page, 'parts-flawed')
    await page.goto(`/part/${parts.sensor}/bom/`)
    await page.getByText(flawText).waitFor()
    assert.equal((await member.patch(`/api/part/${parts.board}/`, { salable: true })).status, 200)
    const customer = await create('/api/company/', { name: 'Fairground', is_customer: true })
    const order = await create('/api/order/so/', { reference: 'SO-0777', customer })
    await create('/api/order/so-line/', { order, part: parts.board, quantity: 5 })
    await page.goto(`/order/sales-order/${order}/`)
    await page.getByText(/available, including 2 damaged/).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'sales-flawed')
    await member.delete(`/api/stock/${damaged}/`)
  })

  it('edits tags in the form, shows them, and lists objects with the same tag', async () => {
    await member.patch(`/api/stock/${items.board}/`, { tags: ['Esd, dry'] })
    const page = await openConsole(service, 'member', `/stock/item/${items.board}/`)
    await page.getByRole('link', { name: 'Esd, dry' }).waitFor()
    await page.keyboard.press('e')
    const field = page.getByLabel('Tags', { exact: true })
    assert.equal(await field.inputValue(), '"Esd, dry"')
    await field.press('End')
    await page.keyboard.type(', Fair 2026,')
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Fair 2026' }).waitFor()
    assert.deepEqual((await readStockItem(items.board)).tags, ['Esd, dry', 'Fair 2026'])
    await capturePage(page, 'stock-tags')
    await page.getByRole('link', { name: 'Fair 2026' }).click()
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Sensor board' }).waitFor()
    // parts, locations and supplier parts show their tags on their pages, too
    const [location, part] = [locations.shelf, parts.board]
    assert.equal((await member.patch(`/api/stock/location/${location}/`, { tags: ['Dry'] })).status, 200)
    assert.equal((await member.patch(`/api/part/${part}/`, { tags: ['Long lead'] })).status, 200)
    await page.goto(`/stock/location/${location}/`)
    await page.getByRole('link', { name: 'Dry', exact: true }).click()
    // the items of the location are listed until its own list has loaded
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('grid').getByRole('link', { name: /Shelf/ }).waitFor()
    await page.goto(`/part/${part}/`)
    await page.getByRole('link', { name: 'Long lead' }).click()
    await page.getByText('1 row', { exact: true }).waitFor()
  })

  it('adds the result of a missing required test', async () => {
    const burnIn = { test_name: 'Burn-in', description: 'Eight hours at 60 °C', required: true, requires_value: true }
    await create('/api/part/test-template/', { part: parts.sensor, ...burnIn })
    await create('/api/part/test-template/', {
      part: parts.sensor,
      test_name: 'Looks',
      description: 'No scratches',
      required: false,
    })
    const page = await openConsole(service, 'member', `/stock/item/${items.sensor}/`)
    await page.getByText('1 required test not passed').waitFor()
    await page.keyboard.press('t')
    const dialog = page.getByRole('dialog', { name: 'Add test result' })
    await dialog.getByLabel('Test', { exact: true }).waitFor()
    assert.equal(await dialog.getByLabel('Test', { exact: true }).locator('option:checked').textContent(), 'Burn-in (required)')
    await assertAccessible(page)
    await capturePage(page, 'stock-test')
    await page.keyboard.press('Enter')
    await dialog.getByText('This test requires a value.').nth(1).waitFor()
    await dialog.getByLabel('Value').fill('61.5 °C')
    await page.keyboard.press('Enter')
    await page.getByText('Burn-in: passed').waitFor()
    await page.getByText('All required tests passed').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'stock-tests')
    const { results } = (await member.get(`/api/stock/test/?stock_item=${items.sensor}`)).body
    assert.deepEqual(
      results.map(({ result, value }: { result: boolean; value: string }) => [result, value]),
      [[true, '61.5 °C']],
    )
    // a conditional delete keeps a result that was changed since it was loaded
    const deleteResult = async () => {
      await page.getByRole('button', { name: 'Delete result of Burn-in' }).click()
      const confirmation = page.getByRole('dialog', { name: 'Delete result of Burn-in?' })
      await confirmation.getByRole('button', { name: 'Delete', exact: true }).click()
      return confirmation
    }
    await member.patch(`/api/stock/test/${results[0].pk}/`, { notes: 'After an hour' })
    const confirmation = await deleteResult()
    await confirmation.getByText(/Someone else changed this/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('After an hour').waitFor()
    await deleteResult()
    await page.getByText('1 required test not passed').waitFor()
  })

  it('sends an item to a customer and returns it, and offers each only if it applies', async () => {
    const customer = await create('/api/company/', { name: 'Songbird Audio', is_customer: true })
    await member.patch(`/api/part/${parts.board}/`, { salable: true })
    const page = await openConsole(service, 'member', `/stock/item/${items.board}/`)
    await page.getByRole('heading', { name: 'Sensor board' }).waitFor()
    await page.keyboard.press('Shift+W')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.keyboard.press('w')
    await page.getByRole('dialog', { name: 'Assign to customer' }).waitFor()
    await page.keyboard.type('song')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Songbird Audio')
    await page.keyboard.press('Enter')
    await page.getByText('1 item assigned to the customer').waitFor()
    await page.getByRole('link', { name: 'With Songbird Audio' }).waitFor()
    assert.equal((await readStockItem(items.board)).customer, customer)
    for (const name of ['Move', 'Count', 'Add', 'Remove'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    await page.keyboard.press('Shift+W')
    await page.getByRole('dialog', { name: 'Return to stock' }).waitFor()
    await page.keyboard.type('bench')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Bench')
    await page.keyboard.press('Enter')
    await page.getByText('Returned to stock').waitFor()
    await page.locator('.timeline').getByRole('link', { name: 'Songbird Audio' }).first().waitFor()
    assert.equal(await page.getByText('Customer name').count(), 0, 'the customer is named once')
    await page.getByRole('button', { name: 'Move', exact: true }).waitFor()
    assert.deepEqual(
      [(await readStockItem(items.board)).customer, (await readStockItem(items.board)).location],
      [null, locations.bench],
    )
  })

  it('assigns serial numbers after the latest, with a preview', async () => {
    const unserializedItem = await create('/api/stock/', { part: parts.sensor, quantity: 3, location: locations.bench })
    const page = await openConsole(service, 'member', `/stock/item/${unserializedItem}/`)
    await page.getByRole('heading', { name: /Door sensor/ }).waitFor()
    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog', { name: 'Assign serial numbers' })
    await dialog.getByText('3: 1003, 1004, 1005').waitFor()
    await dialog.getByLabel('Quantity').fill('1')
    await dialog.getByText('1: 1003', { exact: true }).waitFor()
    await dialog.getByLabel('Serial numbers').fill('A7-9, A7-10')
    await dialog.locator('.field-error').waitFor()
    await dialog.getByLabel('Quantity').fill('3')
    await dialog.getByLabel('Serial numbers').fill('1010+')
    await dialog.getByText('3: 1010, 1011, 1012').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'stock-serialize')
    await page.keyboard.press('Enter')
    await page.getByText('3 items serialized').waitFor()
    const { results } = (await member.get(`/api/stock/?part=${parts.sensor}&location=${locations.bench}&serialized=true`)).body
    assert.deepEqual(results.map(({ serial }: { serial: string }) => serial).sort(), ['1010', '1011', '1012'])
  })

  it('converts an item to a variant of its part, if there is one', async () => {
    const { category } = (await member.get(`/api/part/${parts.board}/`)).body
    const chair = await create('/api/part/', { name: 'Chair', category, is_template: true })
    const red = await create('/api/part/', { name: 'Red chair', category, variant_of: chair })
    const item = await create('/api/stock/', { part: chair, quantity: 2, location: locations.bench })
    const page = await openConsole(service, 'member', `/stock/item/${item}/`)
    await page.getByRole('heading', { name: 'Chair' }).waitFor()
    await page.keyboard.press('v')
    await page.getByRole('dialog', { name: 'Convert to variant' }).waitFor()
    await page.keyboard.type('red')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Red chair')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Red chair' }).waitFor()
    assert.equal((await readStockItem(item)).part, red)
    const other = await openConsole(service, 'member', `/stock/item/${items.cable}/`)
    await other.getByRole('heading', { name: /Cable/ }).waitFor()
    await other.keyboard.press('v')
    assert.equal(await other.getByRole('dialog').count(), 0)
  })

  it('removes a quantity with a reason, and loads older history on request', async () => {
    for (let addition = 1; addition <= 40; addition++)
      assert.equal((await member.post('/api/stock/add/', { items: [{ pk: items.resistors, quantity: 1 }] })).status, 201)
    const page = await openConsole(service, 'member', `/stock/item/${items.resistors}/`)
    const entries = page.locator('.timeline li')
    await page.getByRole('button', { name: 'Show older (11)' }).click()
    await page.getByText('Created', { exact: true }).waitFor()
    assert.equal(await entries.count(), 41)
    await page.keyboard.press('r')
    await page.keyboard.type('0,5')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Broken')
    await page.keyboard.press('Enter')
    await page.getByText('0.5 removed').waitFor()
    await page.getByText('Broken · member').waitFor()
    assert.equal(await entries.count(), 42)
  })
})

describe('a stock item on a phone', { skip: cannotBrowse }, () => {
  it('has two buttons, and a menu for the rest that stays in the window', async () => {
    const page = await openConsole(service, 'member', `/stock/item/${items.resistors}/`, {
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('button', { name: 'Move', exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Remove', exact: true }).count(), 0)
    const moreButton = page.getByRole('button', { name: 'More', exact: true })
    // as if the button had wrapped to the left edge
    await page.locator('.page-head .actions').evaluate(({ style }) => {
      style.flexDirection = 'column'
      style.alignItems = 'flex-start'
    })
    await moreButton.click()
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor()
    const box = await page.locator('.menu-content:visible').boundingBox()
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box))
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog', { name: 'Remove' }).waitFor()
  })
})

describe('actions offered on a stock item', { skip: cannotBrowse }, () => {
  const readVisibleActions = async (caller: 'nobody' | 'viewer' | 'member' | 'superuser') => {
    const page = await openConsole(service, caller, `/stock/item/${items.sensorTwo}/`)
    await page.getByRole('heading').first().waitFor()
    const moreButton = page.getByRole('button', { name: 'More', exact: true })
    if ((await moreButton.count()) > 0) await moreButton.click()
    // without the shortcuts next to them
    const names = await page
      .locator('.page-head .actions button:not([aria-label])')
      .evaluateAll((all) =>
        all.map((one) => [...one.childNodes].map((node) => (node.nodeType === 3 ? node.textContent : '')).join('')),
      )
    await assertAccessible(page)
    if (caller === 'member') await capturePage(page, 'stock-item-menu')
    return names
  }

  it('are none for an account without permissions', async () => assert.deepEqual(await readVisibleActions('nobody'), []))

  it('are label printing alone for a read-only account', async () => {
    assert.deepEqual(await readVisibleActions('viewer'), ['Print labels'])
  })

  it('are all that apply to a serialized item for other accounts', async () => {
    const all = await readVisibleActions('member')
    assert.deepEqual(all.slice(0, 1), ['Move'])
    for (const name of ['Install component', 'Add test result', 'Edit', 'Delete']) assert.ok(all.includes(name), name)
    for (const name of ['Count', 'Add', 'Remove', 'Split', 'Merge', 'Uninstall', 'Return to stock'])
      assert.ok(!all.includes(name), name)
    assert.deepEqual(await readVisibleActions('superuser'), all)
  })
})
