import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { digikeyLabel, workshop } from '../../testing/deliveries.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()
const { place, part, stock, sale, setting } = workshop(service)
/** A long delay, since keys arrive late on a busy machine. */
const INPUT_DELAY_MS = 400
await setting('BARCODE_INPUT_DELAY', INPUT_DELAY_MS)
const shelf = await place('Shelf 3')

const createObject = async (path: string, body: object): Promise<number> => {
  const { status, body: created, text } = await service.superuser.post(path, body)
  assert.equal(status, 201, `${path}: ${text}`)
  return created.pk
}
const createBomLine = (assembly: number, component: number, quantity: number, fields: object = {}) =>
  createObject('/api/bom/', { part: assembly, sub_part: component, quantity, ...fields })
const formatCode = (item: number) => `{"stockitem": ${item}}`

/** Reads the allocations of a build order: part, quantity and output. */
async function readAllocations(build: number): Promise<[string, number, number | null][]> {
  const { body } = await service.member.get(`/api/build/item/?build=${build}&part_detail=true&ordering=pk&limit=100`)
  return body.results
    .toSorted((firstItem: { pk: number }, other: { pk: number }) => firstItem.pk - other.pk)
    .map(({ part_detail, quantity, install_into }: any) => [part_detail.name, quantity, install_into])
}

const findNewest = (page: Page) => page.locator('.scan-newest')
const waitForText = (page: Page, text: string | RegExp) => findNewest(page).getByText(text).waitFor()
const press = async (page: Page, key: string) => {
  await page.waitForTimeout(INPUT_DELAY_MS + 50)
  await page.keyboard.press(key)
}

/** Creates a build order for ten amplifiers, made of resistors, knobs of any color, a plug or its substitute, and glue. */
async function createAmplifierBuild(reference: string) {
  const names = { amplifier: 'Amplifier', resistor: 'Resistor 10 kΩ', knob: 'Knob', plug: 'Plug', glue: 'Glue' }
  const createPart = (name: keyof typeof names, fields = {}) => part(`${names[name]} ${reference}`, fields)
  const amplifier = await createPart('amplifier', { assembly: true })
  const [resistor, knob, plug] = [
    await createPart('resistor'),
    await createPart('knob', { is_template: true }),
    await createPart('plug'),
  ]
  const red = await part(`Knob ${reference} red`, { variant_of: knob })
  const jack = await part(`Jack ${reference}`)
  await createBomLine(amplifier, resistor, 14, { reference: 'R1-R14' })
  await createBomLine(amplifier, knob, 2, { allow_variants: true })
  const plugs = await createBomLine(amplifier, plug, 1)
  await createObject('/api/bom/substitute/', { bom_item: plugs, part: jack })
  await createBomLine(amplifier, await createPart('glue'), 5, { consumable: true })
  const build = await createObject('/api/build/', { part: amplifier, quantity: 10, reference })
  return { build, resistor, red, plug, jack }
}

describe('picking for a build order', { skip: cannotBrowse }, () => {
  it('allocates everything with one scan per box, from the page of the order', async () => {
    const { build, resistor, red, plug, jack } = await createAmplifierBuild('BO-0801')
    const [smallReel, reel] = [await stock(resistor, 40, shelf), await stock(resistor, 5000, shelf)]
    const [knobs, plugs, jacks] = [await stock(red, 50, shelf), await stock(plug, 4, shelf), await stock(jack, 9, shelf)]
    const label = digikeyLabel('PO-1', 'KNOB-RED-ND', 50)
    const linkResponse = await service.member.post('/api/barcode/link/', { barcode: label, stockitem: knobs })
    assert.equal(linkResponse.status, 201, linkResponse.text)
    const page = await openConsole(service, 'member', `/build/${build}/`)
    await page.getByRole('link', { name: 'Pick by scanning' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'build-pick-by-scanning')
    await press(page, 'p')
    await page.locator('.scan-progress').getByText('0 of 140').waitFor()
    assert.equal(await page.getByLabel('Pick for').inputValue(), `build ${build}`)
    const scans: [string, string][] = [
      [formatCode(smallReel), 'Allocated 40 × Resistor 10 kΩ BO-0801'],
      [formatCode(reel), 'Allocated 100 × Resistor 10 kΩ BO-0801'],
      // a supplier's label linked to a box of a variant
      [label, 'Allocated 20 × Knob BO-0801 red'],
      [formatCode(plugs), 'Allocated 4 × Plug BO-0801'],
      [formatCode(jacks), 'Allocated 6 × Jack BO-0801'],
    ]
    for (const [code, text] of scans) {
      await scanCode(page, code)
      await waitForText(page, text)
    }
    await waitForText(page, 'substitute for Plug BO-0801 · 10 of 10')
    await page.locator('.scan-progress').getByText('10 of 10').waitFor()
    await page.locator('.scan-progress').getByText('140 of 140').waitFor()
    assert.deepEqual([scans.length, await page.locator('.scan-progress li.complete').count()], [5, 3])
    await assertAccessible(page)
    await capturePage(page, 'scan-pick-build')
    assert.deepEqual(await readAllocations(build), [
      ['Resistor 10 kΩ BO-0801', 40, null],
      ['Resistor 10 kΩ BO-0801', 100, null],
      ['Knob BO-0801 red', 20, null],
      ['Plug BO-0801', 4, null],
      ['Jack BO-0801', 6, null],
    ])
    const reelItem = (await service.member.get(`/api/stock/${reel}/`)).body
    assert.deepEqual([reelItem.quantity, reelItem.allocated], [5000, 100])
    // undo starts with the latest scan
    await press(page, 'Alt+u')
    await waitForText(page, 'Undone: Allocated 6 × Jack BO-0801')
    await press(page, 'Alt+u')
    await waitForText(page, 'Undone: Allocated 4 × Plug BO-0801')
    await page.locator('.scan-progress').getByText('0 of 10').waitFor()
    assert.deepEqual((await readAllocations(build)).length, 3)
  })

  it('reports why stock was not allocated, with the quantity available now', async () => {
    const { build, resistor, plug } = await createAmplifierBuild('BO-0802')
    const [reel, spare] = [await stock(resistor, 200, shelf), await stock(resistor, 30, shelf)]
    const [box, installedPlug] = [await stock(await part('Umbrella'), 3, shelf), await stock(plug, 6, shelf)]
    await service.rows('update stock_item set belongs_to = $2, location = null where pk = $1', [installedPlug, box])
    const page = await openConsole(service, 'member', '/scan/pick/')
    // the order is scanned, too
    await scanCode(page, `{"build": ${build}}`)
    await waitForText(page, 'Order: BO-0802')
    await scanCode(page, formatCode(box))
    await waitForText(page, 'The build order does not need this part')
    await waitForText(page, '3 × Umbrella · 3 available')
    await scanCode(page, formatCode(installedPlug))
    await waitForText(page, 'This item is not in stock')
    await scanCode(page, `{"part": ${plug}}`)
    await waitForText(page, 'This is not the barcode of a stock item')
    await scanCode(page, formatCode(reel))
    await waitForText(page, 'Allocated 140 × Resistor 10 kΩ BO-0802')
    await scanCode(page, formatCode(spare))
    await waitForText(page, 'The build order already has enough of this part')
    await press(page, 'Alt+u')
    await waitForText(page, 'Undone')
    await scanCode(page, formatCode(spare))
    await waitForText(page, 'Allocated 30 × Resistor 10 kΩ BO-0802')
    await scanCode(page, formatCode(spare))
    await waitForText(page, 'All of this item is allocated already')
    await waitForText(page, '30 × Resistor 10 kΩ BO-0802 · 0 available')
    await assertAccessible(page)
    await capturePage(page, 'scan-pick-build-refused')
    assert.deepEqual(await readAllocations(build), [['Resistor 10 kΩ BO-0802', 30, null]])
    assert.equal((await service.superuser.post(`/api/build/${build}/cancel/`)).status, 201)
    await scanCode(page, formatCode(reel))
    await waitForText(page, 'The build order is complete or cancelled')
  })

  it('reports the output of a tracked part, and asks if there are several', async () => {
    const robot = await part('Robot', { assembly: true, trackable: true })
    const brain = await part('Brain', { trackable: true })
    await createBomLine(robot, brain, 1)
    const build = await createObject('/api/build/', { part: robot, quantity: 3, reference: 'BO-0803' })
    const firstItem = await stock(brain, 1, shelf, { serial: 'B-1' })
    const secondItem = await stock(brain, 1, shelf, { serial: 'B-2' })
    const thirdItem = await stock(brain, 1, shelf, { serial: 'B-3' })
    const page = await openConsole(service, 'member', `/scan/pick/?build=${build}`)
    await page.locator('.scan-progress').getByText('0 of 3').waitFor()
    await scanCode(page, formatCode(firstItem))
    await waitForText(page, 'into individual outputs. Create an output first')
    const creation = await service.superuser.post(`/api/build/${build}/create-output/`, { quantity: 3, serial_numbers: '7,8,9' })
    assert.equal(creation.status, 201, creation.text)
    const outputs: { pk: number; serial: string }[] = (await service.member.get(`/api/stock/?build=${build}&is_building=true`))
      .body.results
    await scanCode(page, formatCode(firstItem))
    await waitForText(page, 'Which output is it for?')
    await waitForText(page, 'Brain #B-1')
    await assertAccessible(page)
    await capturePage(page, 'scan-pick-build-output')
    await page.getByRole('button', { name: '#8' }).click()
    await waitForText(page, 'Allocated 1 × Brain')
    await waitForText(page, '#B-1 · into #8 · 1 of 3')
    // or the output is scanned
    await scanCode(page, formatCode(secondItem))
    await waitForText(page, 'Which output is it for?')
    await scanCode(page, formatCode(outputs.find(({ serial }) => serial === '9')?.pk as number))
    await waitForText(page, '#B-2 · into #9 · 2 of 3')
    // only one is left
    await scanCode(page, formatCode(thirdItem))
    await waitForText(page, '#B-3 · into #7')
    await page.locator('.scan-progress').getByText('3 of 3').waitFor()
    assert.deepEqual(
      (await readAllocations(build)).map(([name, quantity, output]) => [
        name,
        quantity,
        outputs.find(({ pk }) => pk === output)?.serial,
      ]),
      [
        ['Brain', 1, '8'],
        ['Brain', 1, '9'],
        ['Brain', 1, '7'],
      ],
    )
  })

  it('stores scans while the network is down, and speaks German', async () => {
    const { build, resistor } = await createAmplifierBuild('BO-0804')
    const reel = await stock(resistor, 200, shelf)
    const page = await openConsole(service, 'member', `/scan/pick/?build=${build}`, { locale: 'de-DE' })
    await page.locator('.scan-progress').getByText('0 von 140').waitFor()
    await page.context().setOffline(true)
    await scanCode(page, formatCode(reel))
    await waitForText(page, 'Gespeichert: Wird gesendet, wenn die Verbindung wieder da ist')
    await page
      .getByRole('region')
      .getByText(/Bereitstellen/)
      .waitFor()
    await page.context().setOffline(false)
    await waitForText(page, '140 × Resistor 10 kΩ BO-0804 bereitgestellt')
    await capturePage(page, 'scan-pick-build-de')
    await scanCode(page, formatCode(reel))
    await waitForText(page, 'Der Fertigungsauftrag hat schon genug von diesem Teil')
    assert.deepEqual(await readAllocations(build), [['Resistor 10 kΩ BO-0804', 140, null]])
  })

  it('asks for the missing details of a stored scan once it was sent', async () => {
    const lamp = await part('Lamp', { assembly: true, trackable: true })
    const bulb = await part('Bulb', { trackable: true })
    await createBomLine(lamp, bulb, 1)
    const build = await createObject('/api/build/', { part: lamp, quantity: 2, reference: 'BO-0805' })
    const creation = await service.superuser.post(`/api/build/${build}/create-output/`, { quantity: 2, serial_numbers: '1,2' })
    assert.equal(creation.status, 201, creation.text)
    const firstItem = await stock(bulb, 1, shelf, { serial: 'L-1' })
    const page = await openConsole(service, 'member', `/scan/pick/?build=${build}`)
    await page.getByText('0 of 2').waitFor()
    await page.context().setOffline(true)
    await scanCode(page, formatCode(firstItem))
    await waitForText(page, 'Stored: it is sent when the connection is back')
    await waitForText(page, `Stock item ${firstItem}`)
    await page.context().setOffline(false)
    await waitForText(page, 'More details are required')
    await page.getByRole('button', { name: 'Try again' }).click()
    await waitForText(page, 'Which output is it for?')
    await page.getByRole('button', { name: '#2' }).click()
    await waitForText(page, '#L-1 · into #2')
    await page.locator('.scan-pending').waitFor({ state: 'detached' })
    assert.deepEqual(
      (await readAllocations(build)).map(([name, quantity]) => [name, quantity]),
      [['Bulb', 1]],
    )
  })
})

describe('picking for a sales order', { skip: cannotBrowse }, () => {
  it('shows the quantity of a box available now', async () => {
    const kit = await part('Lark kit')
    const box = await stock(kit, 20, shelf)
    const [firstOrder, other] = [await sale(kit, 8), await sale(kit, 20)]
    const shipments = [firstOrder, other].map(({ pk }) =>
      createObject('/api/order/so/shipment/', { order: pk, reference: `S-${pk}` }),
    )
    const [, shipment] = await Promise.all(shipments)
    const [line] = (await service.member.get(`/api/order/so-line/?order=${other.pk}`)).body.results
    const page = await openConsole(service, 'member', `/order/sales-order/${firstOrder.pk}/`)
    await page.getByRole('heading', { name: firstOrder.reference }).waitFor()
    await press(page, 'p')
    await page.getByText('0 of 8').waitFor()
    const otherAllocation = await service.superuser.post(`/api/order/so/${other.pk}/allocate/`, {
      shipment,
      items: [{ line_item: line.pk, stock_item: box, quantity: 20 }],
    })
    assert.equal(otherAllocation.status, 201, otherAllocation.text)
    await scanCode(page, formatCode(box))
    await waitForText(page, 'Not enough is available')
    await waitForText(page, '20 × Lark kit · 0 available')
    const [allocation] = (await service.member.get(`/api/order/so-allocation/?order=${other.pk}`)).body.results
    const releaseResponse = await service.superuser.patch(`/api/order/so-allocation/${allocation.pk}/`, { quantity: 15 })
    assert.equal(releaseResponse.status, 200, releaseResponse.text)
    await scanCode(page, formatCode(box))
    await waitForText(page, 'Allocated 5 × Lark kit')
    await waitForText(page, '5 of 8')
    await scanCode(page, formatCode(box))
    await waitForText(page, 'Not enough is available')
  })
})
