import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { EVENTS } from '../../../../resources/user/security-event/record-event.ts'
import { notificationSettings } from '../../../../settings/notification.definitions.ts'
import { generateCode } from '../../../../testing/second-factor.ts'
import { PASSWORD, testService } from '../../../../testing/service.ts'
import { waitUntil } from '../../../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../../testing/console.ts'
import { NOTIFICATION_KINDS } from './notification-kinds.ts'
import { securityEventKeys } from './security-event.ts'

const service = await testService({ TRUST_PROXY: 'true', SIGN_IN_RATE: '1000' })
const viewer = service.getPk('viewer')

/** Makes all sign-ins older than those that need no confirmation. */
const letMinutesPass = () => service.rows(`update user_session set confirmed = now() - interval '11 minutes'`)

const confirmWith = async (page: Page, password: string) => {
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await dialog.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  return dialog
}

/** Makes the browser deny the clipboard, as it does without https or permission. */
const denyClipboard = (page: Page) =>
  page.evaluate(() => {
    const writeText = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'))
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  })

/** The selected text, in a field or on the page. */
const readSelection = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document
    if (!(activeElement instanceof HTMLInputElement)) return String(getSelection())
    return activeElement.value.slice(activeElement.selectionStart ?? 0, activeElement.selectionEnd ?? 0)
  })

describe('the profile', { skip: cannotBrowse }, () => {
  it('changes the name, which the header shows', async () => {
    const page = await openConsole(service, 'viewer', '/settings/')
    await page.getByRole('main').getByRole('link', { name: 'Profile' }).click()
    await page.getByRole('button', { name: 'Edit name' }).click()
    await page.getByLabel('First name').fill('Vera')
    await page.getByLabel('Last name').fill('Holt')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Vera Holt' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'profile')
  })

  it('adds an address, sends its link again, and removes it', async () => {
    const page = await openConsole(service, 'viewer', '/settings/profile/')
    await page.getByText('No email addresses yet').waitFor()
    await page.getByRole('button', { name: 'Add address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('vera')
    await page.keyboard.press('Enter')
    await dialog.locator('[aria-invalid]').waitFor()
    await dialog.getByLabel('Email').fill('vera@stock.example')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').filter({ hasText: 'vera@stock.example' })
    await row.getByText('Not verified').waitFor()
    await row.getByRole('button', { name: 'Send link again' }).click()
    await page.getByText('sent to vera@stock.example').first().waitFor()
    await service.rows(`update email_address set verified = true, "primary" = true where "user" = $1`, [viewer])
    await service.rows(`insert into email_address ("user", email, verified) values ($1, 'other@stock.example', true)`, [viewer])
    await page.reload()
    const other = page.getByRole('row').filter({ hasText: 'other@stock.example' })
    await assertAccessible(page)
    await capturePage(page, 'email-addresses')
    await other.getByRole('button', { name: 'Make primary' }).click()
    await other.getByText('Primary', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove vera@stock.example' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    const rows = await service.rows('select email, "primary" from email_address where "user" = $1', [viewer])
    assert.deepEqual(rows, [{ email: 'other@stock.example', primary: true }])
  })

  it('changes the password, with the current one', async () => {
    const page = await openConsole(service, 'nobody', '/settings/profile/')
    await page.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New password').fill('seven blue horses')
    await dialog.getByLabel('Repeat password').fill('seven blue horses')
    await page.keyboard.press('Enter')
    // the current password is missing
    await dialog.locator('[aria-invalid]').waitFor()
    await dialog.getByLabel('Current password').fill('wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('This is not your current password.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'change-password')
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Password changed').waitFor()
    const { status } = await service.anonymous.post('/api/auth/login/', { username: 'nobody', password: 'seven blue horses' })
    assert.equal(status, 200)
  })
})

describe('API tokens', { skip: cannotBrowse }, () => {
  it('are created with a last day and a right, shown once, and revoked', async () => {
    const page = await openConsole(service, 'member', '/settings/tokens/')
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('dashboard')
    await dialog.getByLabel('Valid until').fill('2099-01-31')
    await dialog.getByLabel('Read only').check()
    await assertAccessible(page)
    await capturePage(page, 'new-token')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const key = await page.getByLabel('Key').inputValue()
    await assertAccessible(page)
    await capturePage(page, 'token-created')
    const headers = { authorization: `Token ${key}` }
    assert.equal((await service.anonymous.get('/api/user/me/', headers)).body.username, 'member')
    await denyClipboard(page)
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('This browser does not allow copying. The text is selected').waitFor()
    assert.equal(await readSelection(page), key)
    await assertAccessible(page)
    await capturePage(page, 'token-not-copied')
    assert.equal((await service.anonymous.patch('/api/user/me/', { first_name: 'x' }, headers)).status, 403)
    // the key is not shown again
    await page.keyboard.press('Escape')
    assert.equal(await page.getByLabel('Key').inputValue(), key)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    const row = page.getByRole('row').filter({ hasText: 'dashboard' })
    await row.getByText('31 Jan 2099').waitFor()
    // only the day of its creation is stored
    assert.doesNotMatch(await row.innerText(), /\d:\d\d/)
    await row.getByText('Read only').waitFor()
    assert.ok(!(await page.content()).includes(key))
    await assertAccessible(page)
    await capturePage(page, 'tokens')
    await page.getByRole('button', { name: 'Revoke dashboard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
    assert.equal((await service.anonymous.get('/api/user/me/', headers)).status, 401)
  })

  it('need the password again ten minutes after the sign-in; then the request is repeated', async () => {
    const page = await openConsole(service, 'member', '/settings/tokens/')
    await letMinutesPass()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('confirmed')
    await page.keyboard.press('Enter')
    const dialog = await confirmWith(page, 'wrong')
    await dialog.getByText('The password is incorrect.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'confirm-account')
    await confirmWith(page, PASSWORD)
    await page.getByLabel('Key').waitFor()
    await dialog.waitFor({ state: 'detached' })
    // the confirmation is sufficient for the next one
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('another')
    await page.keyboard.press('Enter')
    await page.getByLabel('Key').waitFor()
  })

  it('are not created without the confirmation, and the form stays', async () => {
    const page = await openConsole(service, 'member', '/settings/tokens/')
    await letMinutesPass()
    await page.getByRole('button', { name: 'New token' }).click()
    const form = page.getByRole('dialog', { name: 'New token' })
    await form.getByLabel('Name').fill('unconfirmed')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await form.getByText('you did not confirm your identity').waitFor()
    assert.equal(await form.getByLabel('Name').inputValue(), 'unconfirmed')
    assert.deepEqual(await service.rows(`select from api_token where name = 'unconfirmed'`), [])
  })
})

describe('security', { skip: cannotBrowse }, () => {
  it('sets up a second factor, renews its recovery codes, and turns it off', async () => {
    const page = await openConsole(service, 'staff', '/settings/security/')
    await page.getByRole('button', { name: 'Set up a second factor' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const secret = String(await dialog.locator('.secret').textContent())
    await assertAccessible(page)
    await capturePage(page, 'settings-enrol')
    await dialog.getByLabel('Code').fill(generateCode(secret))
    await page.keyboard.press('Enter')
    await dialog.locator('.recovery-codes li').nth(9).waitFor()
    // the codes are not shown again
    await page.keyboard.press('Escape')
    await assertAccessible(page)
    const codes = await dialog.locator('.recovery-codes li').allTextContents()
    await denyClipboard(page)
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByText('The text is selected').waitFor()
    assert.deepEqual((await readSelection(page)).split(/\s+/).filter(Boolean), codes)
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const file = await download
    assert.equal(file.suggestedFilename(), 'recovery-codes.txt')
    assert.ok(readFileSync(await file.path(), 'utf8').endsWith(`\n\n${codes.join('\n')}\n`))
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await dialog.getByRole('button', { name: 'Print' }).click()
    await page.locator('[data-printed]').waitFor()
    await page.emulateMedia({ media: 'print' })
    assert.deepEqual(
      [await dialog.locator('.recovery-codes').isVisible(), await page.locator('header.head, main').first().isVisible()],
      [true, false],
    )
    await capturePage(page, 'recovery-codes-printed')
    await page.emulateMedia({ media: null })
    await capturePage(page, 'recovery-codes-dialog')
    await dialog.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('10 recovery codes are left.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'second-factor-on')
    await service.rows('update second_factor set last_step = 0')
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await dialog.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await dialog.getByText('The code is not valid.').waitFor()
    await dialog.getByLabel('Code').fill(generateCode(secret))
    await page.keyboard.press('Enter')
    const code = String(await dialog.locator('.recovery-codes li').first().textContent())
    await dialog.getByRole('button', { name: 'I have stored them' }).click()
    await letMinutesPass()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByLabel('Code').fill(code)
    await page.keyboard.press('Enter')
    await confirmWith(page, PASSWORD)
    await page.getByText('The second factor is off').waitFor()
    assert.deepEqual(await service.rows('select from second_factor'), [])
  })

  it('lists the signed-in browsers, and signs one or all others out', async () => {
    const { rows } = service
    const page = await openConsole(service, 'superuser', '/settings/security/')
    const signIn = (userAgent: string) =>
      service.anonymous.post('/api/auth/login/', { username: 'superuser', password: PASSWORD }, { 'user-agent': userAgent })
    await signIn('Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0')
    await signIn('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1')
    await page.reload()
    await page.getByRole('row').filter({ hasText: 'Safari · iPhone' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'This browser' }).getByText('Now', { exact: true }).waitFor()
    await page.getByText('exact to the hour').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'sessions')
    await page.getByRole('button', { name: /^Firefox · Windows.*Sign out$/ }).click()
    await page.getByRole('row').filter({ hasText: 'Firefox' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sign out all others' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click()
    await page.getByText('1 browser signed out').waitFor()
    assert.equal((await rows('select from user_session where "user" = $1', [service.getPk('superuser')])).length, 1)
    await page.reload()
    await page.getByRole('row').filter({ hasText: 'This browser' }).waitFor()
  })

  it('lists the sign-ins and changes of the account', async () => {
    const page = await openConsole(service, 'superuser', '/settings/activity/')
    await page.getByRole('gridcell', { name: 'Browser signed out' }).first().waitFor()
    await page.getByRole('gridcell', { name: 'Signed in' }).first().waitFor()
    assert.equal(await page.getByRole('gridcell', { name: 'Second factor turned on' }).count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'activity')
  })

  it('names every kind of event', () => assert.deepEqual(Object.keys(securityEventKeys).toSorted(), EVENTS.toSorted()))
})

describe('notifications and display', { skip: cannotBrowse }, () => {
  it('emails the kinds that are selected', async () => {
    const page = await openConsole(service, 'member', '/settings/notifications/')
    await page.getByText('no verified primary address').waitFor()
    const overdue = page.getByLabel('Overdue: By email')
    await overdue.uncheck()
    await assertAccessible(page)
    await capturePage(page, 'notification-settings')
    const readValue = async () =>
      (
        await service.rows(
          `select value from notification_user_setting where key = 'NOTIFICATION_MAIL_OVERDUE' and "user" = $1`,
          [service.getPk('member')],
        )
      )[0]?.value
    await waitUntil(async () => (await readValue()) === 'False', 'the setting is not stored')
    await page.getByLabel('Email notifications').uncheck()
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.notification-kinds input')?.disabled)
    await page.reload()
    assert.equal(await page.getByLabel('Email notifications').isChecked(), false)
  })

  it('shows a switch for every kind', () =>
    assert.deepEqual(
      NOTIFICATION_KINDS.map(([key]) => key).toSorted(),
      Object.keys(notificationSettings)
        .filter((key) => key !== 'NOTIFICATION_METHOD_MAIL')
        .toSorted(),
    ))

  it('changes the language, the appearance, and the form of numbers and dates', async () => {
    const page = await openConsole(service, 'member', '/settings/display/')
    const main = page.getByRole('main')
    await main.getByText('1,234.5 · ').waitFor()
    await main.getByLabel('Numbers and dates').selectOption('United States')
    await main.getByText('Mar 1, 2027').waitFor()
    await main.getByLabel('Language').selectOption('Deutsch')
    await main.getByLabel('Zahlen und Daten').selectOption('Schweiz')
    await main.getByText(/1['’]234\.5/).waitFor()
    await main.getByLabel('Darstellung').selectOption('Dunkel')
    await assertAccessible(page)
    await capturePage(page, 'display-german')
    await page.reload()
    await main.getByText(/1['’]234\.5/).waitFor()
    await page.goto('/settings/profile/')
    await page.getByRole('heading', { name: 'Profil', exact: true }).waitFor()
    await capturePage(page, 'profile-german')
    await page.getByRole('navigation', { name: 'Einstellungen' }).getByRole('link', { name: 'Anzeige' }).click()
    await main.getByLabel('Zahlen und Daten').selectOption('Wie der Browser')
    await main.getByText('1.234,5').waitFor()
  })
})
