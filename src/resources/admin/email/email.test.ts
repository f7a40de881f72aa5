import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { superuser } = service
const MAILS = '/api/admin/email/'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

beforeEach(async () => {
  await service.rows('delete from outgoing_mail')
  await service.rows(
    `insert into outgoing_mail (kind, "user", address, state, error, created) values
       ('reset', $1, 'ada@example.com', 'sent', null, now() - interval '3 minutes'),
       ('welcome', $1, 'bob@example.com', 'failed', 'rejected', now() - interval '2 minutes'),
       ('verify', $1, 'eve@example.com', 'queued', null, now() - interval '1 minute'),
       ('reset', null, 'anybody@example.com', 'queued', null, now())`,
    [service.getPk('member')],
  )
})
const listMails = async (query = '') => (await superuser.get(`${MAILS}${query}`)).body.results
const readState = () => service.rows('select pk from outgoing_mail order by pk')

describe('GET /api/admin/email/', () => {
  it('lists the mails to accounts, the newest first, without their contents', async () => {
    const mails = await listMails()
    assert.deepEqual(
      mails.map((mail: Record<string, unknown>) => [
        mail.to,
        mail.subject,
        mail.status,
        mail.body,
        mail.direction,
        mail.error_message,
      ]),
      [
        ['eve@example.com', 'verify', 'A', '', 'O', null],
        ['bob@example.com', 'welcome', 'F', '', 'O', 'rejected'],
        ['ada@example.com', 'reset', 'S', '', 'O', null],
      ],
    )
    assert.deepEqual((await superuser.get(`${MAILS}${mails[0].global_id}/`)).body, mails[0])
    assert.equal((await listMails('?search=bob')).length, 1)
    assert.equal((await listMails('?ordering=to'))[0].to, 'ada@example.com')
    for (const id of [UNKNOWN, '1', 'x']) assert.equal((await superuser.get(`${MAILS}${id}/`)).status, 404)
  })

  it('requires a superuser', async () => {
    const [{ pk }] = await listMails()
    for (const path of [MAILS, `${MAILS}${pk}/`]) await assertCallers(service, (client) => client.get(path), ['superuser'])
  })
})

describe('DELETE /api/admin/email/, and of one', () => {
  it('deletes mails that were sent or failed, all or none', async () => {
    const [queued, failed, sent] = await listMails()
    const before = await readState()
    for (const body of [{}, { items: [] }, { items: [1] }, { items: 'all' }, { items: [failed.pk, queued.pk] }])
      assert.equal((await superuser.delete(MAILS, body)).status, 400)
    assert.equal((await superuser.delete(`${MAILS}${queued.pk}/`)).status, 400)
    assert.equal((await superuser.delete(`${MAILS}${UNKNOWN}/`)).status, 404)
    assert.deepEqual(await readState(), before)
    assert.equal((await superuser.delete(MAILS, { items: [failed.pk] })).status, 204)
    assert.equal((await superuser.delete(`${MAILS}${sent.pk}/`)).status, 204)
    assert.deepEqual(
      (await listMails()).map(({ pk }: { pk: string }) => pk),
      [queued.pk],
    )
  })

  it('requires a superuser', async () => {
    const [, { pk }] = await listMails()
    await assertCallers(service, (client) => client.delete(MAILS, { items: [UNKNOWN] }), ['superuser'], readState)
    await assertCallers(service, (client) => client.delete(`${MAILS}${pk}/`), ['superuser'], readState)
  })
})

describe('POST /api/admin/email/test/', () => {
  it('sends a mail to the address, once in a while', async () => {
    const { status, body } = await superuser.post(`${MAILS}test/`, { email: 'test@example.com' })
    assert.deepEqual([status, body], [201, { email: 'test@example.com' }])
    const [row] = await service.rows(`select kind, "user" from outgoing_mail where address = 'test@example.com'`)
    assert.deepEqual(row, { kind: 'test', user: service.getPk('superuser') })
    assert.equal((await superuser.post(`${MAILS}test/`, { email: 'test@example.com' })).status, 429)
    for (const email of [undefined, null, '', 'x', 'a@b.example, c@d.example'])
      assert.deepEqual(Object.keys((await superuser.post(`${MAILS}test/`, { email })).body), ['email'])
  })

  it('requires a superuser', () =>
    assertCallers(service, (client) => client.post(`${MAILS}test/`, { email: 'x' }), ['superuser'], readState))
})
