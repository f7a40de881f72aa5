import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { mailTexts } from '../../../../resources/email/mail-texts.ts'
import { checks } from '../../../../resources/stock/verification/checks.ts'
import { PASSWORD, testService } from '../../../../testing/service.ts'
import { waitUntil } from '../../../../testing/until.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../../testing/console.ts'
import { fillWorkshop } from '../../../testing/workshop.ts'
import { MAIL_KINDS } from './mail-kinds.ts'
import { VERIFICATION_TEXTS } from './verification-texts.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-operation-'))
after(() => rmSync(folder, { recursive: true, maxRetries: 20 }))
const service = await testService({ DATA_DIR: folder, MIN_FREE_DISK: '0' })
const { items } = await fillWorkshop(service)

/** Executes a statement without triggers. */
async function tamper(statement: string): Promise<void> {
  const client = await service.pool.connect()
  await client.query(`set session_replication_role = replica; ${statement}; set session_replication_role = origin`)
  client.release()
}

describe('the pages about the operation', { skip: cannotBrowse }, () => {
  it('are offered by permissions, and others read who can use them', async () => {
    const page = await openConsole(service, 'member', '/settings/')
    await page.getByRole('heading', { name: 'My account' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Operation' }).count(), 0)
    for (const path of ['about', 'tasks', 'errors', 'verify']) {
      await page.goto(`/settings/${path}/`)
      await page.getByText('This page needs an account with staff status').waitFor()
    }
    const ofStaff = await openConsole(service, 'staff', '/settings/')
    await ofStaff.getByRole('heading', { name: 'Operation' }).waitFor()
    assert.equal(await ofStaff.getByRole('link', { name: 'Backups' }).count(), 0)
    for (const path of ['health', 'mail', 'backups']) {
      await ofStaff.goto(`/settings/${path}/`)
      await ofStaff.getByText('This page is for superusers.').waitFor()
      assert.equal(await ofStaff.getByRole('button', { name: /Check now|Send test email|Back up now/ }).count(), 0)
    }
  })

  it('show the running version, with its licenses', async () => {
    const page = await openConsole(service, 'staff', '/settings/about/')
    await page.getByText(/^PostgreSQL \d+/).waitFor()
    assert.equal(await page.getByText(folder).count(), 0)
    await assertAccessible(page)
    await capturePage(page, 'about')
    await page.getByRole('button', { name: 'Show packages' }).click()
    await page.getByText('fastify', { exact: true }).waitFor()
    assert.match(page.url(), /packages=true/)
    const ofSuperuser = await openConsole(service, 'superuser', '/settings/about/')
    await ofSuperuser.getByText(join(folder, 'media')).waitFor()
  })

  it('check the installation on demand, and lead to sign-ins', async () => {
    const page = await openConsole(service, 'superuser', '/settings/health/')
    await page.getByText('Not checked yet').waitFor()
    assert.equal(
      await page.getByRole('link', { name: 'Failed sign-ins' }).getAttribute('href'),
      '/settings/security-events/?kind=sign_in_failed',
    )
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Disk space' }).waitFor()
    await page.getByText('The browser of the service prints a PDF').waitFor()
    await page.getByText(/SMTP_URL is not set/).waitFor()
    const current = page.locator('.settings-navigation [aria-current]')
    assert.ok(await current.evaluate((link) => link.getBoundingClientRect().bottom <= window.innerHeight))
    await assertAccessible(page)
    await capturePage(page, 'health')
  })

  it('list background tasks, run failed ones again, and delete others', async () => {
    await service.rows(
      `insert into pgboss.job (name, state, retry_count, start_after, started_on, completed_on, output) values
        ('mail', 'created', 0, now() + interval '1 day', null, null, null),
        ('currency-rates', 'retry', 1, now() + interval '1 day', null, null, null),
        ('news', 'failed', 0, now(), now(), now(), '{"message": "could not reach the feed"}')`,
    )
    const page = await openConsole(service, 'staff', '/settings/tasks/')
    await page.getByText('could not reach the feed').waitFor()
    await page.getByRole('table', { name: 'Pending' }).getByText('Failed, will be retried').waitFor()
    await page.getByRole('table', { name: 'Schedules' }).getByText('Housekeeping').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'tasks')
    await page.getByRole('button', { name: 'Run again: Announcements' }).click()
    await page.getByText('1 task is pending again').waitFor()
    // it may run and fail again immediately, for another reason
    await page.getByText('could not reach the feed').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete: Email' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The task will not run.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete: Email' }).waitFor({ state: 'detached' })
    assert.deepEqual(await service.rows(`select from pgboss.job where name = 'mail'`), [])
  })

  it('show error reports, and delete all of them', async () => {
    await service.rows(
      `insert into error_report (info, data, path, request) values
        ('it broke', 'at somewhere.ts:1', '/api/part/', 'a-request'), ('it broke again', '', null, 'a-job')`,
    )
    const page = await openConsole(service, 'staff', '/settings/errors/')
    await page.getByRole('row').filter({ hasText: 'it broke again' }).getByText('Background task').waitFor()
    await assertAccessible(page)
    await page.getByRole('row').filter({ hasText: '/api/part/' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('at somewhere.ts:1').waitFor()
    assert.match(page.url(), /report=\d+/)
    await assertAccessible(page)
    await capturePage(page, 'error-report')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.doesNotMatch(page.url(), /report=/)
    await page.getByRole('button', { name: 'Delete all' }).click()
    await dialog.getByRole('button', { name: 'Delete all' }).click()
    await page.getByText('The service has reported no internal errors.').waitFor()
    assert.deepEqual(await service.rows('select from error_report'), [])
  })

  it('send a test email and show its result, and the log of mails', async () => {
    const page = await openConsole(service, 'superuser', '/settings/mail/')
    await page.getByText('No emails yet').waitFor()
    await page.getByRole('button', { name: 'Send test email' }).click()
    await page.getByText('Your account has no email address: add one first.').waitFor()
    await service.rows(`update user_account set email = 'super@stock.example' where username = 'superuser'`)
    await page.getByRole('button', { name: 'Send test email' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The email to super@stock.example was written to a file').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    const row = page.getByRole('row').filter({ hasText: 'Test email' })
    await row.getByText('Not sent: written to a file', { exact: true }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'mail')
  })

  it('make a backup, schedule, download after a confirmation, and delete', async () => {
    const page = await openConsole(service, 'superuser', '/settings/backups/')
    await page.getByText('No backups yet').waitFor()
    await page.getByText(/^Backups will be in .*, which the first one creates\./).waitFor()
    await page.keyboard.press('n')
    const table = page.getByRole('table', { name: 'Backups' })
    await table.getByText(/rows/).waitFor()
    await page.getByLabel('Automatic Backup').or(page.getByRole('checkbox')).first().check()
    await page.getByText(/ saved$/).waitFor()
    assert.equal((await service.staff.get('/api/settings/global/INVENTREE_BACKUP_ENABLE/')).body.value, 'True')
    await page.getByText(/^The next backup is due/).waitFor()
    await page.getByLabel('Auto Backup Hour').fill('2')
    await page.keyboard.press('Enter')
    await page.getByText('Auto Backup Hour saved').waitFor()
    await page.getByText(/^Backups are in .*, with .* available\./).waitFor()
    const commands = await page.locator('.restore-steps pre').allTextContents()
    const { backups, folder: backupFolder } = (await service.superuser.get('/api/web/backup/')).body
    const { name } = backups[0]
    assert.equal(commands[0], `DATA_DIR=new-data npx stockroom restore ${backupFolder}/${name}`)
    assert.equal(commands[1], `tar xf ${name}.tar\nDATA_DIR=new-data npx stockroom restore ${name}`)
    await assertAccessible(page)
    await capturePage(page, 'backups')
    await service.rows(`update user_session set confirmed = now() - interval '11 minutes'`)
    await page.getByRole('button', { name: /^Download the backup/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(PASSWORD)
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    assert.match((await download).suggestedFilename(), /^stockroom-.*Z\.tar$/)
    const events = () => service.rows(`select from security_event where kind = 'backup_downloaded'`)
    assert.equal((await events()).length, 1)
    await page.getByRole('button', { name: /^Delete the backup/ }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No backups yet').waitFor()
  })

  it('verify stock, and link what is wrong', async () => {
    await tamper(`update stock_item set quantity = quantity + 7 where pk = ${items.resistors}`)
    const page = await openConsole(service, 'staff', '/settings/verify/')
    await page.getByText('Not verified yet').waitFor()
    await page.keyboard.press('n')
    await page.getByText('Stock is not consistent').waitFor()
    const finding = page.getByText('The quantity of an item is its opening quantity plus the changes in its history.')
    await finding.waitFor()
    await assertAccessible(page)
    await capturePage(page, 'verify')
    await page.getByRole('table').getByRole('link').first().click()
    await waitUntil(() => page.url().includes(`/stock/item/${items.resistors}/`), 'the object is not linked')
    await tamper(`update stock_item set quantity = quantity - 7 where pk = ${items.resistors}`)
    const german = await openConsole(service, 'staff', '/settings/verify/', { locale: 'de-DE' })
    await german.getByText('Der Bestand ist nicht konsistent').waitFor()
    await german.getByText(/auf Lager, aber die Anfangsmenge war/).waitFor()
  })

  it('name every kind of mail', () => {
    assert.deepEqual(
      Object.keys(mailTexts).filter((kind) => !(kind in MAIL_KINDS)),
      [],
    )
  })

  it('have German texts for every check of stock', () => {
    assert.deepEqual(
      checks.filter(({ holds }) => !(holds in VERIFICATION_TEXTS)).map(({ name }) => name),
      [],
    )
  })
})
