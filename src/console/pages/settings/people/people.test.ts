import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { RIGHTS, ROLES } from '../../../../resources/user/rights.ts'
import { enroll, signIn } from '../../../../testing/second-factor.ts'
import { startTestMailServer } from '../../../../testing/servers/mail.ts'
import { PASSWORD, testService } from '../../../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, openConsole } from '../../../testing/console.ts'
import { RIGHT_KEYS, ROLE_KEYS } from './people.ts'

const mail = await startTestMailServer()
const service = await testService({ SMTP_URL: mail.url, TRUST_PROXY: 'true', SIGN_IN_RATE: '1000', REGISTRATION_RATE: '1000' })
const { rows } = service
const viewer = service.getPk('viewer')
await rows(`update user_account set first_name = 'Vera', last_name = 'Holt', email = 'vera@stock.example' where pk = $1`, [
  viewer,
])
const [{ pk: members }] = await rows(`select pk from user_group where name = 'members'`)
const lena = await enroll(service, 'lena')

const readAccount = async (username: string) =>
  (
    await rows(
      `select pk, is_staff, is_superuser, is_active, array(select "group" from user_group_member m where m."user" = u.pk) as groups
       from user_account u where username = $1`,
      [username],
    )
  )[0]
const dialogOf = (page: Page) => page.getByRole('dialog')

describe('users', { skip: cannotBrowse }, () => {
  it('are found by name and permissions, and edited', async () => {
    const page = await openConsole(service, 'superuser', '/settings/')
    await page.getByRole('main').getByRole('link', { name: 'Users' }).click()
    const row = page.getByRole('row').filter({ hasText: 'lena' })
    await row.getByText('On', { exact: true }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'users')
    await page.getByRole('searchbox').fill('vera@stock')
    await row.waitFor({ state: 'detached' })
    assert.match(page.url(), /search=vera/)
    await page.getByRole('link', { name: 'Vera Holt' }).click()
    await page.getByRole('heading', { name: 'Vera Holt' }).waitFor()
    await page.getByText('Has the permissions of its groups.').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'user')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Username').fill('MEMBER')
    await page.getByLabel('members').check()
    await page.getByLabel('Staff').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A user with that username already exists').waitFor()
    assert.equal((await readAccount('viewer')).is_staff, false)
    await assertAccessible(page)
    await capturePage(page, 'user-edit')
    await page.getByLabel('Username').fill('viewer')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('main').locator('h1 ~ .badge', { hasText: 'Staff' }).waitFor()
    const account = await readAccount('viewer')
    assert.equal(account.is_staff, true)
    assert.ok(account.groups.includes(members))
    await rows('update user_account set is_staff = false where pk = $1', [viewer])
  })

  it('are deactivated, activated and deleted, but not the last superuser', async () => {
    const page = await openConsole(service, 'superuser', `/settings/users/${service.getPk('superuser')}/`)
    const choose = async (action: string) => {
      await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: action }).last().click()
    }
    await choose('Deactivate')
    await dialogOf(page).getByRole('button', { name: 'Deactivate' }).click()
    await dialogOf(page).getByText('the last superuser').or(dialogOf(page).getByText('last active superuser')).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'last-superuser')
    assert.equal((await readAccount('superuser')).is_active, true)
    await rows(`insert into user_account (username) values ('leaver')`)
    const { pk } = await readAccount('leaver')
    await page.goto(`/settings/users/${pk}/`)
    await choose('Deactivate')
    await dialogOf(page).getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText('Inactive', { exact: true }).waitFor()
    assert.equal((await readAccount('leaver')).is_active, false)
    await choose('Activate')
    await page.getByText('Inactive', { exact: true }).waitFor({ state: 'detached' })
    await choose('Delete')
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('leaver deleted').waitFor()
    assert.equal(await readAccount('leaver'), undefined)
    assert.match(page.url(), /\/settings\/users\/$/)
  })

  it('get a link for a new password, by email or shown once', async () => {
    const page = await openConsole(service, 'superuser', `/settings/users/${viewer}/`)
    await page.getByRole('button', { name: 'Reset password' }).click()
    await dialogOf(page).getByLabel('Send by email to vera@stock.example').uncheck()
    await assertAccessible(page)
    await capturePage(page, 'reset-password')
    await dialogOf(page).getByRole('button', { name: 'Create link' }).click()
    const url = await page.getByLabel('Link', { exact: true }).inputValue()
    assert.match(url, /\/platform\/set-password\?uid=/)
    await page.keyboard.press('Escape')
    assert.equal(await page.getByLabel('Link', { exact: true }).inputValue(), url)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    assert.ok(!(await page.content()).includes(url.split('token=')[1] as string))
    await page.getByRole('button', { name: 'Reset password' }).click()
    await dialogOf(page).getByRole('button', { name: 'Create link' }).click()
    await page.getByText('sent to vera@stock.example').waitFor()
    assert.match((await mail.next('vera@stock.example')).subject, /new password/)
  })

  it('lose a second factor that they no longer have, sessions and tokens', async () => {
    const token = await service.viewer.post('/api/user/tokens/', { name: 'scanner' })
    await signIn(service, 'viewer')
    const page = await openConsole(service, 'superuser', `/settings/users/${lena.pk}/`)
    await page.getByRole('button', { name: 'Remove second factor' }).click()
    await dialogOf(page).getByRole('button', { name: 'Remove second factor' }).click()
    await page.getByText('The second factor is off').waitFor()
    assert.deepEqual(await rows('select from second_factor where "user" = $1', [lena.pk]), [])
    await page.goto(`/settings/users/${viewer}/`)
    await page.getByRole('button', { name: 'Revoke scanner' }).click()
    await assertAccessible(page)
    await dialogOf(page).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row').filter({ hasText: 'scanner' }).waitFor({ state: 'detached' })
    const headers = { authorization: `Token ${token.body.token}` }
    assert.equal((await service.anonymous.get('/api/user/me/', headers)).status, 401)
    await page.getByRole('button', { name: 'Sign out all' }).click()
    await dialogOf(page).getByRole('button', { name: 'Sign out all' }).click()
    await page.getByText('No browser is signed in').waitFor()
    assert.deepEqual(await rows('select from user_session where "user" = $1', [viewer]), [])
  })

  it('are only read by staff, who see who can change them, and hidden from others', async () => {
    const page = await openConsole(service, 'staff', '/settings/users/')
    await page.getByText('Only superusers can change accounts').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Invite person' }).count(), 0)
    await page.getByRole('link', { name: 'Vera Holt' }).click()
    await page.getByRole('heading', { name: 'Vera Holt', level: 1 }).waitFor()
    await page.getByText('vera@stock.example').waitFor()
    for (const name of ['Edit', 'Reset password', 'More', 'Sign out all'])
      assert.equal(await page.getByRole('main').getByRole('button', { name }).count(), 0, name)
    await assertAccessible(page)
    await page.goto('/settings/invitations/')
    await page.getByText('This page is for superusers').waitFor()
    const ofMember = await openConsole(service, 'member', '/settings/users/')
    for (const path of ['/settings/users/', `/settings/users/${viewer}/`, '/settings/groups/', '/settings/security-events/']) {
      await ofMember.goto(path)
      await ofMember.getByText('You do not have permission to use this page').waitFor()
      await ofMember.getByText('This page needs an account with staff status').waitFor()
    }
    await capturePage(ofMember, 'people-not-allowed')
  })
})

describe('invitations', { skip: cannotBrowse }, () => {
  /** Fills in the form of an invitation, and returns its dialog. */
  const openInvitation = async (page: Page) => {
    await page.getByRole('button', { name: 'Invite person' }).first().click()
    return dialogOf(page)
  }

  it('are created with groups and permissions, shown once, and accepted', async () => {
    const page = await openConsole(service, 'superuser', '/settings/users/')
    const dialog = await openInvitation(page)
    await dialog.getByText('Without a group the person sees nothing.').waitFor()
    await dialog.getByLabel('members').check()
    await dialog.getByText('Without a group').waitFor({ state: 'detached' })
    await dialog.getByLabel('Staff').check()
    await dialog.getByRole('button', { name: 'Invite person' }).click()
    // by email, and without an address
    await dialog.locator('[aria-invalid]').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'invite')
    await dialog.getByLabel('Send by email').uncheck()
    await dialog.getByRole('button', { name: 'Invite person' }).click()
    const url = new URL(await page.getByLabel('Link', { exact: true }).inputValue())
    assert.equal(await page.getByText('works only on the server itself').count(), /^(localhost|127)/.test(url.hostname) ? 1 : 0)
    await assertAccessible(page)
    await capturePage(page, 'invitation-link')
    await page.getByRole('button', { name: 'I have copied it' }).click()

    const guest = await openConsole(service, 'anonymous', `${url.pathname}${url.hash}`)
    await guest.getByRole('heading', { name: 'You are invited' }).waitFor()
    await guest.getByLabel('Username').fill('viewer')
    await guest.getByLabel('First name').fill('Ada')
    await guest.getByLabel('Password', { exact: true }).fill('seven blue horses')
    await guest.getByLabel('Repeat password').fill('another one here')
    await guest.getByRole('button', { name: 'Create account' }).click()
    await guest.getByText('The two passwords differ').waitFor()
    await guest.getByLabel('Repeat password').fill('seven blue horses')
    await guest.getByRole('button', { name: 'Create account' }).click()
    await guest.getByText('A user with that username already exists').waitFor()
    await assertAccessible(guest)
    await capturePage(guest, 'accept-invitation')
    await guest.getByLabel('Username').fill('ada')
    await guest.getByRole('button', { name: 'Create account' }).click()
    await guest.getByRole('button', { name: 'Ada' }).waitFor()
    const { is_staff, is_superuser, groups } = await readAccount('ada')
    assert.deepEqual([is_staff, is_superuser, groups], [true, false, [members]])

    const late = await openConsole(service, 'anonymous', `${url.pathname}${url.hash}`)
    await late.getByText('This invitation is not valid').first().waitFor()
    await assertAccessible(late)
    await late.getByRole('button', { name: 'Back to sign-in' }).click()
    await late.getByLabel('Username').waitFor()
  })

  it('are emailed, renewed and revoked', async () => {
    const page = await openConsole(service, 'superuser', '/settings/invitations/')
    const dialog = await openInvitation(page)
    await dialog.getByLabel('Email', { exact: true }).fill('grace@stock.example')
    await dialog.getByRole('button', { name: 'Invite person' }).click()
    await page.getByText('sent to grace@stock.example').waitFor()
    assert.match((await mail.next('grace@stock.example')).subject, /invited/)
    const row = page.getByRole('row').filter({ hasText: 'grace@stock.example' })
    await row.getByText('No group').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'invitations')
    await page.getByRole('button', { name: 'Renew the invitation for grace@stock.example' }).click()
    await dialog.getByLabel('Send by email').uncheck()
    await dialog.getByRole('button', { name: 'Renew' }).click()
    assert.match(await page.getByLabel('Link', { exact: true }).inputValue(), /\/invitation\/#/)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Revoke grace@stock.example' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No pending invitations').waitFor()
    assert.deepEqual(await rows('select from invitation'), [])
  })

  it('are for others: who is signed in signs out first', async () => {
    const page = await openConsole(service, 'member', '/invitation/#some-token')
    await page.getByText('You are signed in as member').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('This invitation is not valid').first().waitFor()
  })
})

describe('groups', { skip: cannotBrowse }, () => {
  it('are created, get permissions and members, and are deleted', async () => {
    const page = await openConsole(service, 'superuser', '/settings/groups/')
    await page.getByRole('gridcell', { name: 'Can change everything' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'groups')
    await page.getByRole('button', { name: 'New group' }).click()
    await dialogOf(page).getByLabel('Name').fill('members')
    await page.keyboard.press('Enter')
    await dialogOf(page).getByText('this name already exists').waitFor()
    await dialogOf(page).getByLabel('Name').fill('Buyers')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Buyers' }).waitFor()
    await page.getByText('To print a label or report, an account needs View permission').waitFor()
    const box = (name: string) => page.getByRole('checkbox', { name: `Purchase orders: ${name}` })
    await box('Add').click()
    await page.waitForFunction(() => document.querySelectorAll('.rights-matrix input:checked').length === 14)
    assert.ok(await box('Change').isChecked())
    await assertAccessible(page)
    await capturePage(page, 'group-rights')
    // without the permission to view nothing remains
    await box('View').click()
    await page.waitForFunction(() => document.querySelectorAll('.rights-matrix input:checked').length === 11)
    const [{ pk }] = await rows(`select pk from user_group where name = 'Buyers'`)
    await page.getByLabel('Add member').fill('viewer')
    await page.keyboard.press('Enter')
    await page.getByText('Vera Holt added').waitFor()
    assert.ok((await readAccount('viewer')).groups.includes(pk))
    await page.getByRole('button', { name: 'Remove Vera Holt' }).click()
    await page.getByText('No members yet').waitFor()
    assert.ok(!(await readAccount('viewer')).groups.includes(pk))
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Buyers deleted').waitFor()
    assert.deepEqual(await rows(`select from user_group where name = 'Buyers'`), [])
  })

  it('get the rights of a preset when they are created', async () => {
    const page = await openConsole(service, 'superuser', '/settings/groups/')
    const readRights = async (group: string): Promise<Record<string, string[]>> =>
      Object.fromEntries(
        (
          await rows(
            `select r.name, can_view, can_add, can_change, can_delete from rule_set r
              join user_group g on g.pk = r."group" where g.name = $1`,
            [group],
          )
        ).map(({ name, ...rights }) => [name, Object.keys(rights).filter((right) => rights[right])]),
      )
    for (const preset of ['Read only', 'Storekeeper', 'Buyer', 'Production']) {
      await page.goto('/settings/groups/')
      await page.getByRole('button', { name: 'New group' }).click()
      await dialogOf(page).getByLabel('Name').fill(`${preset} group`)
      await dialogOf(page).getByLabel('Permissions').selectOption(preset)
      await dialogOf(page).getByText('Members can print labels and reports for everything they can view.').waitFor()
      if (preset === 'Storekeeper') {
        await assertAccessible(page)
        await capturePage(page, 'group-preset')
      }
      await dialogOf(page).getByRole('button', { name: 'Create' }).click()
      await page.getByRole('heading', { name: `${preset} group` }).waitFor()
    }
    const readOnly = await readRights('Read only group')
    assert.ok(Object.values(readOnly).every((rights) => rights.join() === 'can_view'))
    const [view, add] = [['can_view'], ['can_view', 'can_add', 'can_change']]
    const all = [...add, 'can_delete']
    assert.deepEqual(await readRights('Storekeeper group'), {
      ...readOnly,
      ...{ stock: all, stock_location: all, stocktake: all, transfer_order: all },
      ...{ purchase_order: add, sales_order: add, return_order: add },
    })
    const buyer = await readRights('Buyer group')
    assert.deepEqual([buyer.purchase_order, buyer.part, buyer.stock, buyer.admin], [all, add, view, view])
    const production = await readRights('Production group')
    assert.deepEqual([production.build, production.bom, production.purchase_order], [all, all, view])
  })

  it('list the orders and locations that they are responsible for', async () => {
    const [{ pk: owner }] = await rows('select pk from owner where "group" = $1', [members])
    const category = (await service.superuser.post('/api/part/category/', { name: 'Boards' })).body.pk
    const part = { name: 'Board', description: 'To build', category, assembly: true }
    const created = await service.superuser.post('/api/part/', part)
    const order = { part: created.body.pk, quantity: 2, title: 'Two boards', reference: 'BO-0001', responsible: owner }
    const build = await service.superuser.post('/api/build/', order)
    assert.equal(build.status, 201, created.text + build.text)
    await service.superuser.post('/api/stock/location/', { name: 'Cage', owner })
    const page = await openConsole(service, 'superuser', `/settings/groups/${members}/`)
    await page.getByRole('link', { name: build.body.reference }).waitFor()
    await page.getByRole('link', { name: 'Cage' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'group-responsible')
  })

  it('are only read by staff', async () => {
    const page = await openConsole(service, 'staff', `/settings/groups/${members}/`)
    await page.getByText('Only superusers can change accounts').waitFor()
    await page.getByRole('table', { name: 'Permissions of members' }).waitFor()
    assert.equal(await page.getByRole('main').getByRole('checkbox').count(), 0)
    assert.equal(await page.getByLabel('Add member').count(), 0)
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
    await assertAccessible(page)
  })

  it('have a name for each role and right of the service', () => {
    assert.deepEqual(Object.keys(ROLE_KEYS), [...ROLES])
    assert.deepEqual(
      Object.keys(RIGHT_KEYS),
      RIGHTS.map((right) => `can_${right}`),
    )
  })
})

describe('security events', { skip: cannotBrowse }, () => {
  it('are filtered, and show what changed, in words', async () => {
    await service.superuser.patch(`/api/user/${viewer}/`, { is_staff: true })
    await service.superuser.patch(`/api/user/${viewer}/`, { is_staff: false })
    await service.staff.patch('/api/settings/global/STOCK_STALE_DAYS/', { value: '9' })
    await service.anonymous.post('/api/auth/login/', { username: 'viewer', password: `not ${PASSWORD}` })
    const page = await openConsole(service, 'staff', '/settings/security-events/')
    await page.getByRole('gridcell', { name: 'Wrong password or code' }).first().waitFor()
    const cut = await page
      .getByRole('gridcell')
      .filter({ hasText: /Wrong password|:\d\d [AP]M/ })
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent))
    assert.deepEqual(cut, [])
    await assertAccessible(page)
    await capturePage(page, 'security-events')
    await page.getByRole('combobox', { name: 'Event' }).selectOption('Setting changed')
    await page.getByRole('gridcell', { name: 'Stock Stale Time: 9 (before: 0)' }).waitFor()
    await page.getByRole('gridcell', { name: 'Wrong password or code' }).waitFor({ state: 'detached' })
    assert.match(page.url(), /kind=setting_changed/)
    await page.getByRole('combobox', { name: 'Event' }).selectOption('Permissions changed')
    await page.getByRole('gridcell', { name: 'Staff: No (before: Yes)' }).first().waitFor()
    await page.getByRole('link', { name: 'Permissions changed' }).first().click()
    const change = page.getByRole('row').filter({ hasText: 'Staff' })
    await change.getByRole('cell', { name: 'Yes' }).waitFor()
    await change.getByRole('cell', { name: 'No' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'security-event')
  })

  it('are shown in German on a phone, as users are', async () => {
    const viewport = { width: 390, height: 800 }
    const page = await openConsole(service, 'superuser', '/settings/users/', { viewport, locale: 'de-DE' })
    await page.getByRole('heading', { name: 'Benutzer', exact: true }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'users-phone')
    await page.goto(`/settings/groups/${members}/`)
    await page.getByRole('table', { name: 'Rechte von members' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'group-phone')
    await page.goto('/settings/security-events/')
    await page.getByRole('gridcell').first().waitFor()
    await assertAccessible(page)
    await capturePage(page, 'security-events-phone')
  })
})
