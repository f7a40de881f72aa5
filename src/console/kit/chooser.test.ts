import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'
import { assertAccessible, cannotBrowse, consoleOf, looksAt } from '../testing/console.ts'

const service = await testService()

/** Makes an object, and gives its key. */
async function made(path: string, body: Record<string, unknown>): Promise<number> {
  const answer = await service.superuser.post(path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.pk
}

describe('a place in a chooser', { skip: cannotBrowse }, () => {
  it('is found by words of its path, and by its description', async () => {
    const path = '/api/stock/location/'
    const store = await made(path, { name: 'Store' })
    const shelf = await made(path, { name: 'Shelf A', parent: store, description: 'Boards under film' })
    for (const name of ['13', '3']) await made(path, { name, parent: shelf })
    const page = await consoleOf(service, 'superuser', path.replace('/api', ''))
    await page.getByRole('link', { name: 'Store' }).first().waitFor()
    await page.keyboard.press('n')
    const field = page.getByRole('dialog').getByRole('combobox').first()
    const first = page.getByRole('option').first()
    for (const [typed, found] of [
      ['Shelf A 3', 'Store/Shelf A/3'],
      ['store/shelf', 'Store/Shelf A'],
      ['film boards', 'Store/Shelf A'],
    ] as const) {
      await field.fill(typed)
      await page.getByRole('option', { name: found }).first().waitFor()
      if (typed === 'Shelf A 3') {
        await assertAccessible(page)
        await looksAt(page, 'chooser-path')
      }
      assert.match((await first.textContent()) ?? '', new RegExp(`^${found}(?!/)`), typed)
      await field.press('Enter')
      assert.equal(await field.inputValue(), found)
    }
  })
  it('stands at its field also when that is scrolled, and when the window gets smaller', async () => {
    const page = await consoleOf(service, 'superuser', '/stock/location/')
    await page.getByRole('link', { name: 'Store' }).first().waitFor()
    await page.setViewportSize({ width: 900, height: 420 })
    await page.keyboard.press('n')
    const field = page.getByRole('dialog').getByRole('combobox').first()
    await field.fill('Shelf')
    await page.getByRole('option').first().waitFor()
    const isAtField = () =>
      page.waitForFunction(() => {
        const input = document.querySelector('dialog [role=combobox]')?.getBoundingClientRect()
        const list = document.querySelector('dialog .chooser-list')?.getBoundingClientRect()
        if (!input || !list) return false
        const gap = Math.min(Math.abs(list.top - input.bottom), Math.abs(input.top - list.bottom))
        return Math.abs(list.left - input.left) < 1 && gap < 3
      })
    await isAtField()
    const moved = await field.evaluate((input) => {
      const before = input.getBoundingClientRect().top
      for (let element = input.parentElement; element; element = element.parentElement) element.scrollTop += 60
      return before - input.getBoundingClientRect().top
    })
    assert.ok(moved > 0)
    await isAtField()
    await page.setViewportSize({ width: 700, height: 420 })
    await isAtField()
  })
})
