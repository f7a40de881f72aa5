import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { globalSettings, isServed } from '../../../../settings/registry.ts'
import { testService } from '../../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../../testing/console.ts'
import { globalSettingTexts } from './global-setting-texts.ts'

const service = await testService()
const readValue = async (key: string) => (await service.staff.get(`/api/settings/global/${key}/`)).body.value

describe('the system settings', { skip: cannotBrowse }, () => {
  it('are found by a search, changed, marked as changed, and reset', async () => {
    const page = await openConsole(service, 'staff', '/settings/')
    await page.getByRole('main').getByRole('link', { name: 'System settings' }).click()
    await page.getByRole('heading', { name: 'Accounts and sign-in' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'global-settings')
    await page.getByRole('main').getByRole('searchbox').fill('stale')
    await page.getByRole('heading', { name: 'Accounts and sign-in' }).waitFor({ state: 'detached' })
    assert.match(page.url(), /search=stale/)
    const days = page.getByLabel('Stock Stale Time', { exact: true })
    await days.fill('14')
    await days.press('Enter')
    await page.getByText('Stock Stale Time saved').waitFor()
    assert.equal(await readValue('STOCK_STALE_DAYS'), '14')
    await page.getByRole('button', { name: 'Stock Stale Time: Reset to 0' }).click()
    await page.getByRole('button', { name: 'Stock Stale Time: Reset to 0' }).waitFor({ state: 'detached' })
    assert.equal(await readValue('STOCK_STALE_DAYS'), '0')
  })

  it('show the error of an invalid value at the setting, and keep the stored one', async () => {
    const page = await openConsole(service, 'staff', '/settings/system/?search=STOCK_STALE_DAYS')
    const days = page.getByLabel('Stock Stale Time', { exact: true })
    await days.fill('many')
    await days.press('Enter')
    await page.getByRole('alert').waitFor()
    assert.equal(await days.getAttribute('aria-invalid'), 'true')
    assert.equal(await readValue('STOCK_STALE_DAYS'), '0')
    await days.press('Escape')
    assert.equal(await days.inputValue(), '0')
  })

  it('list those that only other clients use in a section of their own', async () => {
    const page = await openConsole(service, 'staff', '/settings/system/')
    const tree = page.getByLabel('Tree Depth')
    await page.getByText('Settings that only other clients use').waitFor()
    assert.equal(await tree.isVisible(), false)
    await page.getByText('Settings that only other clients use').click()
    await tree.waitFor()
  })

  it('let staff read those that only superusers may change, and say so', async () => {
    const page = await openConsole(service, 'staff', '/settings/system/?search=LOGIN_ENFORCE_MFA')
    assert.equal(await page.getByLabel('Enforce MFA').isDisabled(), true)
    await page.getByText('This page is for superusers').waitFor()
    const ofSuperuser = await openConsole(service, 'superuser', '/settings/system/?search=LOGIN_ENFORCE_MFA')
    await ofSuperuser.getByLabel('Enforce MFA').waitFor()
    assert.equal(await ofSuperuser.getByLabel('Enforce MFA').isDisabled(), false)
    await ofSuperuser.getByLabel('Enforce MFA').click()
    const question = ofSuperuser.getByRole('dialog', { name: 'Require a second factor of all people?' })
    await question.getByText(/^\d+ people have no second factor/).waitFor()
    await question.getByRole('link', { name: 'Set up a second factor' }).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await ofSuperuser.getByLabel('Enforce MFA').isChecked(), false)
    assert.equal((await service.superuser.get('/api/settings/global/LOGIN_ENFORCE_MFA/')).body.value, 'False')
  })

  it('are not shown to others, who read who may', async () => {
    const page = await openConsole(service, 'member', '/settings/system/')
    await page.getByText('You do not have permission to use this page').waitFor()
    assert.equal(await page.getByRole('searchbox').count(), 0)
  })

  it('have German names and descriptions', () => {
    const missing = Object.keys(globalSettings).filter((key) => isServed(key) && !globalSettingTexts[key])
    assert.deepEqual(missing, [])
    assert.deepEqual(
      Object.keys(globalSettingTexts).filter((key) => !(key in globalSettings)),
      [],
    )
  })
})
