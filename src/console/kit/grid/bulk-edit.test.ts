import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService()
const { member } = service
const create = async (path: string, body: object): Promise<number> => {
  const response = await member.post(path, body)
  assert.equal(response.status, 201, `${path} ${response.text}`)
  return response.body.pk
}
const screws = await create('/api/part/category/', { name: 'Screws' })
const washers = await create('/api/part/category/', { name: 'Washers' })
const parts: number[] = []
for (const name of ['Screw M3', 'Screw M4', 'Screw M5'])
  parts.push(await create('/api/part/', { name, description: '', category: name === 'Screw M5' ? washers : screws }))
const readField = async (name: string) => Promise.all(parts.map(async (pk) => (await member.get(`/api/part/${pk}/`)).body[name]))

describe('a field of several rows', { skip: cannotBrowse }, () => {
  it('is changed by one request after a preview of old and new values, and undone', async () => {
    const page = await openConsole(service, 'member', '/part/')
    await page.getByRole('checkbox', { name: 'Select all matching rows' }).click()
    await page.getByRole('button', { name: 'Edit field' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit a field of 3 rows' })
    await dialog.getByLabel('Category', { exact: true }).fill('Washers')
    await dialog.getByRole('option', { name: 'Washers' }).click()
    await dialog.getByText('1 row already has this value.').waitFor()
    const row = dialog.getByRole('row').filter({ hasText: 'Screw M3' })
    await row.getByText('Screws', { exact: true }).waitFor()
    await row.getByText('Washers', { exact: true }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'bulk-edit')
    await dialog.getByRole('button', { name: 'Change 2 rows' }).click()
    await page.getByText('2 rows changed').waitFor()
    assert.deepEqual(await readField('category'), [washers, washers, washers])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 rows changed').waitFor({ state: 'detached' })
    assert.deepEqual(await readField('category'), [screws, screws, washers])
  })

  it('shows which row rejects a value, and changes the others without it', async () => {
    await member.patch(`/api/part/${parts[1]}/`, { minimum_stock: 50 })
    const page = await openConsole(service, 'member', '/part/')
    await page.getByRole('checkbox', { name: 'Select all matching rows' }).click()
    await page.getByRole('button', { name: 'Edit field' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Field', { exact: true }).selectOption('maximum_stock')
    // below the minimum stock of one part
    await dialog.getByLabel('Maximum stock', { exact: true }).fill('20')
    await dialog.getByRole('button', { name: 'Change 3 rows' }).click()
    const row = dialog.getByRole('row').filter({ hasText: 'Screw M4' })
    await row.getByRole('alert').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'bulk-edit-rejected')
    assert.deepEqual(await readField('maximum_stock'), [0, 0, 0])
    await row.getByRole('button', { name: 'Leave out' }).click()
    await dialog.getByRole('button', { name: 'Change 2 rows' }).click()
    await page.getByText('2 rows changed').waitFor()
    assert.deepEqual(await readField('maximum_stock'), [20, 0, 20])
  })

  it('is offered in the lists of companies, orders, build orders and stock, to those who can change them', async () => {
    const company = { name: 'Both', currency: 'EUR', is_supplier: true, is_customer: true }
    const partner = await create('/api/company/', company)
    await create('/api/order/po/', { reference: 'PO-0001', supplier: partner })
    const page = await openConsole(service, 'member', '/order/purchase-order/')
    await page.getByRole('checkbox', { name: 'Select all matching rows' }).click()
    await page.getByRole('button', { name: 'Edit field' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit a field of 1 row' })
    await dialog.getByLabel('Target date', { exact: true }).fill('2099-03-01')
    await dialog.getByRole('button', { name: 'Change 1 row' }).click()
    await page.getByText('1 row changed').waitFor()
    assert.equal((await member.get('/api/order/po/')).body.results[0].target_date, '2099-03-01')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/company/')
    await page.getByRole('checkbox', { name: 'Select all matching rows' }).click()
    await page.getByRole('button', { name: 'Edit field' }).click()
    await page.getByRole('dialog').getByLabel('Field', { exact: true }).selectOption('active')
    await assertAccessible(page)
    await capturePage(page, 'bulk-edit-phone')
    const viewer = await openConsole(service, 'viewer', '/company/')
    await viewer.getByText('Both', { exact: true }).waitFor()
    assert.equal(await viewer.getByRole('grid').getByRole('checkbox').count(), 0)
  })
})
