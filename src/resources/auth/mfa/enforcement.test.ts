import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import {
  createAccount,
  createAddressHeaders,
  type EnrolledAccount,
  enroll,
  generateCode,
  getSessionCookie,
  signIn,
} from '../../../testing/second-factor.ts'
import { PASSWORD, testService } from '../../../testing/service.ts'

const service = await testService({ SIGN_IN_RATE: '1000', TRUST_PROXY: 'true' })
const { anonymous } = service
const ME = '/api/user/me/'
const SETTING = '/api/settings/global/LOGIN_ENFORCE_MFA/'

type Headers = Record<string, string>

let root: EnrolledAccount
/** Three ways to authenticate an account without a second factor. */
const credentials: Record<string, Headers> = {}

const isRequired = async () => (await anonymous.get('/api/auth/providers/')).body.results[0].mfa_required
const setEnforcement = async (value: boolean) => {
  const { status } = await anonymous.patch(SETTING, { value }, { cookie: root.cookie })
  assert.equal(status, 200)
}

before(async () => {
  root = await enroll(service, 'root')
  await service.rows('update user_account set is_staff = true, is_superuser = true where pk = $1', [root.pk])
  const pk = await createAccount(service, 'plain')
  await service.rows(`insert into user_group_member ("user", "group") select $1, pk from user_group where name = 'members'`, [pk])
  const response = await signIn(service, 'plain')
  credentials.session = { cookie: getSessionCookie(response) as string }
  credentials.token = { authorization: `Token ${response.body.key}` }
  credentials.basic = { authorization: `Basic ${btoa(`plain:${PASSWORD}`)}` }
  assert.equal(await isRequired(), false)
  await setEnforcement(true)
})

describe('a required second factor', () => {
  it('is reported by the providers', async () => {
    assert.equal(await isRequired(), true)
    assert.equal((await anonymous.get('/api/auth/mfa/', credentials.session)).body.required, true)
  })

  it('locks out an account without one everywhere, however it authenticates', async () => {
    const requests: [string, string, unknown?][] = [
      ['GET', '/api/part/'],
      ['POST', '/api/part/', { name: 'x' }],
      ['GET', '/api/user/'],
      ['GET', '/api/user/token/'],
      ['PATCH', ME, { first_name: 'Eve' }],
      ['DELETE', ME],
      ['GET', '/%61pi/part/'],
      ['GET', '/plugin/any/thing'],
      ['GET', '/api/user/me/../../part/'],
      ['GET', '/api/auth/mfa/../../part/'],
      ['GET', '/api/auth/mfaX/'],
      ['POST', '/api/order/po/', {}],
      ['PATCH', '/api/settings/user/SEARCH_PREVIEW_RESULTS/', { value: 3 }],
      ['POST', '/api/auth/password/change/', { new_password1: 'another one of 3', new_password2: 'another one of 3' }],
      ['GET', '/api/auth/emails/'],
      ['DELETE', '/api/web/logo/'],
      ['OPTIONS', '/api/part/'],
      ['HEAD', '/api/part/'],
    ]
    for (const [name, headers] of Object.entries(credentials))
      for (const [method, path, body] of requests) {
        const response = await anonymous.send(method, path, body, { ...headers, accept: 'application/problem+json' })
        assert.equal(response.status, 403, `${name}: ${method} ${path} ${response.text}`)
        if (method !== 'HEAD') assert.match(response.text, /mfa_enrolment_required/, `${name}: ${method} ${path}`)
      }
    assert.deepEqual(
      await service.rows(
        `select 1 from api_token t join user_account u on u.pk = t."user" and u.username = 'plain' where t.name <> ''`,
      ),
      [],
    )
  })

  it('locks out a superuser without one, too', async () => {
    assert.equal((await service.superuser.get('/api/part/')).status, 403)
    assert.equal((await service.superuser.patch(SETTING, { value: false })).status, 403)
    assert.equal(await isRequired(), true)
  })

  it('allows reading the own account, enrolling and signing out', async () => {
    for (const headers of Object.values(credentials))
      for (const path of [ME, '/api/', '/api/auth/mfa/', '/api/auth/providers/', '/api/web/instance/'])
        assert.equal((await anonymous.get(path, headers)).status, 200, path)
    assert.equal((await signIn(service, 'plain')).status, 200)
    const oldSession = { cookie: getSessionCookie(await signIn(service, 'plain')) as string }
    assert.equal((await anonymous.post('/api/auth/logout/', {}, oldSession)).status, 200)
    assert.equal((await anonymous.get(ME, oldSession)).status, 401)
  })

  it('still asks anonymous callers to sign in', async () => {
    assert.equal((await anonymous.get('/api/part/')).status, 401)
    assert.equal((await anonymous.get('/api/')).status, 200)
  })

  it('gives access once the account is enrolled', async () => {
    for (const scheme of ['session', 'basic'] as const) {
      const name = `late${scheme}`
      const pk = await createAccount(service, name)
      await service.rows(`insert into user_group_member ("user", "group") select $1, pk from user_group where name = 'members'`, [
        pk,
      ])
      const headers: Headers =
        scheme === 'session'
          ? { cookie: getSessionCookie(await signIn(service, name)) as string }
          : { authorization: `Basic ${btoa(`${name}:${PASSWORD}`)}` }
      assert.equal((await anonymous.get('/api/part/', headers)).status, 403)
      const { secret } = (
        await anonymous.post('/api/auth/mfa/totp/', { password: PASSWORD }, { ...headers, ...createAddressHeaders() })
      ).body
      const confirmation = await anonymous.post('/api/auth/mfa/totp/confirm/', { code: generateCode(secret) }, headers)
      assert.equal(confirmation.status, 200)
      const signInResponse = await signIn(service, name, generateCode(secret, 1))
      assert.equal(signInResponse.status, 200)
      const cookie = getSessionCookie(signInResponse) as string
      assert.equal((await anonymous.get('/api/part/', { cookie })).status, 200)
      assert.equal((await anonymous.get('/api/part/', { authorization: `Token ${signInResponse.body.key}` })).status, 200)
      if (scheme === 'session')
        assert.equal((await anonymous.get('/api/part/', { cookie: getSessionCookie(confirmation) as string })).status, 200)
    }
  })

  it('requires a new enrollment after it is disabled', async () => {
    const { secret, cookie } = await enroll(service, 'quitter')
    assert.equal((await anonymous.get('/api/part/', { cookie })).status, 403, 'without a role')
    assert.equal((await anonymous.post('/api/auth/mfa/disable/', { code: generateCode(secret) }, { cookie })).status, 204)
    await waitForListeners(service)
    const errorResponse = await anonymous.get(ME.replace('me/', ''), { cookie, accept: 'application/problem+json' })
    assert.match(errorResponse.text, /mfa_enrolment_required/)
  })

  after(async () => {
    await setEnforcement(false)
    assert.equal(await isRequired(), false)
    for (const headers of Object.values(credentials)) assert.equal((await anonymous.get('/api/part/', headers)).status, 200)
  })
})
