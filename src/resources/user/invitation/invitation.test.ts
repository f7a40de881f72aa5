import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAccount, createAddressHeaders } from '../../../testing/second-factor.ts'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, type Client, testService } from '../../../testing/service.ts'

const mail = await startTestMailServer()
const service = await testService({
  SMTP_URL: mail.url,
  SIGN_IN_RATE: '1000',
  REGISTRATION_RATE: '1000',
  WRONG_CREDENTIALS: '5',
  TRUST_PROXY: 'true',
})
const { anonymous, superuser } = service
const INVITATIONS = '/api/user/invitation/'
const PASSWORD = 'seven blue horses'
const CALLERS = ['anonymous', 'nobody', 'viewer', 'member', 'staff', 'superuser'] as const

const [{ pk: members }] = await service.rows(`select pk from user_group where name = 'members'`)
const readInvitations = () => service.rows('select pk, email, token_hash, expires from invitation order by pk')
const readAccount = async (username: string) =>
  (
    await service.rows(
      `select u.is_staff, u.is_superuser, u.first_name, u.email, array(select "group" from user_group_member m where m."user" = u.pk) as groups,
         (select verified from email_address e where e."user" = u.pk) as verified
       from user_account u where username = $1`,
      [username],
    )
  )[0]
const readToken = (url: string) => new URL(url).hash.slice(1)
/** Creates an invitation; returns its key and the token of its link. */
async function invite(body: object = {}, by: Client = superuser) {
  const response = await by.post(INVITATIONS, body)
  assert.equal(response.status, 201, response.text)
  return { pk: response.body.pk as number, token: readToken(response.body.url) }
}
const check = (token: string, headers = createAddressHeaders()) => anonymous.post(`${INVITATIONS}check/`, { token }, headers)
const accept = (token: string, username: string, more: object = {}, headers = createAddressHeaders()) =>
  anonymous.post(`${INVITATIONS}accept/`, { token, username, password1: PASSWORD, password2: PASSWORD, ...more }, headers)
const canSignIn = async (username: string) =>
  (await anonymous.post('/api/auth/login/', { username, password: PASSWORD }, createAddressHeaders())).status === 200

describe('an invitation', () => {
  it('creates one account with its groups and permissions, and records the invitation and the account', async () => {
    const { pk, token } = await invite({ group_ids: [members, members], is_staff: true })
    const [stored] = await service.rows('select * from invitation where pk = $1', [pk])
    assert.ok(!JSON.stringify(stored).includes(token))
    assert.ok(!(await superuser.get(INVITATIONS)).text.includes(token))
    const { body } = await check(token)
    assert.deepEqual([body.email, body.invited_by], ['', 'superuser'])
    const accepted = await accept(token, 'ada', { first_name: 'Ada', last_name: 'Holt' })
    assert.deepEqual([accepted.status, accepted.body], [201, { username: 'ada' }])
    const account = { is_staff: true, is_superuser: false, first_name: 'Ada', email: '', groups: [members], verified: null }
    assert.deepEqual(await readAccount('ada'), account)
    assert.ok(await canSignIn('ada'))
    assert.equal((await accept(token, 'another')).status, 400)
    assert.equal((await check(token)).status, 400)
    assert.deepEqual(await service.rows('select from invitation where pk = $1', [pk]), [])
    const events = await service.rows(
      `select kind, username, details from security_event where (details->>'invitation')::integer = $1 order by pk`,
      [pk],
    )
    assert.deepEqual(
      events.map(({ kind, username }) => [kind, username]),
      [
        ['invitation_made', ''],
        ['registered', 'ada'],
      ],
    )
    const details = { invitation: pk, invited_by: 'superuser', is_staff: true, is_superuser: false, groups: ['members'] }
    assert.deepEqual(events[1]?.details, details)
  })

  it('proves the address if it is emailed, and the response has no link', async () => {
    const response = await superuser.post(INVITATIONS, { email: 'grace@stock.example', send_mail: true })
    assert.deepEqual([response.status, response.body.url], [201, null])
    const { links, subject } = await mail.next('grace@stock.example')
    assert.match(subject, /invited/)
    const token = readToken(links[0] as string)
    assert.equal((await check(token)).body.email, 'grace@stock.example')
    // the address of the invitation counts, not the one that is sent
    assert.equal((await accept(token, 'grace', { email: 'evil@stock.example' })).status, 201)
    const { email, verified, groups } = await readAccount('grace')
    assert.deepEqual([email, verified, groups], ['grace@stock.example', true, []])
  })

  it('does not prove the address if it is a link: the address gets another link that verifies it', async () => {
    const { token } = await invite({ email: 'lena@stock.example' })
    assert.equal((await accept(token, 'lena')).status, 201)
    const { email, verified } = await readAccount('lena')
    assert.deepEqual([email, verified], ['lena@stock.example', false])
    assert.match((await mail.next('lena@stock.example')).subject, /confirm/)
  })

  it('lets the invited person enter an address if it has none', async () => {
    const { token } = await invite()
    assert.equal((await accept(token, 'mira', { email: 'mira@stock.example' })).status, 201)
    assert.deepEqual([(await readAccount('mira')).email, (await readAccount('mira')).verified], ['mira@stock.example', false])
  })

  it('is accepted once, however many requests are sent at the same time', async () => {
    const { token } = await invite({ is_superuser: true })
    const names = ['one', 'two', 'three', 'four', 'five']
    const responses = await Promise.all(names.map((name) => accept(token, `at.once.${name}`)))
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 400, 400, 400, 400])
    assert.equal((await service.rows(`select from user_account where username like 'at.once.%'`)).length, 1)
    await service.rows(`update user_account set is_superuser = false where username like 'at.once.%'`)
  })

  it('stays open when the account breaks a rule', async () => {
    const { pk, token } = await invite()
    const before = await service.rows('select count(*) from user_account')
    for (const [body, field] of [
      [{ username: 'MEMBER' }, 'username'],
      [{ username: 'two words' }, 'username'],
      [{ password1: 'short', password2: 'short' }, 'password1'],
      [{ password1: 'new.account1', password2: 'new.account1', username: 'new.account' }, 'password1'],
      [{ password2: 'another password' }, 'password2'],
      [{ email: 'no address' }, 'email'],
      [{ first_name: 'x'.repeat(151) }, 'first_name'],
    ] as const) {
      const response = await accept(token, 'valid.name', body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
    }
    assert.deepEqual(await service.rows('select count(*) from user_account'), before)
    assert.equal((await service.rows('select from invitation where pk = $1', [pk])).length, 1)
    assert.equal((await accept(token, 'valid.name')).status, 201)
  })

  it('ends when it is revoked, expires, or its creator is no longer an active superuser', async () => {
    const { pk, token } = await invite({ email: 'revoked@stock.example' })
    assert.equal((await superuser.delete(`${INVITATIONS}${pk}/`)).status, 204)
    const [event] = await service.rows(`select actor, details from security_event where kind = 'invitation_revoked'`)
    const details = { invitation: pk, email: 'revoked@stock.example' }
    assert.deepEqual(event, { actor: service.getPk('superuser'), details })
    const expired = await invite()
    await service.rows('update invitation set expires = now() where pk = $1', [expired.pk])
    assert.equal((await superuser.get(`${INVITATIONS}${expired.pk}/`)).body.expired, true)
    const chief = await createAccount(service, 'chief')
    const ofChief = await invite()
    await service.rows('update invitation set created_by = $1 where pk = $2', [chief, ofChief.pk])
    for (const [index, voidToken] of [token, expired.token, ofChief.token].entries()) {
      assert.equal((await check(voidToken)).status, 400)
      assert.deepEqual(Object.keys((await accept(voidToken, `late${index}`)).body), ['token'])
    }
    await service.rows('update user_account set is_superuser = true where pk = $1', [chief])
    assert.equal((await check(ofChief.token)).status, 200)
    await service.rows('delete from user_account where pk = $1', [chief])
    assert.equal((await check(ofChief.token)).status, 400)
  })

  it('cannot be guessed: wrong tokens of one network address are limited', async () => {
    const { token } = await invite()
    const headers = createAddressHeaders()
    const statuses = []
    for (let round = 0; round < 6; round++) statuses.push((await accept('wrong', `guess${round}`, {}, headers)).status)
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429])
    assert.equal((await check(token, headers)).status, 429)
    assert.equal((await check(token)).status, 200)
  })

  it('is open to everyone who has its link', async () => {
    await assertCallers(
      service,
      (client) => client.post(`${INVITATIONS}check/`, { token: 'none' }, createAddressHeaders()),
      CALLERS,
    )
    await assertCallers(service, (client) => client.post(`${INVITATIONS}accept/`, {}, createAddressHeaders()), CALLERS)
  })
})

describe('POST /api/user/invitation/{id}/renew/', () => {
  it('replaces the link, which an earlier one no longer opens, and sets when it expires', async () => {
    const { pk, token } = await invite({ email: 'renewed@stock.example', days: 1 })
    const [{ expires: before }] = await service.rows('select expires from invitation where pk = $1', [pk])
    const renewed = await superuser.post(`${INVITATIONS}${pk}/renew/`, { days: 30 })
    assert.equal(renewed.status, 200)
    assert.ok(new Date(renewed.body.expires) > new Date(before))
    assert.equal((await check(token)).status, 400)
    const shownToken = readToken(renewed.body.url)
    assert.equal((await check(shownToken)).status, 200)
    assert.equal((await superuser.post(`${INVITATIONS}${pk}/renew/`, { send_mail: true })).body.url, null)
    assert.equal((await check(shownToken)).status, 400)
    const { links } = await mail.next('renewed@stock.example')
    assert.equal((await check(readToken(links[0] as string))).status, 200)
    const events = await service.rows(`select details from security_event where kind = 'invitation_renewed' order by pk`)
    assert.deepEqual(
      events.map(({ details }) => [details.invitation, details.by_mail, details.days]),
      [
        [pk, false, 30],
        [pk, true, 7],
      ],
    )
    assert.equal((await superuser.post(`${INVITATIONS}999999/renew/`, {})).status, 404)
  })

  it('requires a superuser', async () => {
    const { pk } = await invite()
    await assertCallers(service, (client) => client.post(`${INVITATIONS}${pk}/renew/`, {}), ['superuser'], readInvitations)
  })
})

describe('/api/user/invitation/', () => {
  it('lists open invitations with their groups and their creator', async () => {
    const { pk } = await invite({ email: 'listed@stock.example', group_ids: [members], is_superuser: true })
    const { body } = await superuser.get(`${INVITATIONS}?search=listed`)
    assert.equal(body.count, 1)
    const [{ created, expires, ...row }] = body.results
    assert.deepEqual(row, {
      pk,
      email: 'listed@stock.example',
      groups: [{ pk: members, name: 'members' }],
      is_staff: false,
      is_superuser: true,
      is_mailed: false,
      expired: false,
      created_by: service.getPk('superuser'),
      created_by_detail: { pk: service.getPk('superuser'), username: 'superuser', first_name: '', last_name: '', email: '' },
    })
    assert.ok(new Date(expires) > new Date(created))
  })

  it('reports each invalid field, and creates nothing', async () => {
    const before = await readInvitations()
    for (const [body, field] of [
      [{ email: 'no address' }, 'email'],
      [{ send_mail: true }, 'email'],
      [{ group_ids: [99_999] }, 'group_ids'],
      [{ is_superuser: 'perhaps' }, 'is_superuser'],
      [{ days: 0 }, 'days'],
      [{ days: 31 }, 'days'],
    ] as const) {
      const response = await superuser.post(INVITATIONS, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
    }
    assert.deepEqual(await readInvitations(), before)
  })

  it('requires a superuser: staff could otherwise make superusers', async () => {
    const { pk } = await invite()
    await assertCallers(service, (client) => client.get(INVITATIONS), ['superuser'])
    await assertCallers(service, (client) => client.get(`${INVITATIONS}${pk}/`), ['superuser'])
    await assertCallers(service, (client) => client.post(INVITATIONS, { is_superuser: true }), ['superuser'], readInvitations)
    await assertCallers(service, (client) => client.delete(`${INVITATIONS}${pk}/`), ['superuser'], readInvitations)
  })
})
