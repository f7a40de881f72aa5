import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder } from '../../../testing/files.ts'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { createKeyCounter } from '../../testing/keys.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { parts, supplier } = await fillWorkshop(service)
const createObject = async (path: string, body: object): Promise<any> => {
  const { status, body: created, text } = await service.superuser.post(path, body)
  assert.equal(status, 201, `${path}: ${text}`)
  return created
}

describe('the prices page of a part', { skip: cannotBrowse }, () => {
  it('shows the prices of a part that cannot be purchased', async () => {
    await service.rows('update part set purchaseable = false where pk = $1', [parts.cable])
    const page = await openConsole(service, 'member', `/part/${parts.cable}/prices/`)
    await page.getByText('No price range yet').waitFor()
    await service.rows('update part set purchaseable = true where pk = $1', [parts.cable])
  })

  it('says which prices have no exchange rate, also where the currency is selected', async () => {
    const price = await createObject('/api/part/internal-price/', {
      part: parts.cable,
      quantity: 1,
      price: 900,
      price_currency: 'JPY',
    })
    const page = await openConsole(service, 'superuser', `/part/${parts.cable}/prices/`)
    await page.getByText('Prices in JPY are not in the range, as there is no exchange rate.').waitFor()
    await page.getByRole('link', { name: 'Currencies' }).last().waitFor()
    const ofMember = await openConsole(service, 'member', `/part/${parts.cable}/prices/`)
    await ofMember.getByText('Prices in JPY').waitFor()
    await ofMember.keyboard.press('i')
    const currency = ofMember.getByRole('dialog').getByLabel('Currency')
    await currency.selectOption('EUR (no exchange rate)')
    assert.equal(await currency.locator('option', { hasText: /^USD/ }).innerText(), 'USD')
    await assertAccessible(ofMember)
    await capturePage(ofMember, 'price-without-rate')
    await service.superuser.delete(`/api/part/internal-price/${price.pk}/`)
  })

  it('sets price breaks with two keystrokes, not counting the values', async () => {
    await service.rows('update part set salable = true where pk = $1', [parts.board])
    const page = await openConsole(service, 'member', `/part/${parts.board}/prices/`)
    await page.getByText('No price range yet').waitFor()
    await assertAccessible(page)
    const keys = createKeyCounter(page)
    await keys.press('s')
    const dialog = page.getByRole('dialog', { name: 'New sale price' })
    await dialog.waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Tab')
    await page.keyboard.type('12,50')
    await keys.press('Enter')
    await page.getByRole('gridcell', { name: /^\D*12\.50$/ }).waitFor()
    assert.equal(keys.pressed, 2)
    const { body } = await service.member.get(`/api/part/sale-price/?part=${parts.board}`)
    assert.deepEqual(
      body.results.map(({ quantity, price }: any) => [quantity, Number(price)]),
      [[1, 12.5]],
    )
    // edited in place, as in a spreadsheet
    await page.getByRole('gridcell', { name: /^\D*12\.50$/ }).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('11,75')
    await page.keyboard.press('Enter')
    await page.getByRole('gridcell', { name: /^\D*11\.75$/ }).waitFor()
    await keys.press('i')
    await page.getByRole('dialog', { name: 'New internal price' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('7.2')
    await page.keyboard.press('Enter')
    await page.getByRole('gridcell', { name: /^\D*7\.20$/ }).waitFor()
    // the key figures update
    await page.keyboard.press('w')
    await page
      .getByRole('table', { name: 'Price range' })
      .getByText(/11\.75/)
      .first()
      .waitFor()
    await page.keyboard.press('o')
    const override = page.getByRole('dialog', { name: 'Override price range' })
    await override.getByLabel('Minimum price', { exact: true }).fill('9')
    await override.getByLabel('Maximum price', { exact: true }).fill('8')
    await page.keyboard.press('Enter')
    await override.locator('.error, .problem').first().waitFor()
    await override.getByLabel('Maximum price', { exact: true }).fill('10.0625')
    // a concurrent recalculation does not block the save, and another user's override is not lost
    const setByOther = (price: string) =>
      service.rows(`update part_pricing set override_min = ${price}, updated = now() where part = $1`, [parts.board])
    await setByOther('3')
    await page.keyboard.press('Enter')
    await override.getByText('Someone else changed this').waitFor()
    await setByOther('null')
    await page.keyboard.press('Enter')
    await override.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Override', exact: true }).waitFor()
    await page.getByRole('row', { name: /Overall.*9\.00.*10\.0625/ }).waitFor()
    await page.getByText('Saved').last().waitFor({ state: 'detached' })
    await assertAccessible(page)
    await capturePage(page, 'part-prices')
    await page.getByRole('button', { name: /^Delete price .*11\.75/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('gridcell', { name: /^\D*11\.75$/ }).waitFor({ state: 'detached' })
    // the page of the part does not round the unit cost either
    await page.goto(`/part/${parts.board}/`)
    await page.getByRole('link', { name: /^\D*9\.00 – \D*10\.0625$/ }).waitFor()
  })

  it('draws the prices paid over time', async () => {
    const supplierPart = await createObject('/api/company/part/', {
      part: parts.cable,
      supplier,
      SKU: 'BW-100',
      pack_quantity: '100 m',
    })
    for (const [index, price] of ['150', '165', '189.5'].entries()) {
      const { pk } = await createObject('/api/order/po/', { supplier, reference: `PO-010${index}` })
      await createObject('/api/order/po-line/', {
        order: pk,
        part: supplierPart.pk,
        quantity: 1,
        purchase_price: price,
        purchase_price_currency: 'EUR',
      })
      await service.rows(`update purchase_order set creation_date = current_date - 30 * $2::integer where pk = $1`, [
        pk,
        3 - index,
      ])
    }
    const page = await openConsole(service, 'member', `/part/${parts.cable}/prices/`)
    await page.getByRole('img', { name: /Purchase price history: .*1\.50.*1\.895/ }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'part-prices-over-time')
  })

  it('is read-only for accounts that cannot change prices', async () => {
    const page = await openConsole(service, 'viewer', `/part/${parts.board}/prices/`)
    await page.getByRole('gridcell', { name: /^\D*7\.20$/ }).waitFor()
    for (const name of ['New price', 'Recalculate', 'Override price range'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    assert.equal(await page.getByRole('button', { name: /^Delete/ }).count(), 0)
    await assertAccessible(page)
  })
})

describe('the variants page', { skip: cannotBrowse }, () => {
  it('adds a variant with three keystrokes, not counting its name, and nests variants below their template', async () => {
    const template = (await createObject('/api/part/', { name: 'Enclosure', category: 1, is_template: true, component: true })).pk
    const page = await openConsole(service, 'member', `/part/${template}/variants/`)
    await page.getByText('No variants yet').waitFor()
    await assertAccessible(page)
    const keys = createKeyCounter(page)
    await keys.press('n')
    await page.getByRole('dialog', { name: 'New variant' }).waitFor()
    await assertAccessible(page)
    await keys.press('End')
    await page.keyboard.type('red')
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Enclosure red' }).waitFor()
    assert.equal(keys.pressed, 3)
    const [red] = (await service.member.get(`/api/part/?variant_of=${template}`)).body.results
    assert.equal(red.component, true)
    await createObject('/api/part/', { name: 'Enclosure red, with holes', category: 1, variant_of: template })
    await service.rows(`update part set is_template = true where pk = $1`, [red.pk])
    await service.superuser.patch(`/api/part/${(await service.rows(`select pk from part where name like '%holes'`))[0].pk}/`, {
      variant_of: red.pk,
    })
    await page.goto(`/part/${template}/variants/`)
    await page.getByRole('link', { name: 'Enclosure red, with holes' }).waitFor()
    const indents = await page
      .locator('.variant')
      .evaluateAll((elements) => elements.map((element) => Number.parseFloat(getComputedStyle(element).paddingLeft)))
    assert.ok((indents[1] as number) > (indents[0] as number))
    await assertAccessible(page)
    await capturePage(page, 'variants')
  })
})

describe('the part page', { skip: cannotBrowse }, () => {
  it('edits parameters in any compatible unit, and adds new ones', async () => {
    const ohm = await createObject('/api/part/parameter/template/', { name: 'Resistance', units: 'ohm' })
    await createObject('/api/part/parameter/', { part: parts.resistor, template: ohm.pk, data: '10k' })
    await createObject('/api/part/parameter/template/', { name: 'Package', choices: '0402, 0603, 0805' })
    const page = await openConsole(service, 'member', `/part/${parts.resistor}/`)
    await page.getByRole('button', { name: /^10k/ }).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('0.01 Mohm')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^0.01 Mohm/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('y')
    const dialog = page.getByRole('dialog', { name: 'Add parameter' })
    await dialog.getByLabel('Parameter').fill('pack')
    await page.keyboard.press('Enter')
    await dialog.getByRole('combobox', { name: 'Value' }).selectOption('0603')
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^0603/ }).waitFor()
    await page.keyboard.press('y')
    await dialog.getByRole('button', { name: 'New parameter template' }).click()
    const templateDialog = page.getByRole('dialog', { name: 'New parameter template' })
    await templateDialog.getByLabel('Name').fill('Power')
    await templateDialog.getByLabel('Unit').fill('W')
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Value').fill('100 mW')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^100 mW/ }).waitFor()
    const { body } = await service.member.get(`/api/part/parameter/?part=${parts.resistor}&ordering=template`)
    assert.deepEqual(
      body.results.map(({ data, data_numeric }: any) => [data, data_numeric]),
      [
        ['0.01 Mohm', 10_000],
        ['0603', 603],
        ['100 mW', 0.1],
      ],
    )
    await page.getByRole('button', { name: 'Delete Power' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: /^100 mW/ }).waitFor({ state: 'detached' })
  })

  it('manages tests, related parts and stocktakes', async () => {
    const page = await openConsole(service, 'superuser', `/part/${parts.sensor}/`)
    await page.getByText('No tests yet.').waitFor()
    await page.getByRole('button', { name: 'New test' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Test', { exact: true }).fill('Opens the door')
    await dialog.getByLabel('Description').fill('Swipe a card')
    await page.keyboard.press('Enter')
    await page.getByRole('gridcell', { name: 'Opens the door', exact: true }).waitFor()
    await page
      .getByRole('row', { name: /Opens the door/ })
      .getByRole('gridcell')
      .nth(4)
      .click()
    await page
      .getByRole('row', { name: /Opens the door/ })
      .getByRole('gridcell', { name: 'Yes' })
      .nth(2)
      .waitFor()
    const [test] = (await service.member.get(`/api/part/test-template/?part=${parts.sensor}`)).body.results
    assert.deepEqual([test.required, test.enabled, test.requires_value], [true, true, true])
    await page.keyboard.press('r')
    await page.getByRole('combobox', { name: 'Add related part' }).fill('cable')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Related parts' }).waitFor()
    await page.getByRole('link', { name: /Cable LiYCY/ }).waitFor()
    await page.keyboard.press('k')
    await dialog.getByLabel('Quantity').waitFor()
    assert.equal(await dialog.getByLabel('Quantity').inputValue(), '2')
    await page.keyboard.press('Enter')
    await page.getByRole('grid', { name: 'Stocktakes' }).waitFor()
    await page.getByText('Saved').first().waitFor({ state: 'detached' })
    await assertAccessible(page)
    await capturePage(page, 'part-tested')
    await page.getByRole('button', { name: /^Remove related part Cable/ }).click()
    await page.getByRole('link', { name: /Cable LiYCY/ }).waitFor({ state: 'detached' })
  })

  it('copies a part with its data', async () => {
    await createObject('/api/bom/', { part: parts.board, sub_part: parts.resistor, quantity: 14 })
    const page = await openConsole(service, 'member', `/part/${parts.board}/`)
    await page.getByRole('heading', { name: 'Sensor board' }).waitFor()
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog', { name: 'Duplicate part' })
    await dialog.getByLabel('Revision').fill('B')
    await assertAccessible(page)
    await capturePage(page, 'part-copy')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /Sensor board.*B/ }).waitFor()
    const [copy] = (await service.member.get('/api/part/?search=sensor%20board&ordering=-pk')).body.results
    assert.equal(copy.revision, 'B')
    assert.equal((await service.member.get(`/api/bom/?part=${copy.pk}`)).body.count, 1)
  })

  it('moves a part between categories, whose parameters new parts get', async () => {
    const page = await openConsole(service, 'superuser', '/part/')
    await page.getByText(/rows$/).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog').getByLabel('Name').fill('Passives')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Passives' }).waitFor()
    await page.keyboard.press('y')
    const dialog = page.getByRole('dialog', { name: 'Default parameters' })
    await dialog.getByText('No default parameters yet.').waitFor()
    await dialog.getByLabel('Add parameter').fill('resist')
    await page.keyboard.press('Enter')
    await page.locator('.cells-editor input').waitFor()
    await page.keyboard.type('1k')
    await page.keyboard.press('Enter')
    await dialog.getByRole('gridcell', { name: '1k' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'category-parameters')
    const [category] = (await service.member.get('/api/part/category/?name=Passives')).body.results
    const [parameter] = (await service.member.get(`/api/part/category/parameters/?category=${category.pk}`)).body.results
    assert.equal(parameter.default_value, '1k')
    // deleting requires a confirmation, as everywhere
    await dialog.getByRole('button', { name: 'Delete Resistance' }).click()
    await capturePage(page, 'category-parameter-deletion')
    await page.getByRole('dialog', { name: 'Delete Resistance?' }).getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('No default parameters yet.').waitFor()
    await page.goto('/part/category/1/')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByRole('button', { name: 'Unsubscribe' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Resistance' }).waitFor()
    await page
      .getByRole('cell', { name: '0.01 Mohm' })
      .or(page.getByRole('gridcell', { name: '0.01 Mohm' }))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Resistance' }).click()
    await page.waitForURL(/ordering=parameter_/)
    await assertAccessible(page)
    await capturePage(page, 'category')
  })

  it('fits a phone with all of its pages', async () => {
    const page = await openConsole(service, 'member', `/part/${parts.board}/`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await page.getByRole('link', { name: /^Prices/ }).tap()
    await page.getByRole('heading', { name: 'Price range' }).waitFor()
    await page.getByRole('link', { name: /^BOM/ }).tap()
    await page.getByRole('row', { name: /Resistor/ }).waitFor()
    await assertAccessible(page)
  })
})
