// Over 400 lines: it tests a build order from start to completion, with everything displayed on the way, in one workshop.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { createKeyCounter } from '../../testing/keys.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { parts, locations, items, supplier } = await fillWorkshop(service)
const createObject = async (path: string, body: object): Promise<any> => {
  const { status, body: created, text } = await service.superuser.post(path, body)
  assert.equal(status, 201, `${path}: ${text}`)
  return created
}
const [resistors] = [
  await createObject('/api/bom/', { part: parts.board, sub_part: parts.resistor, quantity: 14, reference: 'R1-R14' }),
  await createObject('/api/bom/', { part: parts.board, sub_part: parts.cable, quantity: 60 }),
]
/** Far from the references that are generated in the console, to avoid collisions. */
let lastNumber = 100
async function createBuild(part: number, quantity: number): Promise<number> {
  lastNumber += 10
  return (await createObject('/api/build/', { part, quantity, reference: `BO-${String(lastNumber).padStart(4, '0')}` })).pk
}

/** A second batch of resistors, and a substitute for them. */
const otherBatch = (
  await createObject('/api/stock/', { part: parts.resistor, quantity: 500, location: locations.box, batch: 'L2032-01' })
).pk
const substitute = (await createObject('/api/part/', { name: 'Resistor 10 kΩ 0805', category: 1, component: true })).pk
await createObject('/api/bom/substitute/', { bom_item: resistors.pk, part: substitute })
const substituteStock = (await createObject('/api/stock/', { part: substitute, quantity: 20, location: locations.box })).pk

describe('build orders', { skip: cannotBrowse }, () => {
  it('show an empty state', async () => {
    const emptyService = await testService()
    const page = await openConsole(emptyService, 'viewer', '/build/?active=true')
    await page.getByText('No open orders').waitFor()
    await capturePage(page, 'builds-none-open')
    await page.keyboard.press('a')
    await page.getByText('No build orders yet').waitFor()
    assert.equal(new URL(page.url()).search, '')
    assert.equal(await page.getByRole('button', { name: 'New build order' }).count(), 0)
    await assertAccessible(page)
  })

  it('need 20 keystrokes and typed text from the page of a part to completion, with one line allocated by hand', async () => {
    const page = await openConsole(service, 'member', `/part/${parts.board}/`)
    await page.getByRole('heading', { name: 'Sensor board' }).waitFor()
    await page.getByRole('button', { name: 'Create build order' }).waitFor()
    const keys = createKeyCounter(page)
    const dialog = page.getByRole('dialog')
    await keys.press('m')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement)?.name === 'quantity')
    await assertAccessible(page)
    await keys.press('Control+A', '1', 'Enter')
    await page.getByRole('heading', { name: /^BO-.*Sensor board/ }).waitFor()
    await page.getByRole('row', { name: /Resistor 10 kΩ 0603/ }).waitFor()
    await page.getByText('2 rows').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'build')

    // one line by hand: Enter opens the first, with its shortage filled in
    await keys.press('Enter')
    await dialog.getByRole('heading', { name: /Resistor/ }).waitFor()
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement)?.value === '14')
    await dialog.getByText('L2032-01').waitFor()
    await dialog.getByText('Resistor 10 kΩ 0805').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'build-line')
    // ten from the first batch, four of the substitute
    await keys.press('1', '0', 'ArrowDown', 'ArrowDown', '4', 'Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Resistor.* 14 14/ }).waitFor()
    const allocations = await service.rows(
      `select stock_item, trim_scale(quantity)::text as quantity from build_allocation a order by a.quantity`,
    )
    assert.deepEqual(allocations, [
      { stock_item: substituteStock, quantity: '4' },
      { stock_item: items.resistors, quantity: '10' },
    ])

    // the rest automatically
    await keys.press('a')
    await dialog.getByRole('button', { name: 'Allocate stock' }).waitFor()
    await keys.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /^Cable.* 60 m 60 m/ }).waitFor()
    await keys.press('b')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement)?.name === 'quantity')
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Incomplete outputs' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await keys.press('c')
    await dialog.getByLabel('Location', { exact: true }).waitFor()
    await keys.type('bench')
    await keys.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Bench')
    await assertAccessible(page)
    await capturePage(page, 'build-complete')
    await keys.press('Enter')
    await page.getByText('1 / 1').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await keys.press('f')
    await dialog.getByText('Nothing is missing.').waitFor()
    await keys.press('Enter')
    await page.getByText('Complete', { exact: true }).waitFor()
    const [order] = await service.rows('select status, trim_scale(completed)::text as completed from build_order')
    assert.deepEqual(order, { status: 40, completed: '1' })
    const [remaining] = await service.rows('select trim_scale(quantity)::text as quantity from stock_item where pk = $1', [
      items.resistors,
    ])
    assert.equal(remaining.quantity, '4190')
    assert.equal(keys.pressed - 'bench'.length, 20)
  })

  it('show quantities without binary rounding errors', async () => {
    const pk = await createBuild(parts.board, 1)
    await service.rows('update build_order set quantity = 1.3 where pk = $1', [pk])
    for (const quantity of [0.1, 0.2, 0.7]) await service.member.post(`/api/build/${pk}/create-output/`, { quantity })
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    await page.getByRole('heading', { name: 'Incomplete outputs' }).waitFor()
    await page.keyboard.press('b')
    // 1.3 minus 0.1, 0.2 and 0.7 is 0.30000000000000004 in binary fractions
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement)?.value === '0.3')
  })

  it('release allocations, and change their quantities, line by line', async () => {
    const pk = await createBuild(parts.board, 2)
    const [line] = (await service.member.get(`/api/build/line/?build=${pk}`)).body.results
    const formatItem = (stock_item: number, quantity: number) => ({ build_line: line.pk, stock_item, quantity })
    const { status } = await service.member.post(`/api/build/${pk}/allocate/`, {
      items: [formatItem(items.resistors, 20), formatItem(otherBatch, 8)],
    })
    assert.equal(status, 201)
    const page = await openConsole(service, 'member', `/build/${pk}/?line=${line.pk}`)
    const dialog = page.getByRole('dialog')
    const grid = dialog.getByRole('grid', { name: 'Allocated' })
    await grid.getByRole('gridcell', { name: '20' }).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('12,5')
    await page.keyboard.press('Enter')
    await grid.getByRole('gridcell', { name: '12.5' }).waitFor()
    await grid
      .getByRole('button', { name: /^Release/ })
      .nth(1)
      .click()
    await grid.getByRole('row').nth(2).waitFor({ state: 'detached' })
    await dialog.getByText('15.5').first().waitFor()
    const remaining = await service.rows(
      'select trim_scale(quantity)::text as quantity from build_allocation where build_line = $1',
      [line.pk],
    )
    assert.deepEqual(remaining, [{ quantity: '12.5' }])
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('row', { name: /Resistor.* 12.5 15.5/ }).waitFor()
    assert.ok(!page.url().includes('line='))
  })

  it('require confirmation before more is allocated than required, and before more outputs are created than ordered', async () => {
    const pk = await createBuild(parts.board, 1)
    const [line] = (await service.member.get(`/api/build/line/?build=${pk}`)).body.results
    const readAllocated = async () =>
      (
        await service.rows('select trim_scale(quantity)::text as quantity from build_allocation where build_line = $1', [line.pk])
      ).map(({ quantity }) => quantity)
    const page = await openConsole(service, 'member', `/build/${pk}/?line=${line.pk}`)
    const dialog = page.getByRole('dialog').first()
    const confirmation = page.getByRole('dialog', { name: /Only .* are required/ })
    const waitForCheckButton = () => page.waitForFunction(() => document.activeElement?.textContent === 'Check again')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement)?.value === '14')
    const keys = createKeyCounter(page)
    await keys.press('2', '0', 'Enter')
    await page.getByRole('dialog', { name: 'Allocate 20 in total? Only 14 are required.' }).waitFor()
    await waitForCheckButton()
    await assertAccessible(page)
    await capturePage(page, 'build-more-put-by')
    await keys.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    assert.deepEqual(await readAllocated(), [])
    await dialog.getByRole('button', { name: /^Allocate 20/ }).click()
    await confirmation.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await readAllocated(), ['20'])

    // the same for existing allocations
    await page.goto(`${new URL(page.url()).origin}/build/${pk}/?line=${line.pk}`)
    await dialog.getByRole('grid', { name: 'Allocated' }).getByRole('gridcell', { name: '20' }).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('25')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Allocate 25 in total? Only 14 are required.' }).waitFor()
    await waitForCheckButton()
    await page.keyboard.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    assert.deepEqual(await readAllocated(), ['20'])
    await page.keyboard.press('Enter')
    await confirmation.getByRole('button', { name: 'Confirm' }).click()
    await dialog.locator('.cells-editor').waitFor({ state: 'detached' })
    await dialog.getByRole('gridcell', { name: '25' }).waitFor()
    assert.deepEqual(await readAllocated(), ['25'])
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await dialog.waitFor({ state: 'detached' })

    await page.keyboard.press('b')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement)?.name === 'quantity')
    await keys.press('Control+A', '3', 'Enter')
    await page.getByText('Create 3? The order has only 1 left to build.').waitFor()
    await waitForCheckButton()
    const outputs = async () => (await service.rows('select 1 from stock_item where build = $1', [pk])).length
    assert.equal(await outputs(), 0)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'Incomplete outputs' }).waitFor()
    assert.equal(await outputs(), 1)
  })

  it('list missing components before completion, with options for them', async () => {
    const pk = await createBuild(parts.board, 2)
    const [resistor] = (await service.member.get(`/api/build/line/?build=${pk}&search=Resistor`)).body.results
    const item = { build_line: resistor.pk, stock_item: items.resistors, quantity: 28.5 }
    assert.equal((await service.member.post(`/api/build/${pk}/allocate/`, { items: [item] })).status, 201)
    assert.equal((await service.member.post(`/api/build/${pk}/create-output/`, { quantity: 1 })).status, 201)
    const [output] = await service.rows('select pk from stock_item where build = $1', [pk])
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    await page.getByRole('heading', { name: 'Incomplete outputs' }).waitFor()
    const keys = createKeyCounter(page)
    const dialog = page.getByRole('dialog')
    await keys.press('f')
    await page.getByRole('dialog', { name: /^Cannot complete/ }).waitFor()
    await dialog.getByText(`1 output is incomplete: Output ${output.pk}.`).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'build-not-yet')
    await keys.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const response = await service.member.post(`/api/build/${pk}/complete/`, {
      outputs: [{ output: output.pk }],
      location: locations.bench,
    })
    assert.equal(response.status, 201, response.text)
    await page.reload()
    await page.getByText('1 / 2').waitFor()
    await keys.press('f')
    await dialog.getByText(/1 component is overallocated: .*Resistor 10 kΩ 0603 \(28\.5 of 28\)\./).waitFor()
    await dialog.getByText(/1 component is not allocated in full: Cable .* \(0 of 120 m\)\./).waitFor()
    await dialog.getByText('1 of 2 completed. Stock allocated for the rest is consumed as well.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'build-finish')
    // the service returns the same errors
    await keys.press('Control+Enter')
    await dialog.locator('.error').nth(2).waitFor()
    await dialog.getByLabel('Overallocated stock').selectOption('Release the surplus')
    await dialog.getByLabel('Accept unallocated components').check()
    await dialog.getByLabel('Complete with fewer outputs').check()
    await keys.press('Control+Enter')
    await page.getByText('Complete', { exact: true }).waitFor()
    const [consumed] = await service.rows(
      `select trim_scale(sum(quantity))::text as quantity from stock_item where consumed_by = $1 and part = $2`,
      [pk, parts.resistor],
    )
    assert.equal(consumed.quantity, '28')
  })

  it('let users order shortages with two keystrokes', async () => {
    const spool = await createObject('/api/company/part/', {
      part: parts.cable,
      supplier,
      SKU: 'BW-CABLE-100',
      pack_quantity: '100 m',
    })
    const pk = await createBuild(parts.board, 5)
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    await page.getByRole('button', { name: 'Order shortages' }).waitFor()
    const keys = createKeyCounter(page)
    await keys.press('o')
    await page.getByRole('dialog').getByText('BW-CABLE-100').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'build-order-lacking')
    await keys.press('Enter')
    await page.getByRole('dialog', { name: '1 purchase order created' }).getByRole('link', { name: /^PO/ }).waitFor()
    await assertAccessible(page)
    assert.equal(keys.pressed, 2)
    const lines = await service.rows('select part, trim_scale(quantity)::text as quantity from purchase_order_line')
    assert.deepEqual(lines, [{ part: spool.pk, quantity: '3' }])
    await keys.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keys.press('o')
    await page.getByText('1 component is already on order in full.').waitFor()
  })

  it('have outputs with serial numbers, which show their tests and can be completed, scrapped and deleted', async () => {
    await createObject('/api/part/test-template/', { part: parts.sensor, test_name: 'Opens the door', description: 'Swipe it' })
    const housing = (await createObject('/api/part/', { name: 'Housing', category: 1, component: true })).pk
    await createObject('/api/bom/', { part: parts.sensor, sub_part: housing, quantity: 1 })
    const pk = await createBuild(parts.sensor, 4)
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    await page.getByRole('button', { name: 'Create output' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Serial numbers', { exact: true }).fill('2001-2004')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: '#2004' }).waitFor()
    await page.getByText('0 of 1 passed').first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'build-outputs')
    const [{ pk: outputKey }] = await service.rows(`select pk from stock_item where serial = '2001'`)
    const [{ pk: test }] = await service.rows('select pk from part_test_template')
    await createObject('/api/stock/test/', { stock_item: outputKey, template: test, result: true })
    await page.reload()
    await page.getByText('1 of 1 passed').waitFor()

    await page.getByRole('checkbox', { name: 'Select #2001' }).check()
    await page.getByRole('button', { name: 'Complete 1 output' }).click()
    await dialog.getByLabel('Location', { exact: true }).fill('bench')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Bench')
    await page.keyboard.press('Enter')
    await page.getByText('1 / 4').waitFor()
    await page.getByRole('checkbox', { name: 'Select #2002' }).check()
    await page.getByRole('button', { name: 'Scrap' }).click()
    await dialog.getByLabel('Notes').fill('Cracked')
    await dialog.getByLabel('Location', { exact: true }).fill('bench')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Bench')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: '#2002' }).waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select #2003' }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('#2003').waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('link', { name: '#2003' }).waitFor({ state: 'detached' })
    const outputs = await service.rows(`select serial, status, is_building from stock_item where build = $1 order by serial`, [
      pk,
    ])
    assert.deepEqual(outputs, [
      { serial: '2001', status: 10, is_building: false },
      { serial: '2002', status: 65, is_building: false },
      { serial: '2004', status: 10, is_building: true },
    ])
  })

  it('leave scrapped outputs at their location, instead of moving them to the destination of completed ones', async () => {
    const frame = (await createObject('/api/part/', { name: 'Frame', category: 1, assembly: true, trackable: true })).pk
    const { pk } = await createObject('/api/build/', {
      part: frame,
      quantity: 3,
      reference: 'BO-0810',
      destination: locations.shelf,
    })
    const createOutputs = (location: number, serial_numbers: string) =>
      createObject(`/api/build/${pk}/create-output/`, { quantity: serial_numbers.split(',').length, serial_numbers, location })
    await createOutputs(locations.bench, '3001,3002')
    await createOutputs(locations.box, '3003')
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    const dialog = page.getByRole('dialog')
    const locationField = dialog.getByLabel('Location', { exact: true })
    // their locations differ, so that the field is empty
    await page.getByRole('button', { name: 'Scrap' }).click()
    await dialog.getByLabel('Notes').waitFor()
    await page.waitForTimeout(300)
    assert.equal(await locationField.inputValue(), '')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    for (const serial of ['3001', '3002']) await page.getByRole('checkbox', { name: `Select #${serial}` }).check()
    await page.getByRole('button', { name: 'Scrap' }).click()
    await dialog.locator('input:visible').and(locationField).waitFor()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('dialog input')].some((field) => (field as HTMLInputElement).value.endsWith('Bench')),
    )
    await dialog.getByLabel('Notes').fill('Bent')
    await dialog.getByRole('button', { name: 'Scrap' }).click()
    await page.getByText('2 outputs scrapped').waitFor()
    assert.deepEqual(
      await service.rows(`select serial, status, location from stock_item where build = $1 order by serial`, [pk]),
      [
        { serial: '3001', status: 65, location: locations.bench },
        { serial: '3002', status: 65, location: locations.bench },
        { serial: '3003', status: 10, location: locations.box },
      ],
    )
  })

  it('have child build orders, and show long BOMs in full', async () => {
    const machine = (await createObject('/api/part/', { name: 'Machine', category: 1, assembly: true })).pk
    await createObject('/api/bom/', { part: machine, sub_part: parts.board, quantity: 100 })
    await service.rows(
      `insert into part (name, category, component) select 'Screw ' || lpad(n::text, 4, '0'), 1, true from generate_series(1, 500) n`,
    )
    await service.rows(`insert into bom_item (part, sub_part, quantity) select $1, pk, 2 from part where name like 'Screw %'`, [
      machine,
    ])
    const pk = await createBuild(machine, 1)
    const page = await openConsole(service, 'member', `/build/${pk}/`)
    await page.getByText('501 rows').waitFor()
    await page.keyboard.press('End')
    await page.getByRole('row', { name: /Screw 0500/ }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Build the shortage' }).click()
    await page.getByRole('dialog', { name: 'New build order' }).getByLabel('Quantity').waitFor()
    const [line] = (await service.member.get(`/api/build/line/?build=${pk}&search=board`)).body.results
    const shortage = 100 - line.total_available_stock
    assert.ok(shortage > 0 && shortage < 100, String(shortage))
    assert.equal(await page.getByRole('dialog').getByLabel('Quantity').inputValue(), String(shortage))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /Sensor board/ }).waitFor()
    // the parent is shown by its reference
    const { reference } = (await service.member.get(`/api/build/${pk}/`)).body
    await page.getByRole('link', { name: reference, exact: true }).click()
    await page.getByRole('heading', { name: 'Child build orders' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'build-below')
  })

  it('offer no actions to read-only accounts', async () => {
    const pk = await createBuild(parts.board, 1)
    const page = await openConsole(service, 'viewer', `/build/${pk}/`)
    await page.getByRole('heading', { name: /^BO-/ }).waitFor()
    await page.getByRole('grid', { name: 'Components' }).getByRole('gridcell').first().waitFor()
    for (const name of ['Allocate stock', 'Create output', 'Order shortages', 'Scrap'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    assert.equal(await page.getByRole('dialog').getByRole('textbox').count(), 0)
    await assertAccessible(page)
  })

  it('can be processed on a phone', async () => {
    const pk = await createBuild(parts.board, 1)
    const page = await openConsole(service, 'member', `/build/${pk}/`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await page
      .getByRole('row', { name: /Resistor/ })
      .locator('td:not(.wide-only)')
      .last()
      .tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Allocate 14/ }).waitFor()
    await capturePage(page, 'build-line-phone')
    await dialog.getByRole('button', { name: /^Allocate 14/ }).tap()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(
      (await service.member.get(`/api/build/line/?build=${pk}&allocated=true`)).body.results.map(
        ({ allocated }: any) => allocated,
      ),
      [14],
    )
    await page.goto('/build/?active=true')
    await page.getByRole('link', { name: /BO/ }).first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'builds')
  })
})
