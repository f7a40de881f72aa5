import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, findCell, openConsole } from '../../testing/console.ts'
import { scanCode } from '../../testing/scanner.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { parts, locations } = await fillWorkshop(service)
const createObject = async (path: string, body: object): Promise<number> => {
  const { status, body: created, text } = await service.superuser.post(path, body)
  assert.equal(status, 201, `${path}: ${text}`)
  return created.pk
}
await createObject('/api/bom/', { part: parts.board, sub_part: parts.resistor, quantity: 14, reference: 'R1-R14' })
await createObject('/api/bom/', { part: parts.board, sub_part: parts.cable, quantity: 60 })

describe('working on a build order', { skip: cannotBrowse }, () => {
  it('reports components that could not be allocated, and no shortages once the order is closed', async () => {
    const pk = await createObject('/api/build/', { part: parts.board, quantity: 2, reference: 'BO-0701' })
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    await page.getByText('2 rows').waitFor()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Allocate stock' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Available stock allocated; 1 component is not allocated in full').waitFor()
    assert.equal(await page.getByRole('columnheader', { name: 'Shortage' }).count(), 1)
    await page.keyboard.press('x')
    await dialog.getByRole('button', { name: 'Cancel build order' }).click()
    await page.getByText('BO-0701 cancelled').waitFor()
    await page.getByRole('columnheader', { name: 'Shortage' }).waitFor({ state: 'detached' })
    assert.deepEqual(
      (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()),
      ['Component', 'Reference', 'Required'],
    )
    await assertAccessible(page)
    await capturePage(page, 'build-cancelled')
  })

  it('suggests the next serial number for outputs, and links to the BOM of a part without components', async () => {
    const pk = await createObject('/api/build/', { part: parts.sensor, quantity: 2, reference: 'BO-0702' })
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    await page.getByText('No components yet.').waitFor()
    const bomLink = page.getByRole('link', { name: 'BOM' })
    assert.equal(await bomLink.getAttribute('href'), `/part/${parts.sensor}/bom/`)
    await assertAccessible(page)
    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Next serial number: 1003.').waitFor()
    // serial numbers are required
    assert.equal(await dialog.getByText('Leave empty for stock without serial numbers').count(), 0)
    await dialog.getByLabel('Serial numbers', { exact: true }).fill('1003+')
    await dialog.getByText('2: 1003, 1004').waitFor()
    await capturePage(page, 'build-begin-serials')
    await page.keyboard.press('Enter')
    await page.getByText('2 created').waitFor()
    // the page of the output links to its order
    await page.getByRole('link', { name: '#1004' }).click()
    await page.getByRole('heading', { name: /#1004/ }).waitFor()
    // exactly once: two matches would fail
    await page.locator('.detail-list').getByRole('link', { name: 'BO-0702' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('2 outputs deleted').waitFor()
  })

  it('rejects an action on data that another user has changed since, and reloads it', async () => {
    const pk = await createObject('/api/build/', { part: parts.board, quantity: 2, reference: 'BO-0703' })
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    await page.getByText('2 rows').waitFor()
    await page.keyboard.press('x')
    const dialog = page.getByRole('dialog')
    const cancelButton = dialog.getByRole('button', { name: 'Cancel build order' })
    await cancelButton.waitFor()
    const changed = await service.superuser.patch(`/api/build/${pk}/`, { quantity: 5 })
    assert.equal(changed.status, 200, changed.text)
    await cancelButton.click()
    await dialog.getByText('Someone else changed this.').waitFor()
    await assertAccessible(page)
    await page.getByText('0 / 5').waitFor()
    assert.equal((await service.member.get(`/api/build/${pk}/`)).body.status, 10)
    const cancelRequest = page.waitForRequest(`**/api/build/${pk}/cancel/`)
    await cancelButton.click()
    await page.getByText('BO-0703 cancelled').waitFor()
    const headers = (await cancelRequest).headers()
    assert.deepEqual([headers['if-match'] !== undefined, headers['idempotency-key']?.length], [true, 32])
  })

  it("accepts an action right after the user's own change, before the page has reloaded it", async () => {
    const pk = await createObject('/api/build/', { part: parts.board, quantity: 2, reference: 'BO-0710' })
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    await page.getByText('2 rows').waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('Title').fill('For the fair')
    await page.route('**/api/web/read/', () => undefined)
    await page.keyboard.press('Enter')
    await page.getByLabel('Title').waitFor({ state: 'detached' })
    await page.keyboard.press('x')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel build order' }).click()
    await page.getByText('BO-0710 cancelled').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('shows the current available quantity after another user has allocated some', async () => {
    const lid = await createObject('/api/part/', { name: 'Lid', component: true, category: 1 })
    const tin = await createObject('/api/part/', { name: 'Tin', assembly: true, category: 1 })
    await createObject('/api/bom/', { part: tin, sub_part: lid, quantity: 1 })
    const created = await service.superuser.post('/api/stock/', { part: lid, quantity: 10 })
    assert.equal(created.status, 201, created.text)
    const [firstBuild, secondBuild] = [
      await createObject('/api/build/', { part: tin, quantity: 10, reference: 'BO-0704' }),
      await createObject('/api/build/', { part: tin, quantity: 7, reference: 'BO-0705' }),
    ]
    const [line] = (await service.member.get(`/api/build/line/?build=${firstBuild}`)).body.results
    const page = await openConsole(service, 'member', `/build/${firstBuild}/?line=${line.pk}`)
    const dialog = page.getByRole('dialog', { name: 'Lid' })
    await dialog.getByRole('button', { name: /10/ }).waitFor()
    assert.equal((await service.superuser.post(`/api/build/${secondBuild}/auto-allocate/`, {})).status, 201)
    await page.keyboard.press('Enter')
    await dialog.getByText('Only 3 available.').waitFor()
    const row = dialog.getByRole('row').filter({ hasText: 'Only 3 available' })
    await row.getByRole('cell', { name: '3', exact: true }).waitFor()
    assert.equal(await row.getByRole('textbox').inputValue(), '10')
    await capturePage(page, 'build-take-refused')
    await row.getByRole('textbox').fill('3')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await service.member.get(`/api/build/line/${line.pk}/`)).body.allocated, 3)
  })

  it('reports no shortage of a tracked component that is already installed', async () => {
    const chip = await createObject('/api/part/', { name: 'Secure chip', component: true, trackable: true, category: 1 })
    const lock = await createObject('/api/part/', { name: 'Lock', assembly: true, trackable: true, category: 1 })
    await createObject('/api/bom/', { part: lock, sub_part: chip, quantity: 1 })
    const stockResponse = await service.superuser.post('/api/stock/', {
      part: chip,
      quantity: 2,
      serial_numbers: '1-2',
      location: locations.bench,
    })
    assert.equal(stockResponse.status, 201, stockResponse.text)
    const pk = await createObject('/api/build/', { part: lock, quantity: 2, reference: 'BO-0708' })
    const outputResponse = await service.superuser.post(`/api/build/${pk}/create-output/`, { quantity: 2, serial_numbers: '1-2' })
    assert.equal(outputResponse.status, 201, outputResponse.text)
    const outputs = (await service.member.get(`/api/stock/?build=${pk}&ordering=serial`)).body.results
    const items = (await service.member.get(`/api/stock/?part=${chip}&ordering=serial`)).body.results
    const [line] = (await service.member.get(`/api/build/line/?build=${pk}`)).body.results
    /** Allocates the first chip to the first lock. */
    const allocateChip = async () => {
      const item = { build_line: line.pk, stock_item: items[0].pk, quantity: 1, output: outputs[0].pk }
      const allocation = await service.member.post(`/api/build/${pk}/allocate/`, { items: [item] })
      assert.equal(allocation.status, 201, allocation.text)
    }
    const complete = async ({ pk: output }: { pk: number }) => {
      const completion = await service.member.post(`/api/build/${pk}/complete/`, {
        outputs: [{ output }],
        location: locations.bench,
        status: 10,
      })
      assert.equal(completion.status, 201, completion.text)
    }
    await allocateChip()
    await complete(outputs[0])
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    const row = page.getByRole('row').filter({ hasText: 'Secure chip' })
    await row.getByText('1 consumed').waitFor()
    assert.equal(await (await findCell(row, 'To allocate')).innerText(), '1')
    assert.equal(await (await findCell(row, 'Shortage')).innerText(), '', 'a second one is in stock')
    await capturePage(page, 'build-built-in')
    await page.goto(`/scan/pick/?build=${pk}`)
    await page.getByText('1 of 2', { exact: true }).waitFor()
    await scanCode(page, JSON.stringify({ stockitem: items[1].pk }))
    await page.getByText('#2 · into #2 · 2 of 2').waitFor()
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await complete(outputs[1])
    await page.goto(`/build/${pk}/`)
    await row.getByText('2 consumed').waitFor()
    assert.equal(await (await findCell(row, 'To allocate')).innerText(), '')
    // the next step is to complete the order, not to allocate
    assert.equal(await page.locator('header .primary, .actions .primary').first().innerText(), 'Complete build order')
  })

  it('shows what is to allocate, and a shortage only of what the source location does not have', async () => {
    const nail = await createObject('/api/part/', { name: 'Nail', component: true, category: 1 })
    const crate = await createObject('/api/part/', { name: 'Crate', assembly: true, category: 1 })
    await createObject('/api/bom/', { part: crate, sub_part: nail, quantity: 10 })
    for (const [location, quantity] of [
      [locations.bench, 15],
      [locations.shelf, 100],
    ])
      assert.equal((await service.superuser.post('/api/stock/', { part: nail, location, quantity })).status, 201)
    const anywhere = await createObject('/api/build/', { part: crate, quantity: 4, reference: 'BO-0761' })
    const fromBench = await createObject('/api/build/', {
      part: crate,
      quantity: 4,
      reference: 'BO-0762',
      take_from: locations.bench,
    })
    const page = await openConsole(service, 'member', `/build/${anywhere}/`)
    const row = page.getByRole('row').filter({ hasText: 'Nail' })
    const readCells = async () => {
      await row.waitFor()
      return Promise.all(
        ['Required', 'To allocate', 'Shortage', 'Available'].map(async (title) => (await findCell(row, title)).innerText()),
      )
    }
    assert.deepEqual(await readCells(), ['40', '40', '', '115'])
    await page.goto(`/build/${fromBench}/`)
    assert.deepEqual(await readCells(), ['40', '40', '25', '15'])
    await assertAccessible(page)
    await capturePage(page, 'build-shortage')
    await row.getByRole('gridcell').nth(2).click()
    const dialog = page.getByRole('dialog', { name: 'Nail' })
    await dialog.getByRole('button', { name: 'Allocate 15' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await waitUntil(async () => (await readCells()).join(' ') === '40 25 25 0', 'the allocation of 15 is not shown')
  })

  it('lists outputs that are short of a tracked component, and allocates items to them one after the other', async () => {
    const reed = await createObject('/api/part/', { name: 'Reed', component: true, trackable: true, category: 1 })
    const pipe = await createObject('/api/part/', { name: 'Pipe', assembly: true, trackable: true, category: 1 })
    await createObject('/api/bom/', { part: pipe, sub_part: reed, quantity: 1 })
    const stockResponse = await service.superuser.post('/api/stock/', { part: reed, quantity: 2, serial_numbers: '1-2' })
    assert.equal(stockResponse.status, 201, stockResponse.text)
    const pk = await createObject('/api/build/', { part: pipe, quantity: 2, reference: 'BO-0709', destination: locations.bench })
    const outputResponse = await service.superuser.post(`/api/build/${pk}/create-output/`, {
      quantity: 2,
      serial_numbers: '71-72',
    })
    assert.equal(outputResponse.status, 201, outputResponse.text)
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    await page.getByRole('link', { name: '#72' }).waitFor()
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('c')
    await dialog.getByRole('button', { name: 'Complete outputs' }).click()
    await dialog.getByText('#71, #72: Not all components of the output are allocated.').waitFor()
    await capturePage(page, 'build-output-lacks')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('row').filter({ hasText: 'Reed' }).getByRole('gridcell').nth(2).click()
    await dialog.getByRole('button', { name: 'Allocate 1' }).waitFor()
    // the next key works even before the reload
    await page.route('**/api/web/read/', () => undefined)
    await page.keyboard.press('Enter')
    // the next item is offered for the next output
    await page.waitForFunction(
      () => document.querySelector<HTMLSelectElement>('dialog select')?.selectedOptions[0]?.text === '#72',
    )
    await dialog.getByRole('textbox', { name: 'Quantity of Reed, #2' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const { results } = (await service.member.get(`/api/build/item/?build=${pk}&stock_detail=true`)).body
    const outputs = (await service.member.get(`/api/stock/?build=${pk}&ordering=serial`)).body.results
    assert.deepEqual(
      results.map(({ install_into, stock_item_detail }: any) => [
        outputs.find((output: any) => output.pk === install_into).serial,
        stock_item_detail.serial,
      ]),
      [
        ['71', '1'],
        ['72', '2'],
      ],
    )
  })

  it('offers a build for a sales order whose stock is damaged, with only parts that can be built', async () => {
    const customer = await createObject('/api/company/', { name: 'Nightingale Radio', is_customer: true, is_supplier: false })
    const flute = await createObject('/api/part/', { name: 'Flute', assembly: true, salable: true, category: 1 })
    await createObject('/api/part/', { name: 'Flute string', component: true, category: 1 })
    const damaged = await service.superuser.post('/api/stock/', { part: flute, quantity: 4, status: 55 })
    assert.equal(damaged.status, 201, damaged.text)
    const order = await createObject('/api/order/so/', { reference: 'SO-0709', customer })
    await createObject('/api/order/so-line/', { order, part: flute, quantity: 3 })
    const page = await openConsole(service, 'member', `/order/sales-order/${order}/`)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('n')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === '3')
    const dialog = page.getByRole('dialog')
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('dialog [name=part]')?.value === 'Flute')
    await dialog.getByLabel('Part', { exact: true }).fill('flute')
    await page.getByRole('option', { name: 'Flute' }).waitFor()
    assert.deepEqual(await page.getByRole('option').allInnerTexts(), ['Flute'])
  })

  it('builds the shortage of a sales order, for its customer and target date', async () => {
    const customer = await createObject('/api/company/', { name: 'Songbird Audio', is_customer: true, is_supplier: false })
    assert.equal((await service.superuser.patch(`/api/part/${parts.board}/`, { salable: true })).status, 200)
    const order = await createObject('/api/order/so/', { reference: 'SO-0701', customer, target_date: '2099-05-04' })
    await createObject('/api/order/so-line/', { order, part: parts.board, quantity: 37 })
    const page = await openConsole(service, 'member', `/order/sales-order/${order}/`)
    await page.getByText('Pending').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    // 30 are available
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === '7')
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^BO-.*Sensor board/ }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'SO-0701' }).waitFor()
    const { results } = (await service.member.get(`/api/build/?sales_order=${order}`)).body
    assert.deepEqual(
      results.map(({ part, quantity, target_date }: any) => [part, quantity, target_date]),
      [[parts.board, 7, '2099-05-04']],
    )
  })

  it('shows quantities in full in a wide window, and on hover in a narrow one', async () => {
    const cable = await createObject('/api/part/', { name: 'Wire', units: 'm', component: true, category: 1 })
    const drum = await createObject('/api/part/', { name: 'Drum', assembly: true, category: 1 })
    await createObject('/api/bom/', { part: drum, sub_part: cable, quantity: 1234.56789 })
    const pk = await createObject('/api/build/', { part: drum, quantity: 37, reference: 'BO-0751' })
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    const shortageCell = page.getByRole('gridcell', { name: '45,679.01193 m' }).last()
    await shortageCell.waitFor()
    const isTruncated = () => shortageCell.evaluate((cell) => cell.scrollWidth > cell.clientWidth)
    assert.equal(await isTruncated(), false)
    await page.setViewportSize({ width: 1024, height: 900 })
    assert.equal(await isTruncated(), true)
    await shortageCell.hover()
    assert.equal(await shortageCell.getAttribute('title'), '45,679.01193 m')
    await page.setViewportSize({ width: 1440, height: 900 })
    await shortageCell.hover({ position: { x: 5, y: 5 } })
    assert.equal(await shortageCell.getAttribute('title'), '')
  })
})
