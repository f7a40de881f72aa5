import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'
import { sweep } from '../../background-task/housekeeping.ts'

const MAILS = '/api/web/mail/'
const mail = await startTestMailServer()
const service = await testService({ SMTP_URL: mail.url, MAIL_AGAIN_SECONDS: '60' })
const { superuser, staff, anonymous } = service
const countMails = async () => Number((await service.rows('select count(*) from outgoing_mail'))[0].count)

describe(`POST ${MAILS}test/`, () => {
  it('requires a superuser, and an address', async () => {
    await assertCallers(service, (client) => client.post(`${MAILS}test/`), ['superuser'], countMails)
    const { status, body } = await superuser.post(`${MAILS}test/`)
    assert.deepEqual(
      [status, body, await countMails()],
      [400, { non_field_errors: ['Your account has no email address: add one first.'] }, 0],
    )
  })

  it("goes to the caller's address, and not again too soon", async () => {
    await service.rows(`update user_account set email = username || '@stock.example'`)
    const { status, body } = await superuser.post(`${MAILS}test/`)
    assert.deepEqual([status, body.address], [202, 'superuser@stock.example'])
    const { recipients, subject } = await mail.next('superuser@stock.example')
    assert.deepEqual([recipients, subject], [['superuser@stock.example'], '[Stockroom] Test email'])
    await mail.waitUntilIdle(service)
    const { state, kind, attempts, error } = (await superuser.get(`${MAILS}${body.pk}/`)).body
    assert.deepEqual([state, kind, attempts, error], ['sent', 'test', 1, null])
    const before = await countMails()
    const again = await superuser.post(`${MAILS}test/`)
    assert.deepEqual([again.status, again.headers['retry-after'], await countMails()], [429, '60', before])
  })

  it('has its rejection in the log', async () => {
    await service.rows('delete from outgoing_mail')
    mail.rejectNext(1, 550)
    const { body } = await superuser.post(`${MAILS}test/`)
    await waitUntil(async () => (await superuser.get(`${MAILS}${body.pk}/`)).body.state === 'failed', 'it does not fail')
    assert.match((await superuser.get(`${MAILS}${body.pk}/`)).body.error, /550/)
    const [failed] = (await superuser.get(`${MAILS}?failed=true`)).body.results
    assert.equal(failed.pk, body.pk)
    assert.equal((await superuser.get(`${MAILS}?failed=false`)).body.count, 0)
  })
})

describe(`GET ${MAILS}`, () => {
  it('requires a superuser', () => assertCallers(service, (client) => client.get(MAILS), ['superuser']))

  it('lists emails to accounts with their results, and no contents or addresses that anyone typed', async () => {
    await service.rows('delete from outgoing_mail')
    for (const email of ['staff@stock.example', 'nobody.has.it@stock.example'])
      assert.equal((await anonymous.post('/api/auth/password/reset/', { email })).status, 200)
    const { token } = await mail.next('staff@stock.example')
    await mail.waitUntilIdle(service)
    const { body, text } = await superuser.get(MAILS)
    assert.deepEqual(
      body.results.map(({ kind, address, username, state }: Record<string, string>) => [kind, address, username, state]),
      [['reset', 'staff@stock.example', 'staff', 'sent']],
    )
    assert.ok(token && !text.includes(token))
    const invited = await superuser.post('/api/user/invitation/', { email: 'new@stock.example', send_mail: true })
    assert.equal(invited.status, 201, invited.text)
    const [invitation] = (await superuser.get(`${MAILS}?search=new@`)).body.results
    assert.deepEqual([invitation.kind, invitation.address, invitation.username], ['invitation', 'new@stock.example', null])
    assert.equal((await superuser.get(`${MAILS}?search=nobody.has`)).body.count, 0)
    assert.equal((await staff.get(MAILS)).status, 403)
  })

  it('is bounded by age and number', async () => {
    await service.rows('delete from outgoing_mail')
    const user = service.getPk('staff')
    await service.rows(
      `insert into outgoing_mail (kind, "user", address, state, created) values ('test', $1, 'a@b.example', 'sent', now() - interval '31 days')`,
      [user],
    )
    await service.rows(
      `insert into outgoing_mail (kind, "user", address, state) select 'test', $1, 'a@b.example', 'sent' from generate_series(1, 10005)`,
      [user],
    )
    await sweep(service.app.routes.services)
    assert.equal(await countMails(), 10_000)
  })
})
