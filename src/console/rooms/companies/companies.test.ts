import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, consoleOf, looksAt } from '../../testing/console.ts'

const service = await testService()
for (const [name, more] of [
  ['Brightwell Components', { is_supplier: true, description: 'Electronic parts by the reel', currency: 'GBP' }],
  ['Alpine Fasteners', { is_supplier: true, is_manufacturer: true, email: 'sales@alpine.example' }],
  ['Songbird Audio', { is_customer: true, is_supplier: false }],
] as const)
  assert.equal((await service.member.post('/api/company/', { name, ...more })).status, 201)

describe('companies', { skip: cannotBrowse }, () => {
  it('are a table whose filters, order and columns are in the address', async () => {
    const page = await consoleOf(service, 'member', '/company/')
    await page.waitForURL('**/company/')
    const names = () => page.locator('tbody td:first-child').allTextContents()
    await page.getByRole('link', { name: 'Songbird Audio' }).waitFor()
    assert.deepEqual(await names(), ['Alpine Fasteners', 'Brightwell Components', 'Songbird Audio'])
    await assertAccessible(page)
    await looksAt(page, 'companies')

    await page.getByRole('button', { name: 'Name' }).click()
    await page.getByRole('button', { name: 'Name' }).click()
    await page.waitForURL('**/company/?ordering=-name')
    await page.locator('tbody tr:first-child', { hasText: 'Songbird' }).waitFor()
    await page.getByLabel('Supplier').selectOption('Yes')
    await page.getByText('2 rows').waitFor()
    assert.deepEqual(await names(), ['Brightwell Components', 'Alpine Fasteners'])

    // the same address shows the same to somebody else
    const other = await consoleOf(service, 'viewer', page.url())
    await other.getByText('2 rows').waitFor()
    assert.deepEqual(await other.locator('tbody td:first-child').allTextContents(), await names())
    assert.equal(await other.getByRole('button', { name: 'New company' }).count(), 0)

    await page.goBack()
    await page.getByText('3 rows').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('alp')
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Alpine Fasteners' }).waitFor()
    await page.goBack()
    await page.getByText('1 row', { exact: true }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('search'), 'alp')
  })

  it('are made and edited by keys alone, with what is wrong at its field', async () => {
    const page = await consoleOf(service, 'member', '/company/')
    await page.getByText('3 rows').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByText('Create').waitFor()
    await assertAccessible(page)
    await looksAt(page, 'new-company')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').and(page.locator('[aria-invalid]')).waitFor()
    await page.getByLabel('Name').fill('Isar Sensors')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Isar Sensors' }).waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('Description').fill('Light and touch')
    await assertAccessible(page)
    await looksAt(page, 'company-edit')
    await page.keyboard.press('Enter')
    await page.getByText('Saved').waitFor()
    await page.getByText('Light and touch').waitFor()
    await assertAccessible(page)
    await looksAt(page, 'company')
    const { body } = await service.member.get('/api/company/?name=Isar Sensors')
    assert.equal(body.results[0].description, 'Light and touch')
  })

  it('are edited in the table as in a sheet, and what somebody else wrote meanwhile is not lost', async () => {
    const page = await consoleOf(service, 'member', '/company/?search=bright')
    await page.getByRole('button', { name: 'Edit: Description' }).click()
    await page.keyboard.type('By the reel and by the strip')
    await page.keyboard.press('Enter')
    await page.getByText('By the reel and by the strip').waitFor()
    const { body } = await service.member.get('/api/company/?name=Brightwell Components')
    assert.equal(body.results[0].description, 'By the reel and by the strip')

    // what was changed since the list was read, before the edit began
    await service.superuser.patch(`/api/company/${body.results[0].pk}/`, { description: 'Theirs' })
    await page.keyboard.press('Enter')
    await page.keyboard.type('Mine')
    await page.keyboard.press('Tab')
    const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
    await dialog.waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Take the other version' }).click()
    await page.getByRole('gridcell', { name: 'Theirs' }).waitFor()
  })

  it('are not overwritten: both versions are shown, and one is chosen', async () => {
    const { body: company } = await service.member.post('/api/company/', { name: 'Quill & Nib', phone: '1' })
    const page = await consoleOf(service, 'member', `/company/${company.pk}/`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Phone').fill('2')
    await service.superuser.patch(`/api/company/${company.pk}/`, { phone: '3' })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
    await dialog.waitFor()
    assert.deepEqual(await dialog.locator('tbody td').allTextContents(), ['2', '3'])
    await assertAccessible(page)
    await looksAt(page, 'conflict')
    await dialog.getByRole('button', { name: 'Save my version' }).click()
    await page.getByText('Saved').waitFor()
    assert.equal((await service.member.get(`/api/company/${company.pk}/`)).body.phone, '2')
  })
})
