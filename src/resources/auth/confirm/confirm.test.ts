import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  clearLastUse,
  createAddressHeaders,
  enroll,
  generateCode,
  getSessionCookie,
  signIn,
} from '../../../testing/second-factor.ts'
import { assertCallers, CALLERS, PASSWORD, testService } from '../../../testing/service.ts'

const service = await testService({ TRUST_PROXY: 'true', SIGN_IN_RATE: '1000' })
const { anonymous, superuser } = service
const CONFIRM = '/api/auth/confirm/'
const viewer = service.getPk('viewer')
const [group] = await service.rows('select pk from user_group order by pk limit 1')
const GROUPS = '/api/user/group/'

type Headers = Record<string, string>

/** Signs an account in; returns the headers of its browser. */
async function openSession(username: string): Promise<Headers> {
  const headers = createAddressHeaders()
  return { cookie: getSessionCookie(await signIn(service, username, undefined, headers)) as string, ...headers }
}

/** Makes all sign-ins and confirmations older. */
const letMinutesPass = (minutes: number) =>
  service.rows('update user_session set confirmed = confirmed - make_interval(mins => $1)', [minutes])

/** Opens a session that signed in 11 minutes ago. */
async function openOldSession(username: string): Promise<Headers> {
  const headers = await openSession(username)
  await letMinutesPass(11)
  return headers
}

const readAccounts = () =>
  service.rows(`select u.pk, u.username, u.is_staff, u.password, array(select "group" from user_group_member m where m."user" = u.pk) as groups,
    (select count(*)::integer from api_token t where t."user" = u.pk) as tokens from user_account u order by pk`)

describe('an operation that grants access', () => {
  const requests: [method: string, path: string, body?: object][] = [
    ['GET', '/api/user/token/?name=tool'],
    ['POST', '/api/user/tokens/', { name: 'tool' }],
    ['POST', '/api/user/', { username: 'new.account' }],
    ['PATCH', `/api/user/${viewer}/`, { is_staff: true }],
    ['PATCH', `/api/user/${viewer}/`, { group_ids: [] }],
    ['PATCH', `/api/user/${viewer}/`, { email: 'new@stock.example' }],
    ['PUT', `/api/user/${viewer}/set-password/`, { password: 'nine grey pebbles' }],
    ['POST', `/api/user/${viewer}/password-link/`, { send_mail: false }],
    ['POST', '/api/user/invitation/', { is_superuser: true }],
    ['DELETE', `/api/user/${viewer}/`],
    ['DELETE', `/api/user/${viewer}/second-factor/`],
    ['POST', GROUPS, { name: 'Buyers' }],
    ['PATCH', `${GROUPS}${group.pk}/`, { name: 'Buyers' }],
    ['DELETE', `${GROUPS}${group.pk}/`],
    ['PATCH', '/api/user/ruleset/1/', { can_delete: true }],
  ]

  it('is rejected in a session whose sign-in is more than ten minutes ago, and changes nothing', async () => {
    const headers = await openOldSession('superuser')
    const before = await readAccounts()
    for (const [method, path, body] of requests) {
      const response = await anonymous.send(method, path, body, { ...headers, accept: 'application/problem+json' })
      assert.deepEqual([response.status, response.body.code], [403, 'confirmation_required'], `${method} ${path}`)
    }
    assert.deepEqual(await readAccounts(), before)
  })

  it('works for ten minutes after the sign-in, and after a confirmation', async () => {
    const headers = await openSession('superuser')
    const change = () => anonymous.patch('/api/user/ruleset/1/', { can_delete: true }, headers)
    await letMinutesPass(9)
    assert.equal((await change()).status, 200)
    await letMinutesPass(2)
    assert.equal((await change()).status, 403)
    assert.equal((await anonymous.post(CONFIRM, { password: PASSWORD }, headers)).status, 204)
    assert.equal((await change()).status, 200)
    await letMinutesPass(11)
    assert.equal((await change()).status, 403)
  })

  it('needs no confirmation of a caller with a password or a token', async () => {
    await letMinutesPass(11)
    assert.equal((await superuser.patch('/api/user/ruleset/1/', { can_delete: true })).status, 200)
    const { token } = (await superuser.post('/api/user/tokens/', { name: 'tool' })).body
    const headers = { authorization: `Token ${token}` }
    assert.equal((await anonymous.patch('/api/user/ruleset/1/', { can_delete: true }, headers)).status, 200)
    assert.deepEqual((await anonymous.get(CONFIRM, headers)).body, { method: 'password', confirmed: true })
  })

  it('leaves names, own details and other sessions without confirmation', async () => {
    const headers = await openOldSession('superuser')
    assert.equal((await anonymous.patch(`/api/user/${viewer}/`, { first_name: 'Vera' }, headers)).status, 200)
    assert.equal((await anonymous.patch('/api/user/me/', { first_name: 'Sam' }, headers)).status, 200)
    assert.equal((await anonymous.post('/api/user/session/end-others/', {}, headers)).status, 200)
  })

  it('is the removal of the own second factor, too', async () => {
    const { cookie, secret, pk } = await enroll(service, 'factor.off')
    await letMinutesPass(11)
    const disable = () => anonymous.post('/api/auth/mfa/disable/', { code: generateCode(secret) }, { cookie })
    const response = await disable()
    assert.equal(response.status, 403, response.text)
    assert.equal((await service.rows('select from second_factor where "user" = $1', [pk])).length, 1)
    assert.equal((await anonymous.post(CONFIRM, { password: PASSWORD }, { cookie })).status, 204)
    // the rejected request has not used up the code
    assert.equal((await disable()).status, 204)
  })
})

describe('POST /api/auth/confirm/', () => {
  it('rejects a wrong or missing password, records it, and confirms nothing', async () => {
    const headers = await openOldSession('viewer')
    for (const body of [{}, { password: 'wrong' }, { code: '123456' }]) {
      const response = await anonymous.post(CONFIRM, body, headers)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['password']])
    }
    assert.deepEqual((await anonymous.get(CONFIRM, headers)).body, { method: 'password', confirmed: false })
    const events = await service.rows(`select kind, username, details from security_event where details->>'by' = 'confirmation'`)
    assert.deepEqual(events, [{ kind: 'sign_in_failed', username: 'viewer', details: { by: 'confirmation' } }])
  })

  it('counts wrong passwords like failed sign-ins', async () => {
    const headers = await openSession('member')
    const statuses: number[] = []
    for (let attempt = 0; attempt < 11; attempt++)
      statuses.push((await anonymous.post(CONFIRM, { password: 'wrong' }, headers)).status)
    assert.deepEqual([statuses.at(0), statuses.at(-1)], [400, 429])
  })

  it('accepts a code of an account without a password', async () => {
    const { cookie, secret, pk } = await enroll(service, 'no.password')
    await service.rows(`update user_account set password = '!' where pk = $1`, [pk])
    await letMinutesPass(11)
    assert.deepEqual((await anonymous.get(CONFIRM, { cookie })).body, { method: 'code', confirmed: false })
    assert.equal((await anonymous.post(CONFIRM, { password: PASSWORD }, { cookie })).status, 400)
    assert.equal((await anonymous.post(CONFIRM, { code: 'wrong' }, { cookie })).status, 400)
    await clearLastUse(service, pk)
    assert.equal((await anonymous.post(CONFIRM, { code: generateCode(secret) }, { cookie })).status, 204)
    assert.equal((await anonymous.get(CONFIRM, { cookie })).body.confirmed, true)
  })

  it('tells an account with neither to sign in again', async () => {
    const headers = await openOldSession('nobody')
    await service.rows(`update user_account set password = '!' where username = 'nobody'`)
    assert.deepEqual((await anonymous.get(CONFIRM, headers)).body, { method: 'sign_in', confirmed: false })
    const response = await anonymous.post(CONFIRM, { password: PASSWORD }, headers)
    assert.deepEqual([response.status, Object.keys(response.body)], [400, ['non_field_errors']])
    assert.equal((await anonymous.get(CONFIRM, headers)).body.confirmed, false)
    await service.rows(`update user_account set password = m.password from user_account m
      where user_account.username = 'nobody' and m.username = 'member'`)
  })

  it('rejects a request without a session: it reveals nothing about a password', async () => {
    const response = await superuser.post(CONFIRM, { password: PASSWORD })
    assert.equal(response.status, 400)
    assert.match(response.body.non_field_errors[0], /needs no confirmation/)
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.post(CONFIRM, { password: PASSWORD }), CALLERS.slice(1)))
})

describe('GET /api/auth/confirm/', () => {
  it('requires an account', () => assertCallers(service, (client) => client.get(CONFIRM), CALLERS.slice(1)))
})
