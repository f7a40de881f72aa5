import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder } from '../../../testing/files.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })

/** A red dot. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
)

describe('the part pages', { skip: cannotBrowse }, () => {
  it('show an empty state that says how to add a part', async () => {
    const page = await openConsole(service, 'member', '/part/')
    await page.getByText('No parts yet').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'parts-none')
  })

  it('list parts in a table with search and categories, edited in place', async () => {
    const { parts } = await fillWorkshop(service)
    const page = await openConsole(service, 'member', '/part/')
    await page.getByText('4 rows').waitFor()
    await page.getByText('99.5 m', { exact: true }).first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'parts')
    await page.getByLabel('Low stock').selectOption('Yes')
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Resistor 10 kΩ 0603' }).waitFor()
    await page.getByRole('button', { name: /Thick film/ }).click()
    await page.keyboard.type('Thick film, 1 %')
    await page.keyboard.press('Enter')
    await assertEventually(
      async () => (await service.member.get(`/api/part/${parts.resistor}/`)).body.description === 'Thick film, 1 %',
    )
    await page.goto('/part/category/1/')
    await page.getByRole('heading', { name: 'Electronics' }).waitFor()
    await page.getByText('4 rows').waitFor()
    await assertAccessible(page)
  })

  it('show a part that is built and was never purchased', async () => {
    const assembly = { name: 'Made here', description: 'By us', category: 1, assembly: true, purchaseable: false }
    const { status, body } = await service.member.post('/api/part/', assembly)
    assert.equal(status, 201, JSON.stringify(body))
    const page = await openConsole(service, 'member', `/part/${body.pk}/`)
    await page.getByRole('heading', { name: 'Made here', level: 1 }).waitFor()
    await service.rows('delete from part where pk = $1', [body.pk])
  })

  it('create parts by keyboard, and edit them in place', async () => {
    const page = await openConsole(service, 'member', '/part/')
    await page.getByText('4 rows').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New part' })
    await dialog.waitFor()
    assert.ok(await dialog.getByLabel('Purchasable').isChecked(), 'the default of the settings')
    await page.keyboard.type('Terminal block')
    await dialog.getByLabel('Category', { exact: true }).fill('elec')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Electronics')
    await assertAccessible(page)
    await capturePage(page, 'part-new')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Terminal block' }).waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('Minimum stock').fill('12,5')
    await page.getByLabel('Unit').fill('kg')
    await page.keyboard.press('Enter')
    await page.getByText('Low stock').waitFor()
    await page.getByText('12.5 kg').waitFor()
    const { body } = await service.member.get('/api/part/?name_regex=Terminal')
    assert.deepEqual([body.results[0].minimum_stock, body.results[0].units], [12.5, 'kg'])
  })

  it('save cells of the list one after the other, and report a rejected value with the text typed', async () => {
    const [{ pk }] = await service.rows(`select pk from part where name = 'Sensor board'`)
    const page = await openConsole(service, 'member', '/part/?search=Sensor+board&columns=name,description,minimum_stock')
    const locateCell = (name: string) => page.locator(`[data-name="${name}"]`)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let changes = 0
    await page.route(`**/api/part/${pk}/`, async (route) => {
      if (++changes === 1) await released
      return route.continue()
    })
    await locateCell('description').getByRole('button').click()
    await page.keyboard.type('For two sensors')
    await locateCell('minimum_stock').getByRole('button').click()
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    release()
    await locateCell('minimum_stock').getByText('7').waitFor()
    await locateCell('description').getByText('For two sensors').waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    const readPart = async () => {
      const { body } = await service.member.get(`/api/part/${pk}/`)
      return [body.description, body.minimum_stock]
    }
    assert.deepEqual(await readPart(), ['For two sensors', 7])

    await locateCell('minimum_stock').getByRole('button').click()
    await page.keyboard.type('7x')
    await locateCell('description').getByRole('button').click()
    await page.getByText(/^Sensor board, Minimum stock: “7x” is not saved\. ./).waitFor()
    assert.equal(await locateCell('minimum_stock').locator('input').inputValue(), '7x')
    await page.keyboard.type('Small')
    await page.keyboard.press('Enter')
    await assertEventually(async () => (await readPart())[0] === 'Small')
    await capturePage(page, 'part-cell-refused')
  })

  it('accept a pasted picture unless a dialog is open, and show files beyond the first hundred', async () => {
    const [{ pk }] = await service.rows(`select pk from part where name = 'Terminal block'`)
    await service.rows(
      `insert into part_attachment (part, link, comment) select $1, 'https://files.example/' || n, '' from generate_series(1, 101) n`,
      [pk],
    )
    const page = await openConsole(service, 'member', `/part/${pk}/`)
    await page.getByText('Showing 100 of 101.').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('Showing 100 of 101.').waitFor({ state: 'detached' })
    assert.equal(await page.locator('.files li').count(), 101)
    const changes: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()))
    const paste = () =>
      page.evaluate((picture) => {
        const clipboardData = new DataTransfer()
        const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0))
        clipboardData.items.add(new File([bytes], 'dot.png', { type: 'image/png' }))
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
      }, PICTURE.toString('base64'))
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await paste()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await paste()
    await page.getByRole('img', { name: /Picture of/ }).waitFor()
    // a picture whose file is missing is not shown
    await page.route('**/media/part_images/**', (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await page.getByRole('button', { name: 'Add picture' }).waitFor()
    assert.equal(await page.getByRole('img', { name: /Picture of/ }).count(), 0)
    await page.unroute('**/media/part_images/**')
    await page.reload()
    await page.getByRole('img', { name: /Picture of/ }).waitFor()
    assert.equal(changes.length, 1)
  })

  it('show both versions after an edit conflict', async () => {
    const { body } = await service.member.get('/api/part/?name_regex=Terminal')
    const url = `/api/part/${body.results[0].pk}/`
    const page = await openConsole(service, 'member', `/part/${body.results[0].pk}/`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Description').fill('Assigned to me')
    await service.superuser.patch(url, { description: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit conflict' })
    await dialog.waitFor()
    assert.deepEqual(await dialog.locator('tbody td').allTextContents(), ['Assigned to me', 'Theirs'])
    await dialog.getByRole('button', { name: 'Use the other version' }).click()
    await page.getByText('Theirs').waitFor()
  })

  it('show key figures, locations, suppliers, components, parameters and charts', async () => {
    const [board] = await service.rows(`select pk from part where name = 'Sensor board'`)
    const [resistor] = await service.rows(`select pk from part where name like 'Resistor%'`)
    const createObject = async (path: string, body: object) => {
      const { status, text, body: created } = await service.superuser.post(path, body)
      assert.equal(status, 201, text)
      return created
    }
    await createObject('/api/bom/', { part: board.pk, sub_part: resistor.pk, quantity: 14, reference: 'R1-R14' })
    const template = await createObject('/api/part/parameter/template/', { name: 'Resistance', units: 'ohm' })
    await createObject('/api/part/parameter/', { part: resistor.pk, template: template.pk, data: '10k' })
    const [reel] = await service.rows('select pk from supplier_part')
    for (const [quantity, price] of [
      [1, '21.50'],
      [10, '18.90'],
    ])
      await createObject('/api/company/price-break/', { part: reel.pk, quantity, price, price_currency: 'EUR' })
    await service.rows(
      `insert into part_stocktake (part, date, quantity, item_count, cost_min_currency, cost_max_currency)
       select $1, current_date - 30 * n, 4200 + 700 * (n % 5) - 90 * n, 1, 'EUR', 'EUR' from generate_series(1, 12) n`,
      [resistor.pk],
    )
    // an overdue order is still incoming
    const late = await createObject('/api/order/po/', { reference: 'PO-7001', supplier: 1, target_date: '2020-01-31' })
    await createObject('/api/order/po-line/', { order: late.pk, part: reel.pk, quantity: 2 })
    const page = await openConsole(service, 'superuser', `/part/${resistor.pk}/`)
    await page.getByRole('img', { name: /Stock over time: .* 14,200$/ }).waitFor()
    await page.getByText('BW-R10K-REEL').waitFor()
    await page.getByText('EUR 18.90').waitFor()
    // an order that was not issued does not count as on order
    assert.equal(await page.getByText('On order', { exact: true }).count(), 0)
    await createObject(`/api/order/po/${late.pk}/issue/`, {})
    await page.reload()
    await page.getByText('On order', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^Used in/ }).waitFor()
    await page.getByRole('button', { name: /^10k/ }).waitFor()
    await page.locator('input[type=file][accept]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PICTURE })
    await page.getByRole('img', { name: /Picture of/ }).waitFor()
    await page
      .locator('input[type=file][multiple]')
      .setInputFiles({ name: 'datasheet.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') })
    await page.getByRole('link', { name: 'datasheet.pdf' }).waitFor()
    await page.getByText('Saved').waitFor({ state: 'detached' })
    await assertAccessible(page)
    await capturePage(page, 'part')
    await page.getByRole('button', { name: 'Delete datasheet.pdf' }).click()
    const deletion = page.waitForRequest((request) => request.method() === 'DELETE')
    await page.getByRole('dialog', { name: 'Delete datasheet.pdf?' }).getByRole('button', { name: 'Delete', exact: true }).click()
    // a conditional delete keeps a row that was changed since it was loaded
    assert.ok((await deletion).headers()['if-match'])
    await page.getByRole('link', { name: 'datasheet.pdf' }).waitFor({ state: 'detached' })
    const droppedFiles = await page.evaluateHandle(() => {
      const files = new DataTransfer()
      files.items.add(new File(['%PDF-'], 'drawing.pdf'))
      return files
    })
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: droppedFiles })
    await page.getByRole('link', { name: 'drawing.pdf' }).waitFor()

    await page.goto(`/part/${board.pk}/`)
    await page.getByRole('link', { name: /^BOM/ }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'part-assembly')
    await page.keyboard.press('2')
    await page.getByRole('gridcell', { name: '14', exact: true }).waitFor()
  })

  it('show a supplier part with prices per pack', async () => {
    const [reel] = await service.rows('select pk from supplier_part')
    const page = await openConsole(service, 'member', `/supplier-part/${reel.pk}/`)
    await page.getByRole('heading', { name: 'BW-R10K-REEL' }).waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New price' })
    await dialog.getByLabel('Quantity').fill('100')
    await dialog.getByLabel('Price', { exact: true }).fill('15,25')
    await page.keyboard.press('Enter')
    await page.getByText('EUR 15.25').waitFor()
    await page.getByText('Saved').waitFor({ state: 'detached' })
    await assertAccessible(page)
    await capturePage(page, 'supplier-part')
    const { body } = await service.member.get(`/api/company/price-break/?part=${reel.pk}&ordering=-quantity`)
    assert.deepEqual([body.results[0].quantity, Number(body.results[0].price)], [100, 15.25])
  })

  it('offer no changes to a read-only account', async () => {
    const [part] = await service.rows(`select pk from part where name = 'Sensor board'`)
    const page = await openConsole(service, 'viewer', `/part/${part.pk}/`)
    await page.getByRole('link', { name: /^BOM/ }).waitFor()
    for (const name of ['New stock', 'Edit', 'Add component', 'Add parameter', 'Add file', 'Add picture'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    assert.equal(await page.locator('.edit-cell').count(), 0)
    await assertAccessible(page)
  })
})

async function assertEventually(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail('the condition did not become true')
}
