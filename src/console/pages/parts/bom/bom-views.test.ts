import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { testService } from '../../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../../testing/console.ts'

const service = await testService()
const { member } = service

const create = async (path: string, body: object): Promise<number> => {
  const { status, body: created, text } = await member.post(path, body)
  assert.equal(status, 201, text)
  return created.pk
}

describe('the views of a BOM', { skip: cannotBrowse }, () => {
  const parts: Record<string, number> = {}
  before(async () => {
    const category = await create('/api/part/category/', { name: 'Instruments' })
    for (const [name, more] of Object.entries({
      'Synthesizer A': { assembly: true },
      'Synthesizer B': { assembly: true },
      Board: { assembly: true, component: true },
      'Resistor 10 kΩ': { component: true },
      'Knob, cream': { component: true },
      'Knob, rust': { component: true },
      'Solder paste': { component: true, units: 'g' },
      Manual: { component: true },
    }))
      parts[name] = await create('/api/part/', { name, category, ...more })
    await member.patch(`/api/part/${parts['Synthesizer B']}/`, { revision: 'B', revision_of: parts['Synthesizer A'] })
    const addLine = (part: string, sub_part: string, quantity: number, more = {}) =>
      create('/api/bom/', { part: parts[part], sub_part: parts[sub_part], quantity, ...more })
    await addLine('Synthesizer A', 'Board', 2)
    await addLine('Synthesizer A', 'Knob, cream', 8, { reference: 'K1, K2, K3' })
    await addLine('Synthesizer A', 'Manual', 1, { optional: true })
    await addLine('Synthesizer B', 'Board', 2)
    await addLine('Synthesizer B', 'Knob, cream', 6, { reference: 'K1, K2' })
    await addLine('Synthesizer B', 'Knob, rust', 2, { reference: 'K3' })
    await addLine('Board', 'Resistor 10 kΩ', 18, { reference: 'R1-R18' })
    await addLine('Board', 'Solder paste', 1.5, { consumable: true })
    for (const [name, price] of [
      ['Resistor 10 kΩ', '0.0125'],
      ['Knob, cream', '1.10'],
      ['Board', '14'],
    ] as const)
      assert.equal(
        (
          await member.patch(`/api/part/${parts[name]}/pricing/`, {
            override_min: price,
            override_min_currency: 'USD',
            override_max: price,
            override_max_currency: 'USD',
          })
        ).status,
        200,
      )
    await create('/api/stock/', { part: parts['Resistor 10 kΩ'], quantity: 100 })
    await create('/api/stock/', { part: parts['Knob, cream'], quantity: 20 })
    await create('/api/stock/', { part: parts.Board, quantity: 90 })
  })
  const row = (name: string) => new RegExp(name)

  it('show a tree with quantities multiplied through, for any number of units', async () => {
    const page = await openConsole(service, 'member', `/part/${parts['Synthesizer A']}/bom/`)
    await page.getByRole('navigation', { name: 'Views of the BOM' }).getByRole('link', { name: 'Tree' }).click()
    const resistors = page.getByRole('row', { name: row('Resistor') })
    await resistors.getByRole('cell', { name: '36', exact: true }).waitFor()
    await resistors.getByText('USD 0.45').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'bom-tree')
    await page.getByLabel('Units to build').fill('10')
    await page.keyboard.press('Enter')
    await resistors.getByRole('cell', { name: '360', exact: true }).waitFor()
    await page
      .getByRole('row', { name: row('Solder paste') })
      .getByText('30 g')
      .waitFor()
    await page.getByRole('button', { name: 'Lines below Board' }).click()
    await resistors.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await resistors.waitFor()
    await page.getByRole('button', { name: 'Collapse all' }).click()
    await resistors.waitFor({ state: 'detached' })
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download data' }).click()
    const csv = await readFile(await (await downloading).path(), 'utf8')
    assert.match(csv, /2,Resistor 10 kΩ,R1-R18,18,360,,4\.5,4\.5\r\n/)
  })

  it('show where a part is used, at any depth', async () => {
    const page = await openConsole(service, 'member', `/part/${parts['Resistor 10 kΩ']}/used-in/`)
    await page.getByRole('link', { name: 'Tree' }).click()
    await page
      .getByRole('row', { name: row('Synthesizer B') })
      .getByRole('cell', { name: '36', exact: true })
      .waitFor()
    await page
      .getByRole('row', { name: row('^Lines below Board') })
      .getByRole('cell', { name: '18', exact: true })
      .first()
      .waitFor()
    await assertAccessible(page)
    await capturePage(page, 'used-in-tree')
  })

  it('show what each component costs, and what limits the number of assemblies', async () => {
    const page = await openConsole(service, 'member', `/part/${parts['Synthesizer A']}/bom/cost/`)
    const costs = page.getByRole('table', { name: 'Cost by component' })
    await costs
      .getByRole('row', { name: row('Board') })
      .getByText('76.1 %')
      .waitFor()
    await costs
      .getByRole('row', { name: row('Manual') })
      .getByText('unknown')
      .first()
      .waitFor()
    const limits = page.getByRole('table', { name: 'What limits how many can be built' })
    await limits.getByRole('row', { name: row('Knob, cream 2 ') }).waitFor()
    assert.equal(await limits.getByRole('row', { name: row('Manual') }).count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'bom-cost')
  })

  it('compare two assemblies', async () => {
    const page = await openConsole(service, 'member', `/part/${parts['Synthesizer A']}/bom/compare/`)
    await page.getByText('Select an assembly to compare with').waitFor()
    await assertAccessible(page)
    await page.locator('.related-assemblies').getByRole('link', { name: 'Synthesizer B' }).click()
    await page.getByText('1 added, 1 removed, 1 changed, 1 unchanged').waitFor()
    const table = page.getByRole('table', { name: 'Compare' })
    const knobs = table.getByRole('row', { name: row('Knob, cream') })
    await knobs.getByText('Changed').waitFor()
    assert.deepEqual(await knobs.locator('del').allInnerTexts(), ['K3'])
    await knobs.getByText('-2').waitFor()
    assert.equal(await table.getByRole('row', { name: row('Board') }).count(), 0)
    await page.getByLabel('Show unchanged components').check()
    await table.getByRole('row', { name: row('Board') }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'bom-compare')
    await page.goto(`/part/${parts['Synthesizer A']}/bom/compare/?with=${parts['Synthesizer A']}`)
    await page.getByText('No differences').waitFor()
  })
})
