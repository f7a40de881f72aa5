import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { deriveSetupCode } from '../../../resources/auth/registration/setup-code.ts'
import { createFilesFolder } from '../../../testing/files.ts'
import { enroll, generateCode } from '../../../testing/second-factor.ts'
import { PASSWORD, testService } from '../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../testing/console.ts'

const service = await testService({ TRUST_PROXY: 'true', DATA_DIR: createFilesFolder().dataDir })

describe('signing in', { skip: cannotBrowse }, () => {
  it('is required at every URL, and opens that URL afterwards, until the user signs out', async () => {
    const page = await openConsole(service, 'anonymous', '/company/?is_supplier=true')
    await page.getByRole('button', { name: 'Forgot password?' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create the first account' }).count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'sign-in')
    await page.getByLabel('Username').fill('viewer')
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('Unable to log in with provided credentials.').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Companies' }).waitFor()
    assert.equal(new URL(page.url()).search, '?is_supplier=true')
    // the account and its permissions are stored for use while offline, but no credentials are
    const readStoredKeys = () => page.evaluate(() => Object.keys(localStorage).toSorted())
    await page.waitForFunction(() => 'stockroom.scanner' in localStorage)
    assert.deepEqual(await readStoredKeys(), ['stockroom.account', 'stockroom.scanner', 'stockroom.theme'])
    const account = await page.evaluate(() => JSON.parse(localStorage.getItem('stockroom.account') ?? '{}'))
    assert.deepEqual([Object.keys(account), account.account.username], [['account', 'roles', 'features'], 'viewer'])
    const fields = ['first_name', 'is_staff', 'is_superuser', 'last_name', 'pk', 'username']
    assert.deepEqual(Object.keys(account.account).toSorted(), fields)
    assert.ok(!(await page.evaluate(() => document.cookie.includes('sessionid'))))
    await page.getByRole('button', { name: 'viewer' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.deepEqual(await readStoredKeys(), ['stockroom.scanner', 'stockroom.theme'])
    await page.reload()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  it('accepts the second factor', async () => {
    const { secret } = await enroll(service, 'two.factors')
    const page = await openConsole(service, 'anonymous')
    await page.getByLabel('Username').fill('two.factors')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').fill(generateCode(secret))
    await assertAccessible(page)
    await capturePage(page, 'second-factor')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'two.factors' }).waitFor()
  })

  it('is required again when the session has ended, over the open page', async () => {
    const page = await openConsole(service, 'member', '/company/')
    await page.getByRole('button', { name: 'New company' }).first().click()
    await page.getByLabel('Name').fill('Half written')
    await service.rows('delete from user_session')
    service.app.routes.services.accounts.invalidate()
    await page.getByRole('button', { name: 'Create' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.getByLabel('Username').fill('member')
    await dialog.getByLabel('Password').fill(PASSWORD)
    await assertAccessible(page)
    await capturePage(page, 'sign-in-again')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Half written' }).waitFor()
  })

  it('begins with creating the first account, with the setup code', async () => {
    await service.rows('update user_account set is_superuser = false')
    service.app.routes.services.accounts.invalidate()
    const page = await openConsole(service, 'anonymous')
    // the form opens immediately; an existing account can still sign in
    await page.getByRole('button', { name: 'Back to sign-in' }).click()
    await page.getByRole('button', { name: 'Create the first account' }).click()
    await page.getByLabel('Setup code').and(page.locator(':focus')).waitFor()
    assert.ok(await page.getByLabel('Setup code').evaluate((field) => (field as HTMLInputElement).required))
    await assertAccessible(page)
    await capturePage(page, 'first-account')
    await page.keyboard.type(deriveSetupCode(service.app.routes.services.secrets))
    await page.getByLabel('Username').fill('owner')
    await page.getByLabel('Password', { exact: true }).fill('12345678')
    await page.getByLabel('Repeat password').fill('12345678')
    await page.keyboard.press('Enter')
    await page.locator('[aria-invalid]').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('seven blue horses')
    await page.getByLabel('Repeat password').fill('seven blue horses')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'owner' }).waitFor()
    const [owner] = await service.rows(`select is_superuser from user_account where username = 'owner'`)
    assert.equal(owner.is_superuser, true)
  })

  it('is in German and dark if those are selected', async () => {
    const page = await openConsole(service, 'anonymous')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByLabel('Darstellung').selectOption('Dunkel')
    await page.getByRole('button', { name: 'Anmelden' }).waitFor()
    await assertAccessible(page)
    await page.reload()
    await page.getByRole('button', { name: 'Passwort vergessen?' }).click()
    // without a mail server, nobody waits for an email
    await page.getByText('Dieser Dienst sendet keine E-Mails.').waitFor()
    await page.getByLabel('E-Mail-Adresse deines Kontos').fill('nobody@stock.example')
    await capturePage(page, 'forgotten-german')
    await page.keyboard.press('Enter')
    await page.getByText('Es wurde keine E-Mail gesendet.').waitFor()
    assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme]), [
      'de',
      'dark',
    ])
  })

  it('enrolls a second factor first, if all accounts need one', async () => {
    await service.rows(`update user_account set is_superuser = true where username = 'superuser'`)
    service.app.routes.services.accounts.invalidate()
    const picture = await sharp({ create: { width: 60, height: 30, channels: 4, background: '#0a0' } })
      .png()
      .toBuffer()
    const logo = `data:image/png;name=logo.png;base64,${picture.toString('base64')}`
    assert.equal((await service.superuser.post('/api/web/logo/', { logo })).status, 200)
    const open = await openConsole(service, 'member', '/company/')
    await open.getByRole('button', { name: 'New company' }).first().click()
    await open.getByLabel('Name').fill('Half written')
    assert.equal((await service.superuser.patch('/api/settings/global/LOGIN_ENFORCE_MFA/', { value: 'true' })).status, 200)
    const page = await openConsole(service, 'viewer', '/company/')
    assert.ok(await page.locator('.sign-in-card h1 img').evaluate((image: HTMLImageElement) => /logo/.test(image.src)))
    await page.waitForFunction(() => (document.querySelector('.sign-in-card h1 img') as HTMLImageElement).naturalWidth > 0)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const secret = await page.locator('.secret').textContent()
    await assertAccessible(page)
    assert.equal(await page.locator('.toast').count(), 0)
    await capturePage(page, 'enrol')
    await page.getByLabel('Code').fill(generateCode(String(secret)))
    await page.keyboard.press('Enter')
    await page.locator('.recovery-codes li').nth(9).waitFor()
    await capturePage(page, 'recovery-codes')
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByRole('heading', { name: 'Companies' }).waitFor()

    // a page that cannot be loaded says why
    await service.rows(`delete from second_factor where "user" = $1`, [service.getPk('viewer')])
    service.app.routes.services.accounts.invalidate()
    await page.getByRole('link', { name: 'Parts' }).first().click()
    await page.getByRole('dialog', { name: 'Set up a second factor' }).waitFor()
    await page.locator('main').getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    assert.equal(await page.getByText('You do not have permission').count(), 0)

    // a page that was open leads there, too, and keeps what was typed
    await open.getByRole('button', { name: 'Create' }).click()
    const dialog = open.getByRole('dialog', { name: 'Set up a second factor' })
    await dialog.getByLabel('Password').fill(PASSWORD)
    await assertAccessible(open)
    await capturePage(open, 'enrol-open-page')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await dialog.getByLabel('Code').fill(generateCode(String(await dialog.locator('.secret').textContent())))
    await open.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'I have stored them' }).click()
    await dialog.waitFor({ state: 'detached' })
    await open.getByRole('button', { name: 'Create' }).click()
    await open.getByRole('heading', { name: 'Half written' }).waitFor()
  })
})
