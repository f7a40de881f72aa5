import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { preparePrinting } from '../../../testing/printing.ts'
import { testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { createPurchaseOrderHelpers } from '../../testing/purchase-orders.ts'

const service = await testService(await preparePrinting())
const { member } = service
const { createSupplierPart, createOrder, readOrder, readLines } = await createPurchaseOrderHelpers(service)

describe('the purchase order pages', { skip: cannotBrowse }, () => {
  it('show an empty state that explains purchase orders', async () => {
    const other = await testService()
    const page = await openConsole(other, 'member', '/order/purchase-order/')
    await page.getByText('No purchase orders yet').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'purchase-orders-empty')
  })

  it('create and issue an order by keyboard: the order, its lines, their quantities', async () => {
    await createSupplierPart({ name: 'Toggle switch' })
    const page = await openConsole(service, 'member', '/order/purchase-order/')
    await page.getByRole('button', { name: 'New purchase order' }).first().waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByLabel('Supplier', { exact: true }).waitFor()
    await assertAccessible(page)
    await page.keyboard.type('bright')
    await page.getByRole('option', { name: /Brightwell/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/purchase-order\/\d+\/$/)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('a')
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('toggle')
    await page.getByRole('option', { name: /Toggle switch/ }).waitFor()
    await page.keyboard.press('Enter')
    // the next input is the quantity of the new line
    await page.locator('td.editing input').waitFor()
    await page.keyboard.type('25')
    await page.keyboard.press('Enter')
    await page.locator('td:not(.editing)').getByText('25', { exact: true }).waitFor()
    const pk = Number(/(\d+)\/$/.exec(page.url())?.[1])
    assert.deepEqual(
      (await readLines(pk)).map(({ quantity }) => quantity),
      [25],
    )
    await page.keyboard.press('i')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('is marked as placed').waitFor()
    // an order changed by another user is shown before it is issued
    await member.patch(`/api/order/po/${pk}/`, { description: 'Not before spring' })
    await page.keyboard.press('Enter')
    await dialog.getByText('Someone else changed this.').waitFor()
    await page.getByText('Not before spring').waitFor()
    assert.equal((await readOrder(pk)).status, 10)
    await page.keyboard.press('Enter')
    await page.getByText('Placed', { exact: true }).waitFor()
    assert.equal((await readOrder(pk)).status, 20)
  })

  it('list open orders until one key shows all, reflect that in the URL, and show dates in full at every width', async () => {
    const openOrder = await createOrder([{ name: 'Lever switch' }], { description: 'Wanted' })
    const cancelled = await createOrder([{ name: 'Foot switch' }], { description: 'Written by mistake' })
    assert.equal((await member.patch(`/api/order/po/${openOrder}/`, { target_date: '2020-09-29' })).status, 200)
    assert.equal((await member.post(`/api/order/po/${cancelled}/cancel/`)).status, 201)
    const page = await openConsole(service, 'member', '/')
    await page.getByRole('navigation').getByRole('link', { name: 'Purchase orders' }).first().click()
    await page.waitForURL('**/order/purchase-order/?outstanding=true')
    const findRow = (text: string) => page.getByRole('row').filter({ hasText: text })
    await findRow('Wanted').waitFor()
    assert.equal(await findRow('Written by mistake').count(), 0)
    await page.keyboard.press('a')
    await findRow('Written by mistake').waitFor()
    await page.waitForURL('**/order/purchase-order/')
    await page.keyboard.press('a')
    await findRow('Written by mistake').waitFor({ state: 'detached' })
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const dateText = findRow('29 Sept 2020').getByText('29 Sept 2020').filter({ visible: true })
      await dateText.waitFor()
      const isFullyVisible = await dateText.evaluate((element) => {
        const cell = element.closest('td') as HTMLElement
        return cell.scrollWidth <= cell.clientWidth && element.getBoundingClientRect().right <= window.innerWidth
      })
      assert.ok(isFullyVisible, `${width} pixels`)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await assertAccessible(page)
    await capturePage(page, 'purchase-orders-open')
  })

  it('find orders by rarely used filters', async () => {
    await createOrder([{ name: 'Rotary switch' }])
    await createOrder([{ name: 'Slide switch' }])
    const { body } = await member.get('/api/part/?name_contains=Slide')
    const page = await openConsole(service, 'member', `/order/purchase-order/?part=${body.results[0].pk}`)
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('1 row', { exact: true }).waitFor({ state: 'detached' })
  })

  it('edit lines in place, as in a spreadsheet', async () => {
    const pk = await createOrder(
      [
        { name: 'Film capacitor with a name that is long enough to be broken into lines', pack: '40', price: '12.5' },
        { name: 'Knob', price: '0.8' },
      ],
      {
        isPlaced: false,
        description: 'What the third batch of the instruments lacks, and some spare parts for the repair of the second',
      },
    )
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('grid', { name: 'Lines' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'purchase-order')
    await page.keyboard.press('ArrowDown')
    // the quantity of the first line: past the reference
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('6')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByText('= 280').waitFor()
    // the cell below, by typing a value
    await page.locator('[data-at="1-2"]:focus').waitFor()
    await page.keyboard.type('12')
    await page.keyboard.press('Tab')
    await page.locator('[data-at="1-4"]:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('abc')
    await page.keyboard.press('Enter')
    await page.locator('.cells-problem').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.strip').getByText('EUR 97.10').waitFor()
    assert.deepEqual(
      (await readLines(pk)).map(({ quantity }) => quantity),
      [7, 12],
    )
    // columns without a value in any line are hidden until they are needed
    assert.equal(await page.getByRole('columnheader', { name: 'Discount' }).count(), 0)
    await page.getByRole('button', { name: 'Show empty columns: Discount, Line number' }).click()
    await page.getByRole('columnheader', { name: 'Discount' }).waitFor()
    await assertAccessible(page)
  })

  it("issue an order right after the user's own change, before it is reloaded", async () => {
    const pk = await createOrder([{ name: 'Grommet' }], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('button', { name: 'Edit purchase order' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Description').fill('For the fair')
    await page.route('**/api/web/read/', () => undefined)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('i')
    const issueResponse = page.waitForResponse(`**/api/order/po/${pk}/issue/`)
    await dialog.getByRole('button').first().waitFor()
    await page.keyboard.press('Enter')
    assert.equal((await issueResponse).status(), 201)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('delete a line after a confirmation, and no other line on a second click', async () => {
    const pk = await createOrder([{ name: 'Fuse' }, { name: 'Fuse holder' }], { isPlaced: false })
    const [fuse, holder] = await readLines(pk)
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('button', { name: 'Delete line Fuse', exact: true }).dblclick({ delay: 20 })
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await readLines(pk)).length, 2)
    await page.getByRole('button', { name: 'Delete line Fuse', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete line Fuse?', exact: true })
    await dialog.waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Line deleted').waitFor()
    assert.deepEqual(
      (await readLines(pk)).map((line) => line.pk),
      [holder?.pk],
      `only line ${fuse?.pk} is deleted`,
    )
  })

  it('add a single charge on a double click, and ask to confirm an unusually large quantity of it', async () => {
    const pk = await createOrder([], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('button', { name: 'Add other charge' }).dblclick({ delay: 50 })
    await page.locator('td.editing input').waitFor()
    const readCharges = async () => (await member.get(`/api/order/po-extra-line/?order=${pk}&limit=5`)).body
    assert.equal((await readCharges()).count, 1)
    // an unusually large quantity
    await page.getByRole('grid', { name: 'Other charges' }).locator('[data-at="0-2"]').click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('100000')
    await page.keyboard.press('Enter')
    const confirmation = page.getByRole('dialog', { name: 'Enter 100,000? The previous quantity was 1.' })
    await confirmation.waitFor()
    await page.keyboard.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    assert.equal((await readCharges()).results[0].quantity, 1)
  })

  it('keep a cell open when saving the previous one takes long', async () => {
    const pk = await createOrder([{ name: 'Slow relay' }], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let changes = 0
    await page.route('**/api/order/po-line/*/', async (route) => {
      if (route.request().method() === 'PATCH' && ++changes === 1) await released
      return route.continue()
    })
    await page.locator('[data-at="0-2"]').click()
    await page.locator('[data-at="0-2"] input').waitFor()
    await page.keyboard.type('30')
    await page.locator('[data-at="0-8"]').click()
    const notes = page.locator('[data-at="0-8"] input, [data-at="0-8"] textarea')
    await notes.waitFor()
    await page.keyboard.type('1234')
    release()
    // the first save has ended
    await page.locator('[data-at="0-2"]').getByText('30', { exact: true }).waitFor()
    await page.keyboard.type('56')
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-8"]:not(.editing)').getByText('123456').waitFor()
    const [line] = await readLines(pk)
    assert.deepEqual([line?.quantity, line?.notes, changes], [30, '123456', 2])
    // opened and left unchanged
    await page.locator('[data-at="0-2"]').click()
    await page.locator('[data-at="0-2"] input').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-2"]:not(.editing)').waitFor()
    assert.equal(changes, 2)
  })

  it('accept numbers typed down a column, however late the service responds', async () => {
    const pk = await createOrder([{ name: 'First coil' }, { name: 'Second coil' }, { name: 'Third coil' }], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/order/po-line/*/', async (route) => {
      if (route.request().method() === 'PATCH') await released
      return route.continue()
    })
    await page.locator('[data-at="0-2"]').click()
    for (const [row, quantity] of ['31', '32', '33'].entries()) {
      if (row === 0) await page.locator('[data-at="0-2"] input').waitFor()
      await page.keyboard.type(quantity)
      await page.keyboard.press('Enter')
    }
    release()
    for (const [row, quantity] of ['31', '32', '33'].entries())
      await page.locator(`[data-at="${row}-2"]:not(.editing)`).getByText(quantity, { exact: true }).waitFor()
    assert.deepEqual(
      (await readLines(pk)).map(({ quantity }) => quantity),
      [31, 32, 33],
    )
  })

  it('ask to confirm an unusually large quantity, in packs and in base units', async () => {
    const pk = await createOrder([{ name: 'Ferrite', pack: '5000', quantity: 10 }])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    const quantityCell = page.locator('[data-at="0-2"]')
    await quantityCell.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('100000')
    await page.keyboard.press('Enter')
    const title = 'Enter 100,000 × 5,000 (= 500,000,000)? The previous quantity was 10 × 5,000 (= 50,000).'
    const confirmation = page.getByRole('dialog', { name: title })
    await confirmation.waitFor()
    await assertAccessible(page)
    await capturePage(page, 'purchase-line-doubt')
    // Enter twice does not order the unconfirmed quantity
    await page.keyboard.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    assert.equal((await readLines(pk))[0]?.quantity, 10)
    await page.keyboard.press('Control+A')
    await page.keyboard.type('90')
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-2"]:not(.editing)').getByText('90 ×').waitFor()
    assert.equal((await readLines(pk))[0]?.quantity, 90)
    // a received quantity above that is confirmed in the same way
    await page.goto(`/order/purchase-order/${pk}/receive/`)
    await page.locator('[data-field="packs"]:focus').waitFor()
    await page.keyboard.type('100000')
    await page.keyboard.press('Control+Enter')
    await page
      .getByText('Ferrite: 99,910 × 5,000 (= 499,550,000) more than ordered, 100,000 × 5,000 (= 500,000,000) in total.')
      .waitFor()
    await capturePage(page, 'receive-more-packs')
    assert.equal((await readLines(pk))[0]?.received, 0)
  })

  it('report which cell was rejected after another was opened, and keep the text typed', async () => {
    const pk = await createOrder([{ name: 'Rejected relay' }], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    const quantity = page.locator('[data-at="0-2"]')
    await quantity.click()
    await page.keyboard.type('3x')
    await page.locator('[data-at="0-8"]').click()
    const notes = page.locator('[data-at="0-8"] input, [data-at="0-8"] textarea')
    await notes.waitFor()
    await page.getByText(/^Rejected relay, Ordered: “3x” is not saved\. ./).waitFor()
    // typing is not interrupted
    await page.keyboard.type('By bicycle')
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-8"]:not(.editing)').getByText('By bicycle').waitFor()
    assert.equal(await quantity.locator('input').inputValue(), '3x')
    assert.equal(await quantity.getByRole('alert').count(), 1)
    await assertAccessible(page)
    await capturePage(page, 'purchase-line-refused')
    await quantity.locator('input').click()
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-2"]:not(.editing)').getByText('3', { exact: true }).waitFor()
    const [line] = await readLines(pk)
    assert.deepEqual([line?.quantity, line?.notes], [3, 'By bicycle'])
  })

  it('save the cells of a line one after the other, however quickly they are edited', async () => {
    const pk = await createOrder([{ name: 'Quick relay' }], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const versions: string[] = []
    await page.route('**/api/order/po-line/*/', async (route) => {
      if (route.request().method() === 'PATCH') versions.push(String(route.request().headers()['if-match']))
      if (versions.length === 1) await released
      return route.continue()
    })
    await page.locator('[data-at="0-2"]').click()
    await page.locator('[data-at="0-2"] input').waitFor()
    await page.keyboard.type('30')
    await page.locator('[data-at="0-8"]').click()
    await page.locator('[data-at="0-8"] input, [data-at="0-8"] textarea').waitFor()
    await page.keyboard.type('At once')
    await page.keyboard.press('Enter')
    release()
    await page.locator('[data-at="0-8"]:not(.editing)').getByText('At once').waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    const [line] = await readLines(pk)
    assert.deepEqual([line?.quantity, line?.notes], [30, 'At once'])
    assert.equal(new Set(versions).size, 2)
  })

  it('show both versions of a line after an edit conflict, to select one', async () => {
    const pk = await createOrder([{ name: 'Loudspeaker', quantity: 4 }])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    const cell = page.locator('[data-at="0-8"]')
    await cell.click()
    await page.keyboard.type('By bicycle')
    const [line] = await readLines(pk)
    assert.equal((await service.superuser.patch(`/api/order/po-line/${line?.pk}/`, { notes: 'By train' })).status, 200)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Edit conflict' })
    await dialog.waitFor()
    assert.deepEqual(await dialog.locator('tbody td').allTextContents(), ['By bicycle', 'By train'])
    await assertAccessible(page)
    await capturePage(page, 'purchase-line-conflict')
    await dialog.getByRole('button', { name: 'Use the other version' }).click()
    await cell.getByText('By train').waitFor()
    assert.equal((await readLines(pk))[0]?.notes, 'By train')
  })

  it('print an order with each of its templates', async () => {
    const pk = await createOrder([{ name: 'Screw' }])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const template = page.locator('.menu-content button').first()
    await template.waitFor()
    await assertAccessible(page)
    // opens in its own window
    const file = page
      .context()
      .waitForEvent('response', { predicate: (candidate) => /\/media\//.test(candidate.url()), timeout: scaleTimeout(60_000) })
    await template.click()
    const response = await file
    assert.deepEqual([response.status(), response.headers()['content-type']], [200, 'application/pdf'])
    await page.getByText('Printed').waitFor()
  })

  it('offer no buttons and no edits to a read-only account', async () => {
    const pk = await createOrder([{ name: 'Felt' }])
    const page = await openConsole(service, 'viewer', `/order/purchase-order/${pk}/`)
    await page.getByText('Placed', { exact: true }).waitFor()
    const main = page.locator('main')
    assert.deepEqual(await main.getByRole('button').allTextContents(), [''])
    assert.equal(await main.getByRole('button', { name: 'More', exact: true }).count(), 1)
    assert.equal(await main.getByRole('combobox').count(), 0)
    assert.equal(await main.locator('td.edited').count(), 0)
    await page.goto(`/order/purchase-order/${pk}/receive/`)
    await page.getByText('Nothing can be received for this order').waitFor()
    await assertAccessible(page)
  })
})
