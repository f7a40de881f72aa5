import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService()
const { superuser } = service
const create = async (path: string, body: object): Promise<number> => {
  const response = await superuser.post(path, body)
  assert.equal(response.status, 201, response.text)
  return response.body.pk
}
const isDismissed = async () => (await superuser.get('/api/web/setup/')).body.is_dismissed

describe('the set-up checklist', { skip: cannotBrowse }, () => {
  it('links each step to its page, and marks it as done by the data', async () => {
    const page = await openConsole(service, 'superuser', '/')
    const checklist = page.locator('.setup')
    await checklist.getByText('1 of 9 done').waitFor()
    const targets = await checklist.locator('.steps a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    assert.deepEqual(targets, [
      '/settings/general/',
      '/settings/system/?search=registration',
      '/settings/currencies/',
      '/settings/display/',
      '/stock/location/',
      '/part/',
      '/part/',
      '/settings/users/',
      '/settings/printers/',
      '/settings/templates/',
      '/settings/backups/',
    ])
    // there are several accounts
    assert.deepEqual(await checklist.locator('.done').allTextContents(), ['People (done)'])
    await assertAccessible(page)
    await capturePage(page, 'setup-superuser')

    await checklist.getByRole('link', { name: 'Categories' }).click()
    await page.getByRole('button', { name: 'New category' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Screws')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto('/')
    await checklist.locator('.done', { hasText: 'Categories' }).waitFor()
    await checklist.getByText('2 of 9 done').waitFor()
  })

  it('says that registration is open, as the page of users does, and closes it', async () => {
    const page = await openConsole(service, 'superuser', '/settings/users/')
    await page.getByText('Registration is open').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'registration-open')
    const ofStaff = await openConsole(service, 'staff', '/settings/users/')
    await ofStaff.getByText('Registration is open').waitFor()
    assert.equal(await ofStaff.getByRole('button', { name: 'Close registration' }).count(), 0)
    await page.goto('/')
    const step = page.locator('.steps li', { hasText: 'Who can register' })
    await step.getByText('everyone who can open this address can create an account').waitFor()
    await step.getByRole('button', { name: 'Close registration' }).click()
    await page.locator('.setup .done', { hasText: 'Who can register' }).waitFor()
    const { body } = await service.superuser.get('/api/settings/global/LOGIN_ENABLE_REG/')
    assert.equal(String(body.value), 'False')
    await page.goto('/settings/users/')
    await page.getByRole('gridcell', { name: 'superuser' }).first().waitFor()
    assert.equal(await page.getByText('Registration is open').count(), 0)
  })

  it('marks the category of the first part as required, and says so without one', async () => {
    const page = await openConsole(service, 'superuser', '/part/')
    await page.getByRole('button', { name: 'New part' }).first().click()
    const dialog = page.getByRole('dialog')
    const category = dialog.getByRole('combobox', { name: 'Category' })
    await category.waitFor()
    assert.deepEqual(
      [
        await category.evaluate((field: HTMLInputElement) => field.required),
        await dialog.locator('label.required').allInnerTexts(),
      ],
      [true, ['Name', 'Category']],
    )
    await capturePage(page, 'first-part')
    await dialog.getByLabel('Name').fill('M3 x 10')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.locator('.error').waitFor()
    assert.equal(await category.getAttribute('aria-invalid'), 'true')
    assert.equal((await superuser.get('/api/part/?limit=1')).body.count, 0)
  })

  it('stays above the work until staff dismisses it for all, and comes back from the settings', async () => {
    const category = (await superuser.get('/api/part/category/?limit=1')).body.results[0].pk
    await create('/api/part/', { name: 'M3 x 12', category })
    const colleague = await openConsole(service, 'member', '/')
    await colleague.locator('.setup').getByText('4 of 9 done').waitFor()
    const page = await openConsole(service, 'staff', '/')
    await page.getByRole('heading', { name: 'Tasks for' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'setup-above-work')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.locator('.setup').waitFor({ state: 'detached' })
    assert.equal(await isDismissed(), true)
    await colleague.reload()
    await colleague.getByRole('heading', { name: 'Tasks for' }).waitFor()
    assert.equal(await colleague.locator('.setup').count(), 0)

    await page.goto('/settings/')
    await page.getByText('4 of 9 done').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'setup-settings')
    await page.getByRole('button', { name: 'Show on the home page' }).click()
    await page.locator('.setup').waitFor()
    assert.equal(await isDismissed(), false)
  })

  it('is not shown to those who can do none of its steps', async () => {
    const page = await openConsole(service, 'viewer', '/')
    await page.getByRole('heading', { name: 'Tasks for' }).waitFor()
    assert.equal(await page.locator('.setup').count(), 0)
    await page.goto('/settings/')
    await page.getByRole('heading', { name: 'My account' }).waitFor()
    assert.equal(await page.getByText('Set-up checklist').count(), 0)
  })

  it('is not shown once everything is done that the account can do', async () => {
    await create('/api/stock/location/', { name: 'Shelf' })
    await service.rows(`insert into machine (name, machine_type, driver) values ('Zebra', 'label-printer', 'zebra')`)
    const page = await openConsole(service, 'member', '/')
    await page.getByRole('heading', { name: 'Tasks for' }).waitFor()
    assert.equal(await page.locator('.setup').count(), 0)
    const ofStaff = await openConsole(service, 'staff', '/')
    await ofStaff.locator('.setup').getByText('6 of 9 done').waitFor()
    const change = async (key: string, value: unknown) =>
      assert.equal((await superuser.patch(`/api/settings/global/${key}/`, { value })).status, 200)
    await change('INVENTREE_DEFAULT_CURRENCY', 'EUR')
    await change('INVENTREE_INSTANCE', 'Songbird')
    await ofStaff.reload()
    await ofStaff.getByRole('heading', { name: 'Tasks for' }).waitFor()
    assert.equal(await ofStaff.locator('.setup').count(), 0)
    const ofSuperuser = await openConsole(service, 'superuser', '/')
    await ofSuperuser.locator('.setup').getByText('8 of 9 done').waitFor()
    await change('INVENTREE_BACKUP_ENABLE', true)
    await ofSuperuser.reload()
    await ofSuperuser.getByRole('heading', { name: 'Tasks for' }).waitFor()
    assert.equal(await ofSuperuser.locator('.setup').count(), 0)
    // nothing is left to open
    await ofSuperuser.goto('/settings/')
    await ofSuperuser.getByText('9 of 9 done').waitFor()
    assert.equal(await ofSuperuser.getByRole('link', { name: 'Open the checklist' }).count(), 0)
  })
})
