import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, consoleOf, looksAt } from '../../testing/console.ts'
import { fillWorkshop } from '../../testing/workshop.ts'

const service = await testService()
const { parts, places } = await fillWorkshop(service)
for (const [sub_part, quantity, reference] of [
  [parts.resistor, 14, 'R1-R14'],
  [parts.cable, 60, ''],
] as const) {
  const { status, text } = await service.superuser.post('/api/bom/', { part: parts.board, sub_part, quantity, reference })
  assert.equal(status, 201, text)
}

describe('build orders', { skip: cannotBrowse }, () => {
  it('say that there are none', async () => {
    const page = await consoleOf(service, 'viewer', '/build/')
    await page.getByText('No build orders yet').waitFor()
    assert.equal(await page.getByRole('button', { name: 'New build order' }).count(), 0)
    await assertAccessible(page)
  })

  it('are made by keys, show which components are short, and go through production to their end', async () => {
    const page = await consoleOf(service, 'member', '/build/')
    await page.getByText('No build orders yet').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Part').waitFor()
    await page.keyboard.type('sensor board')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value.includes('Sensor board'))
    await dialog.getByLabel('Quantity').fill('2')
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /Sensor board/ }).waitFor()
    await page.getByRole('cell', { name: '28', exact: true }).waitFor()
    // a hundred and twenty metres of cable are more than there are
    await page.locator('.low', { hasText: '99.5 m' }).waitFor()
    await assertAccessible(page)
    await looksAt(page, 'build')

    await page.keyboard.press('a')
    await dialog.getByRole('button', { name: 'Put stock by' }).click()
    await page.getByText('Done').waitFor()
    await page.getByRole('cell', { name: '28', exact: true }).nth(1).waitFor()
    await page.keyboard.press('b')
    await dialog.getByLabel('Quantity').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('In production').first().waitFor()
    await page.keyboard.press('c')
    await dialog.getByLabel('Place').fill('bench')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'Bench')
    await page.keyboard.press('Enter')
    await page.getByText('2 / 2').waitFor()
    const made = await service.rows('select quantity, location from stock_item where part = $1 and build is not null', [
      parts.board,
    ])
    assert.deepEqual(
      made.map(({ quantity, location }) => [Number(quantity), location]),
      [[2, places.bench]],
    )
    await page.goto('/build/?active=true')
    await page.getByRole('link', { name: /BO/ }).waitFor()
    await assertAccessible(page)
    await looksAt(page, 'builds')
  })
})
