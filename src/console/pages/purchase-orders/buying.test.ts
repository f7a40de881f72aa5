// Over 400 lines: the purchasing workflow on one order and its lines, tested on one database with one browser.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createObjectsAs } from '../../../testing/objects/creates.ts'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { createPurchaseOrderHelpers } from '../../testing/purchase-orders.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()
const { member, superuser } = service
const { createSupplierPart, createOrder, readOrder, readLines } = await createPurchaseOrderHelpers(service)
const { setting } = createPurchaseHelpers(service)

/** Creates an object, and returns its key. */
const create = createObjectsAs(member)

describe('purchasing', { skip: cannotBrowse }, () => {
  it('offers the contacts and addresses of the supplier, and shows how to reach them', async () => {
    const pk = await createOrder([{ name: 'Bearing' }], { isPlaced: false })
    const { supplier } = await readOrder(pk)
    const other = await create('/api/company/', { name: 'Another supplier', is_supplier: true })
    await create('/api/company/contact/', { company: other, name: 'Lina Other' })
    const contact = await create('/api/company/contact/', {
      company: supplier,
      name: 'Lina Graf-Wiesenthal zu Hohenlohe',
      email: 'lina.graf-wiesenthal@brightwell-components.example',
      phone: '+49 30 555 1200',
    })
    const address = await create('/api/company/address/', { company: supplier, title: 'Works 2', line1: 'Am Kanal 7' })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('More').click()
    await dialog.getByLabel('Contact').click()
    await page.getByRole('option', { name: /Graf-Wiesenthal/ }).waitFor()
    assert.equal(await page.getByRole('option', { name: /Lina/ }).count(), 1)
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Address').click()
    await page.getByRole('option', { name: /Works 2 · Am Kanal 7/ }).waitFor()
    await page.keyboard.press('Enter')
    await assertAccessible(page)
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: '+49 30 555 1200' }).waitFor()
    await page.getByText('Am Kanal 7', { exact: true }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'purchase-order-contact')
    const order = await readOrder(pk)
    assert.deepEqual([order.contact, order.address], [contact, address])
  })

  it('reports when a price changes with the quantity, and can undo that', async () => {
    const pk = await createOrder([{ name: 'Bushing', quantity: 20, price: '0.695' }], { isPlaced: false })
    const [line] = (await member.get(`/api/order/po-line/?order=${pk}`)).body.results
    await create('/api/company/price-break/', { part: line.part, quantity: 1, price: '0.71', price_currency: 'EUR' })
    await create('/api/company/price-break/', { part: line.part, quantity: 50, price: '0.58', price_currency: 'EUR' })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    const price = page.locator('[data-at="0-4"]')
    await price.getByText('EUR 0.695').waitFor()
    await page.locator('[data-at="0-2"]').click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('60')
    await page.keyboard.press('Enter')
    await page.getByText('Bushing: pack price EUR 0.58 from price breaks, previously EUR 0.695').waitFor()
    await price.getByText('EUR 0.58').waitFor()
    await capturePage(page, 'purchase-line-price')
    await page.keyboard.press('Escape')
    await page.keyboard.press('u')
    await price.getByText('EUR 0.695').waitFor()
    const [changedLine] = (await member.get(`/api/order/po-line/?order=${pk}`)).body.results
    assert.deepEqual([Number(changedLine.quantity), Number(changedLine.purchase_price)], [60, 0.695])
  })

  it('distinguishes packs of one part, and continues by keyboard after the last line', async () => {
    const reel = await createSupplierPart({ name: 'Varistor', pack: '5000' })
    const { part, supplier } = (await member.get(`/api/company/part/${reel}/`)).body
    await create('/api/company/part/', { part, supplier, SKU: 'BW-STRIP', packaging: 'Strip', pack_quantity: '10' })
    const pk = await createOrder([], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('a')
    await page.keyboard.type('varistor')
    await page.getByRole('option', { name: /× 5,000/ }).waitFor()
    await page.getByRole('option', { name: /BW-STRIP · Strip · × 10/ }).waitFor()
    await capturePage(page, 'purchase-line-packs')
    // once for the list, once for the field
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('i')
    await page.getByRole('dialog', { name: /^Issue/ }).waitFor()
  })

  it('does not add a part that the user has not seen if more is typed after Enter, before the search results arrive', async () => {
    const pk = await createOrder([{ name: 'Hinge' }, { name: 'Hinge 3 mm' }], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Pending').waitFor()
    const searches: string[] = []
    let releaseSearch = () => {}
    const searchReleased = new Promise<void>((resolve) => {
      releaseSearch = resolve
    })
    await page.route('**/api/company/part/?*search=*', async (route) => {
      searches.push(new URL(route.request().url()).searchParams.get('search') ?? '')
      await searchReleased
      await route.continue().catch(() => undefined)
    })
    await page.keyboard.press('a')
    const field = page.getByRole('combobox', { name: 'Add line' })
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Hinge')
    await page.keyboard.press('Enter')
    // meant as the quantity
    await page.keyboard.type(' 3')
    releaseSearch()
    await page.getByRole('option', { name: /Hinge 3 mm/ }).waitFor()
    assert.equal(await field.inputValue(), 'Hinge 3')
    assert.ok(searches.includes('Hinge 3'), `${searches}`)
    assert.equal((await readLines(pk)).length, 2)
    // nor is a second line added if the quantity is typed before the first is created
    let releaseCreation = () => {}
    const creationReleased = new Promise<void>((resolve) => {
      releaseCreation = resolve
    })
    await page.route('**/api/order/po-line/', async (route) => {
      await creationReleased
      await route.continue()
    })
    await page.keyboard.press('Enter')
    await page.keyboard.type('78')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await page.waitForTimeout(500)
    releaseCreation()
    // the typed quantity belongs to that line
    await page.locator('td:not(.editing)[data-at="2-2"]').getByText('7', { exact: true }).waitFor()
    assert.deepEqual(
      (await readLines(pk)).map(({ quantity }) => quantity),
      [10, 10, 7],
    )
    assert.ok(!searches.some((text) => text.includes('7')), `${searches}`)
  })

  it('keeps the quantity and the next search typed before the line is created', async () => {
    await createSupplierPart({ name: 'Grommet' })
    const pk = await createOrder([{ name: 'Washer' }], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('a')
    const field = page.getByRole('combobox', { name: 'Add line' })
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('grommet')
    await page.getByRole('option', { name: /Grommet/ }).waitFor()
    await page.route('**/api/order/po-line/', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    const creationResponse = page.waitForResponse((response) => response.url().endsWith('/api/order/po-line/'))
    await page.keyboard.press('Enter')
    await page.keyboard.type('1')
    await creationResponse
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await page.keyboard.press('a')
    await page.locator('td:not(.editing)[data-at="1-2"]').getByText('12', { exact: true }).waitFor()
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('wash')
    await page.getByRole('option', { name: /Washer/ }).waitFor()
    assert.equal(await field.inputValue(), 'wash')
    // nothing is buffered any longer if creating the line fails
    await page.unrouteAll()
    await page.route('**/api/order/po-line/', (route) => route.fulfill({ status: 400, json: { detail: 'Not now' } }))
    await page.keyboard.press('Enter')
    await page.getByText('Not now').waitFor()
    await page.keyboard.press('a')
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('gro')
    await page.getByRole('option', { name: /Grommet/ }).waitFor()
    assert.deepEqual(
      (await readLines(pk)).map(({ quantity }) => quantity),
      [10, 12],
    )
  })

  it('adds a part that the supplier does not list yet, without leaving the order', async () => {
    const pk = await createOrder([], { isPlaced: false })
    const part = await create('/api/part/', { name: 'Torsion spring', purchaseable: true, category: 1 })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('a')
    await page.keyboard.type('torsion')
    await page.getByRole('option', { name: /^Add supplier part for .+$/ }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'purchase-line-new')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await page.waitForFunction(() => /Torsion spring/.test((document.activeElement as HTMLInputElement).value ?? ''))
    await dialog.getByLabel('SKU').fill('TS-5')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Ordered')
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-2"]').getByText('12').waitFor()
    const [line] = (await member.get(`/api/order/po-line/?order=${pk}&part_detail=true`)).body.results
    assert.deepEqual([line.quantity, line.part_detail.pk, line.supplier_part_detail.SKU], [12, part, 'TS-5'])
  })

  it('lists the lines without a price, which are not in the total', async () => {
    const pk = await createOrder(
      [
        { name: 'Rivet', quantity: 10, price: '0.5' },
        { name: 'Rivet gun', quantity: 1, price: '40' },
      ],
      { isPlaced: false },
    )
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    const total = page.locator('.order-total')
    await total.getByText('EUR 45.00').waitFor()
    assert.equal(await total.getByText('no price').count(), 0)
    const [, gun] = (await member.get(`/api/order/po-line/?order=${pk}&ordering=pk`)).body.results
    const change = { purchase_price: null, auto_pricing: false }
    assert.equal((await member.patch(`/api/order/po-line/${gun.pk}/`, change)).status, 200)
    await page.reload()
    await total.getByText('EUR 5.00').waitFor()
    await total.getByText('excluding 1 line without a price').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'purchase-order-unpriced')
  })

  it('shows the quantity received for a line before it is deleted', async () => {
    const pk = await createOrder([{ name: 'Spacer', pack: '100', quantity: 5 }])
    const [line] = (await member.get(`/api/order/po-line/?order=${pk}`)).body.results
    const location = await create('/api/stock/location/', { name: 'Spacer drawer' })
    const received = await member.post(`/api/order/po/${pk}/receive/`, { location, items: [{ line_item: line.pk, quantity: 2 }] })
    assert.equal(received.status, 201, received.text)
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByRole('button', { name: 'Delete line Spacer' }).click()
    await page.getByRole('dialog').getByText('2 × 100 (= 200) already received.').waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await readLines(pk)).length, 1)
  })

  it('explains that no line can be added to an order without a supplier', async () => {
    const pk = await createOrder([], { isPlaced: false })
    assert.equal((await member.patch(`/api/order/po/${pk}/`, { supplier: null })).status, 200)
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Edit the order and select one').waitFor()
    assert.equal(await page.getByLabel('Add line').count(), 0)
    const viewerPage = await openConsole(service, 'viewer', `/order/purchase-order/${pk}/`)
    await viewerPage.getByText('No lines yet').waitFor()
  })

  it('shows large totals in full in the list', async () => {
    await createOrder([{ name: 'Gold plate', quantity: 2_469, price: '1234567.891234' }], { description: 'Dear things' })
    const page = await openConsole(service, 'member', '/order/purchase-order/?search=Dear')
    const total = page.getByRole('gridcell', { name: 'EUR 3,048,148,123.46' })
    await total.waitFor()
    assert.ok(await total.evaluate((cell) => cell.scrollWidth <= cell.clientWidth))
  })

  it('adds pasted rows as lines by numbers and names, and lists the rows skipped', async () => {
    await createSupplierPart({ name: 'Grub screw' })
    const nut = await createSupplierPart({ name: 'Cap nut', pack: '100' })
    const { SKU } = (await member.get(`/api/company/part/${nut}/`)).body
    const pk = await createOrder([], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('a')
    await page.locator('input:focus').waitFor()
    const paste = (text: string) =>
      page.evaluate((pasted) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', pasted)
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(event)
      }, text)
    const text = `Grub screw\t1250\r\n${SKU}\t2.5\r\nNobody knows it\t7\r\nGrub screw\tsome\n`
    // pasting again while the first paste is in progress adds nothing twice
    await paste(text)
    await paste(text)
    await page.getByText('2 lines added').waitFor()
    await page.getByText(/^Not added: Nobody knows it, Grub screw \(some\)\./).waitFor()
    await page.getByText('= 250').waitFor()
    assert.deepEqual(
      (await readLines(pk)).map(({ quantity }) => quantity),
      [1250, 2.5],
    )
    await capturePage(page, 'purchase-order-pasted')
  })

  it('asks which column of pasted rows is the quantity, unless the headings say so', async () => {
    await createSupplierPart({ name: 'Wood screw' })
    await createSupplierPart({ name: 'Wood dowel' })
    const pk = await createOrder([], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Pending').waitFor()
    const paste = (text: string) =>
      page.getByRole('combobox', { name: 'Add line' }).evaluate((field, pasted) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', pasted)
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    const quantities = async () => (await readLines(pk)).map(({ quantity }) => quantity)
    // quantity, price and drawer
    await paste('Wood screw\t500\t0.02\t17\nWood dowel\t40\t0.10\t3\n')
    const dialog = page.getByRole('dialog', { name: 'Pasted rows' })
    const add = dialog.getByRole('button', { name: 'Add 2 lines' })
    await add.waitFor()
    assert.equal(await add.isDisabled(), true)
    await assertAccessible(page)
    await capturePage(page, 'purchase-order-pasted-columns')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await quantities(), [])
    await paste('Wood screw\t500\t0.02\t17\nWood dowel\t40\t0.10\t3\n')
    await dialog.getByLabel('Quantity').selectOption('Column 2')
    await add.click()
    await page.getByText('2 lines added').waitFor()
    assert.deepEqual(await quantities(), [500, 40])

    // headings decide, in any order
    await paste('Price;Drawer;Menge;Bezeichnung;Artikel\n0,02;17;250;x;Wood screw\n0,10;3;8;y;Wood dowel\n')
    await page
      .getByText('= 250')
      .or(page.getByRole('gridcell', { name: '250' }))
      .first()
      .waitFor()
    await page.getByRole('gridcell', { name: '8', exact: true }).first().waitFor()
    assert.deepEqual(await quantities(), [500, 40, 250, 8])

    // headings without a quantity, and running numbers before the name
    await paste('Part,Unit price\nWood screw,0.02\n')
    await dialog.getByLabel('Quantity').waitFor()
    assert.equal(await dialog.getByLabel('Quantity').inputValue(), '')
    await page.keyboard.press('Escape')
    await paste('1\tWood screw\t12\n2\tWood dowel\t6\n')
    await dialog.getByLabel(/^Part/).selectOption('Column 2')
    await dialog.getByLabel('Quantity').selectOption('Column 3')
    await add.click()
    await page.getByRole('gridcell', { name: '12', exact: true }).first().waitFor()
    await page.getByRole('gridcell', { name: '6', exact: true }).first().waitFor()
    assert.deepEqual(await quantities(), [500, 40, 250, 8, 12, 6])
  })

  it('duplicates an order once, however often the button is pressed', async () => {
    const pk = await createOrder([{ name: 'Circlip', quantity: 12 }, { name: 'Shim' }], { description: 'Spares of the quarter' })
    await create('/api/order/po-extra-line/', { order: pk, quantity: 1, description: 'Freight' })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Placed', { exact: true }).waitFor()
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Supplier', { exact: true }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'purchase-order-again')
    await dialog.getByLabel('Supplier reference').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => /purchase-order\/\d+\/$/.test(url.pathname) && !url.pathname.includes(`/${pk}/`))
    await page.getByText('Pending').waitFor()
    await page.getByText('Freight').waitFor()
    const { results } = (await member.get('/api/order/po/?search=Spares')).body
    assert.equal(results.length, 2)
    const copy = results.find((result: { pk: number }) => result.pk !== pk)
    assert.deepEqual(
      (await readLines(copy.pk)).map(({ quantity, received }) => [quantity, received]),
      [
        [12, 0],
        [10, 0],
      ],
    )
  })

  it('accepts dates typed into the form of an order and into its lines, and does not mistake a scan for a date', async () => {
    const pk = await createOrder([{ name: 'Split pin' }], { isPlaced: false })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog')
    const dateField = dialog.getByLabel('Target date')
    await dateField.focus()
    await page.keyboard.type('12012098')
    assert.equal(await dateField.inputValue(), '2098-12-01')
    await page.keyboard.press('Shift+Tab')
    await dateField.focus()
    await scanCode(page, '4006381333931')
    await page.getByText('Save or close the form first').waitFor()
    assert.equal(await dateField.inputValue(), '2098-12-01')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.strip').getByText('1 Dec 2098').waitFor()
    await page.locator('[data-at="0-6"]').click()
    await page.locator('[data-at="0-6"] input').waitFor()
    await page.keyboard.type('11302098')
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-6"]:not(.editing)').getByText('30 Nov 2098').waitFor()
  })

  it('finds the destination of a line by typing letters, as in every other cell', async () => {
    const pk = await createOrder([{ name: 'Taper pin' }], { isPlaced: false })
    const cupboard = await create('/api/stock/location/', { name: 'Cupboard' })
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('ArrowDown')
    for (let column = 0; column < 7; column++) await page.keyboard.press('ArrowRight')
    await page.locator('[data-at="0-7"]:focus').waitFor()
    await page.keyboard.type('cupb')
    await page.getByRole('option', { name: 'Cupboard' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-at="0-7"]:not(.editing)').getByText('Cupboard').waitFor()
    const [line] = (await member.get(`/api/order/po-line/?order=${pk}`)).body.results
    assert.equal(line.destination, cupboard)
  })

  it("shows another window's change to a line, also after discarding an edit, and that the line was deleted", async () => {
    const pk = await createOrder([{ name: 'Spring washer', quantity: 10 }], { isPlaced: false })
    const [line] = await readLines(pk)
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    const cell = page.locator('[data-at="0-2"]')
    await cell.click()
    await page.keyboard.type('9')
    assert.equal((await superuser.patch(`/api/order/po-line/${line?.pk}/`, { quantity: 7 })).status, 200)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Edit conflict' }).waitFor()
    // the reload for the conflict completes before the line is deleted
    const reloadResponse = page.waitForResponse('**/api/web/read/')
    await page.keyboard.press('Escape')
    await cell.getByText('7', { exact: true }).waitFor()
    await reloadResponse
    await page.locator('[data-at="0-2"]:focus').waitFor()
    await page.keyboard.type('8')
    assert.equal((await superuser.delete(`/api/order/po-line/${line?.pk}/`)).status, 204)
    await page.keyboard.press('Enter')
    await cell.getByText('Someone else deleted this.').waitFor()
    await assertAccessible(page)
  })

  it("shows long quantities in full on a phone, with the reader's decimal separator", async () => {
    const pk = await createOrder([
      { name: 'Schleifringübertrager mit Hohlwelle', pack: '12.5', quantity: 1234.56789, units: 'm' },
    ])
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`, {
      locale: 'de-DE',
      viewport: { width: 390, height: 844 },
    })
    await page.locator('small').getByText('2,50 EUR').waitFor()
    const overflow = await page.locator('.cells').evaluate((cells) => cells.scrollWidth - cells.clientWidth)
    assert.equal(overflow, 0)
    await capturePage(page, 'purchase-order-long-quantity')
    await page.goto(`/order/purchase-order/${pk}/receive/`)
    const packsField = page.locator('[data-field="packs"]')
    await packsField.waitFor()
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      const inputState = await packsField.evaluate((input: HTMLInputElement) => [
        input.value,
        input.scrollWidth - input.clientWidth,
      ])
      assert.deepEqual(inputState, ['1234,56789', 0], `${width} pixels`)
    }
    await packsField.fill('2,5')
    await page.getByText('= 31,25 m', { exact: true }).waitFor()
    await capturePage(page, 'receive-decimals')
  })

  it('edits lines of a complete order only if the settings allow it', async () => {
    const pk = await createOrder([{ name: 'Dowel' }])
    assert.equal((await member.post(`/api/order/po/${pk}/complete/`, { accept_incomplete: true })).status, 201)
    const page = await openConsole(service, 'member', `/order/purchase-order/${pk}/`)
    await page.getByText('Complete', { exact: true }).waitFor()
    const main = page.locator('main')
    const countControls = async () => [
      await main.getByLabel('Add line').count(),
      await main.getByRole('button', { name: /^Delete line/ }).count(),
      await main.getByRole('button', { name: 'Add other charge' }).count(),
      await main.locator('td.edited').count(),
    ]
    assert.deepEqual(await countControls(), [0, 0, 0, 0])
    await assertAccessible(page)
    // an invoice may still arrive
    await main.getByRole('button', { name: 'Add file' }).waitFor()
    await setting('PURCHASEORDER_EDIT_COMPLETED_ORDERS', 'True')
    await page.reload()
    await main.getByLabel('Add line').waitFor()
    const [adder, bins, extra, cells] = await countControls()
    assert.deepEqual([adder, bins, extra], [1, 1, 1])
    assert.ok(cells && cells > 0)
    await setting('PURCHASEORDER_EDIT_COMPLETED_ORDERS', 'False')
  })
})
