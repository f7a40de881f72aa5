import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'
import { scanCode } from '../../testing/scanner.ts'

const service = await testService()

/** Creates an object, and returns its key. */
async function create(path: string, body: Record<string, unknown>): Promise<number> {
  const response = await service.superuser.post(path, body)
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return response.body.pk
}

describe('a location in a combobox', { skip: cannotBrowse }, () => {
  it('matches words of its path, and of its description', async () => {
    const path = '/api/stock/location/'
    const store = await create(path, { name: 'Store' })
    const shelf = await create(path, { name: 'Shelf A', parent: store, description: 'Boards under film' })
    for (const name of ['13', '3']) await create(path, { name, parent: shelf })
    const page = await openConsole(service, 'superuser', path.replace('/api', ''))
    await page.getByRole('link', { name: 'Store' }).first().waitFor()
    await page.keyboard.press('n')
    const field = page.getByRole('dialog').getByRole('combobox').first()
    const first = page.getByRole('option').first()
    for (const [typed, expected] of [
      ['Shelf A 3', 'Store/Shelf A/3'],
      ['store/shelf', 'Store/Shelf A'],
      ['film boards', 'Store/Shelf A'],
    ] as const) {
      await field.fill(typed)
      await page.getByRole('option', { name: expected }).first().waitFor()
      if (typed === 'Shelf A 3') {
        await assertAccessible(page)
        await capturePage(page, 'chooser-path')
      }
      assert.match((await first.textContent()) ?? '', new RegExp(`^${expected}(?!/)`), typed)
      await field.press('Enter')
      assert.equal(await field.inputValue(), expected)
    }
  })
  it('stays next to its field after scrolling and after resizing the window', async () => {
    const page = await openConsole(service, 'superuser', '/stock/location/')
    await page.getByRole('link', { name: 'Store' }).first().waitFor()
    await page.setViewportSize({ width: 900, height: 420 })
    await page.keyboard.press('n')
    const field = page.getByRole('dialog').getByRole('combobox').first()
    await field.fill('Shelf')
    await page.getByRole('option').first().waitFor()
    const waitUntilAtField = () =>
      page.waitForFunction(() => {
        const input = document.querySelector('dialog [role=combobox]')?.getBoundingClientRect()
        const list = document.querySelector('dialog .chooser-list')?.getBoundingClientRect()
        if (!input || !list) return false
        const gap = Math.min(Math.abs(list.top - input.bottom), Math.abs(input.top - list.bottom))
        return Math.abs(list.left - input.left) < 1 && gap < 3
      })
    await waitUntilAtField()
    const scrollDistance = await field.evaluate((input) => {
      const before = input.getBoundingClientRect().top
      for (let element = input.parentElement; element; element = element.parentElement) element.scrollTop += 60
      return before - input.getBoundingClientRect().top
    })
    assert.ok(scrollDistance > 0)
    await waitUntilAtField()
    await page.setViewportSize({ width: 700, height: 420 })
    await waitUntilAtField()
  })
})

describe('a missing category', { skip: cannotBrowse }, () => {
  it('is created by Enter, in the field that selects it', async () => {
    const other = await testService()
    const page = await openConsole(other, 'member', '/part/')
    await page.getByText('No parts yet').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New part' })
    await dialog.getByLabel('Name', { exact: true }).fill('Gear wheel')
    const category = dialog.getByRole('combobox', { name: 'Category' })
    await category.focus()
    await page.keyboard.type('Gears')
    const createOption = page.getByRole('option', { name: 'Create “Gears”' })
    await createOption.waitFor()
    await assertAccessible(page)
    await capturePage(page, 'chooser-make')
    // a scanned code creates nothing, and stays visible
    await category.fill('')
    await scanCode(page, 'GEARS-4711')
    await dialog.getByText('Select an entry from the list.').waitFor()
    assert.equal(await category.inputValue(), 'GEARS-4711')
    await assertAccessible(page)
    await capturePage(page, 'chooser-unchosen')
    // and the form is not sent without it
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'category')
    assert.equal((await other.superuser.get('/api/part/?limit=1')).body.count, 0)
    await page.keyboard.type('Gears')
    await createOption.waitFor()
    await page.keyboard.press('Tab')
    await dialog.getByText('Select an entry from the list.').waitFor()
    assert.equal((await other.superuser.get('/api/part/category/?limit=1')).body.count, 0)
    assert.equal(await category.inputValue(), 'Gears')
    await category.focus()
    await createOption.waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Gears created').waitFor()
    assert.equal(await dialog.getByText('Select an entry from the list.').count(), 0)
    assert.equal(await category.inputValue(), 'Gears')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Gear wheel' }).waitFor()
    const { results } = (await other.superuser.get('/api/part/?category_detail=true')).body
    assert.deepEqual(
      results.map((part: any) => [part.name, part.category_detail.name]),
      [['Gear wheel', 'Gears']],
    )
  })

  it('is not created by a filter', async () => {
    const page = await openConsole(service, 'member', '/part/')
    await page.getByText('No parts yet').waitFor()
    await page.locator('.filter').getByRole('combobox').first().fill('Gears')
    await page.getByText('No matches').waitFor()
    assert.equal(await page.getByRole('option', { name: /Create/ }).count(), 0)
  })
})

describe('an inactive company', { skip: cannotBrowse }, () => {
  it('is not offered for a new order, but still filters the list of orders', async () => {
    await create('/api/company/', { name: 'Former Metals', is_supplier: true, active: false })
    const page = await openConsole(service, 'member', '/order/purchase-order/')
    await page.getByRole('button', { name: 'New purchase order' }).first().waitFor()
    const filter = page.locator('.filter').getByRole('combobox', { name: /Supplier/ })
    await filter.fill('Former')
    await page.getByRole('option', { name: 'Former Metals' }).waitFor()
    await filter.press('Escape')
    await page.getByRole('button', { name: 'New purchase order' }).first().click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Supplier' }).fill('Former')
    await page.getByText('No matches').waitFor()
    assert.equal(await page.getByRole('option', { name: 'Former Metals' }).count(), 0)
  })
})
