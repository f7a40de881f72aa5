import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService()
const { member } = service

const create = async (path: string, body: object): Promise<number> => {
  const { status, body: created, text } = await member.post(path, body)
  assert.equal(status, 201, text)
  return created.pk
}

describe('parametric search', { skip: cannotBrowse }, () => {
  let category: number
  const templates: Record<string, number> = {}
  before(async () => {
    category = await create('/api/part/category/', { name: 'Capacitors' })
    for (const [name, more] of Object.entries({
      Capacitance: { units: 'F' },
      'Rated voltage': { units: 'V' },
      Dielectric: { choices: 'C0G, X5R, X7R' },
      Polarised: { checkbox: true },
      Series: {},
    }))
      templates[name] = await create('/api/part/parameter/template/', { name, ...more })
    for (const [name, values] of Object.entries({
      'MLCC 100 nF': { Capacitance: '100n', 'Rated voltage': '50 V', Dielectric: 'X7R', Polarised: 'false', Series: 'GRM' },
      'MLCC 4.7 µF': { Capacitance: '4u7', 'Rated voltage': '25 V', Dielectric: 'X5R', Polarised: 'false', Series: 'GRM' },
      'MLCC 10 pF': { Capacitance: '10 pF', 'Rated voltage': '100 V', Dielectric: 'C0G', Polarised: 'false', Series: 'GCM' },
      'Electrolytic 10 µF': { Capacitance: '0.01 mF', 'Rated voltage': '63 V', Polarised: 'true', Series: 'FR' },
      'Electrolytic 220 µF': { Capacitance: '220 uF', 'Rated voltage': '16 V', Polarised: 'true', Series: 'FR' },
    })) {
      const part = await create('/api/part/', { name, category })
      await create('/api/stock/', { part, quantity: 10 })
      for (const [template, data] of Object.entries(values))
        await create('/api/part/parameter/', { part, template: templates[template], data })
    }
    await create('/api/part/', { name: 'Screw', category: await create('/api/part/category/', { name: 'Screws' }) })
  })

  it('finds parts by values with units, ranges, choices and yes or no', async () => {
    const page = await openConsole(service, 'member', `/part/category/${category}/`)
    await page.getByText('5 rows').waitFor()
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByLabel('Capacitance (F)').fill('4.7 to 10 uF')
    await page.keyboard.press('Enter')
    await page.getByText('2 rows').waitFor()
    assert.equal(await page.getByLabel('Capacitance (F)').inputValue(), '4.7 uF to 10 uF')
    await page.getByLabel('Rated voltage (V)').fill('>= 50')
    await page.keyboard.press('Enter')
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Electrolytic 10 µF' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'parametric-search')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('5 rows').waitFor()

    await page.getByRole('button', { name: 'Dielectric: Any' }).click()
    await page.getByLabel('X7R').check()
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByLabel('C0G').check()
    await page.getByText('2 rows').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'parametric-choices')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Dielectric: C0G, X7R' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Polarised').selectOption('Yes')
    await page.getByText('2 rows').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Series').fill('grm')
    await page.keyboard.press('Enter')
    await page.getByText('2 rows').waitFor()
  })

  it('says what cannot be read, and keeps the list', async () => {
    const page = await openConsole(service, 'member', `/part/category/${category}/`)
    await page.getByRole('button', { name: 'More filters' }).click()
    const field = page.getByLabel('Rated voltage (V)')
    await field.fill('>=')
    await page.keyboard.press('Enter')
    await page.getByText('Enter a value, a range such as 4.7 to 10, or >= 50.').waitFor()
    await page.getByText('5 rows').waitFor()
    await assertAccessible(page)
    await field.fill('5 A')
    await page.keyboard.press('Enter')
    await page.locator('.filter [role=alert]').waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    await assertAccessible(page)
    await capturePage(page, 'parametric-wrong-unit')
    await field.fill('50')
    await page.keyboard.press('Enter')
    await page.getByText('1 row', { exact: true }).waitFor()
  })

  it('adds filters and sortable columns to the list of all parts, kept in its URL and in views', async () => {
    const page = await openConsole(service, 'member', '/part/')
    await page.getByText('6 rows').waitFor()
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByRole('combobox', { name: 'Filter by parameter' }).fill('capac')
    await page.getByRole('option', { name: /Capacitance/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).placeholder.startsWith('4.7'))
    await page.keyboard.type('< 1u')
    await page.keyboard.press('Enter')
    await page.getByText('2 rows').waitFor()
    await page.getByRole('columnheader', { name: 'Capacitance' }).getByRole('button').click()
    await page.getByText('10 pF', { exact: true }).waitFor()
    assert.deepEqual(
      await page
        .locator('tbody tr a')
        .allInnerTexts()
        .then((texts) => texts.filter((text) => /MLCC/.test(text))),
      ['MLCC 10 pF', 'MLCC 100 nF'],
    )
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('combobox', { name: 'Add parameter column' }).fill('rated')
    await page.getByRole('option', { name: /Rated voltage/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('columnheader', { name: 'Rated voltage' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('100 V', { exact: true }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'parametric-columns')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('View name').fill('Small capacitors')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Small capacitors' }).waitFor()

    await page.goto('/part/')
    await page.getByText('6 rows').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('link', { name: 'Small capacitors' }).click()
    await page.getByText('2 rows').waitFor()
    await page.getByRole('columnheader', { name: 'Rated voltage' }).waitFor()
    assert.equal(await page.getByLabel('Capacitance (F)').inputValue(), '< 1u')

    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByLabel('Capacitance (F)').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'parametric-phone')
  })

  it('finds stock by the parameters of its parts, in German too', async () => {
    const page = await openConsole(
      service,
      'member',
      `/stock/?parameter_${templates.Capacitance}_gte=4.7+uF&parameter_${templates.Capacitance}_lte=1+mF`,
    )
    await page.getByText('3 rows').waitFor()
    await page.evaluate(() => localStorage.setItem('language', 'de'))
    await page.reload()
    await page.getByLabel('Capacitance (F)').waitFor()
    await capturePage(page, 'parametric-stock')
  })
})
