import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { URI } from 'otpauth'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import {
  clearLastUse,
  createAccount,
  createAddressHeaders,
  enroll,
  generateCode,
  generateWrongCode,
  getSessionCookie,
  signIn,
  waitForStableStep,
} from '../../../testing/second-factor.ts'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, PASSWORD, testService } from '../../../testing/service.ts'

const mail = await startTestMailServer()
const service = await testService({ SMTP_URL: mail.url, SIGN_IN_RATE: '1000', TRUST_PROXY: 'true' })
const { anonymous } = service
const MFA = '/api/auth/mfa/'
const TOTP = '/api/auth/mfa/totp/'
const CONFIRM = '/api/auth/mfa/totp/confirm/'
const CODES = '/api/auth/mfa/recovery-codes/'
const DISABLE = '/api/auth/mfa/disable/'
const ME = '/api/user/me/'

const ALL_ACCOUNTS = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const

/** Reads the second factors of one account, or of all, with the number of unused recovery codes. */
const readFactors = (pk?: number) =>
  service.rows(
    `select f.*, (select count(*)::int from recovery_code r where r."user" = f."user" and used is null) as codes
     from second_factor f where $1::int is null or "user" = $1 order by pk`,
    [pk ?? null],
  )
const readEventKinds = async (pk: number) =>
  (await service.rows(`select kind from security_event where "user" = $1 and kind ~ 'second|recovery' order by pk`, [pk])).map(
    ({ kind }) => kind,
  )

describe('GET /api/auth/mfa/', () => {
  it("returns the caller's own state", async () => {
    const none = { enabled: false, confirmed: null, recovery_codes: 0, passed: false, required: false }
    assert.deepEqual((await service.viewer.get(MFA)).body, none)
    await service.viewer.post(TOTP, { password: PASSWORD })
    assert.deepEqual((await service.viewer.get(MFA)).body, none, 'while it is being enrolled')
    await service.pool.query('delete from second_factor')
    const { cookie } = await enroll(service, 'state')
    const { body } = await anonymous.get(MFA, { cookie })
    assert.match(body.confirmed, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.deepEqual(body, { enabled: true, confirmed: body.confirmed, recovery_codes: 10, passed: true, required: false })
  })

  it('is available to everyone with an account', () => assertCallers(service, (client) => client.get(MFA), ALL_ACCOUNTS))
})

describe('POST /api/auth/mfa/totp/', () => {
  it('returns a new secret as text, URL and QR code', async () => {
    await createAccount(service, 'ann')
    const cookie = getSessionCookie(await signIn(service, 'ann')) as string
    const { status, body, headers } = await anonymous.post(TOTP, { password: PASSWORD }, { cookie })
    assert.equal(status, 201)
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(body.secret, /^[A-Z2-7]{32}$/)
    const uri = URI.parse(body.url)
    assert.deepEqual([uri.issuer, uri.label, uri.secret.base32], ['Stockroom', 'ann', body.secret])
    assert.match(body.url, /algorithm=SHA1&digits=6&period=30/)
    const [, svg = ''] = /^data:image\/svg\+xml;base64,([A-Za-z0-9+/]+=*)$/.exec(body.qr) ?? []
    assert.match(Buffer.from(svg, 'base64').toString(), /^<svg viewBox="0 0 (\d+) \1" xmlns="http:\/\/www.w3.org\/2000\/svg">/)
    assert.equal((await signIn(service, 'ann')).status, 200, 'no code is required before the factor is confirmed')
  })

  it('fits the longest names into the QR code', async () => {
    const setInstanceName = (instance: string) =>
      service.rows(`update setting set value = $1 where key = 'INVENTREE_INSTANCE'`, [instance])
    await setInstanceName('\u{1f600}:'.repeat(50))
    const name = '\u{1f600}'.repeat(150)
    await createAccount(service, name)
    await service.app.routes.services.settings.reload()
    const cookie = getSessionCookie(await signIn(service, name)) as string
    const { status, body, text } = await anonymous.post(TOTP, { password: PASSWORD }, { cookie })
    assert.equal(status, 201, text)
    assert.equal([...URI.parse(body.url).label].length, 40)
    await setInstanceName('')
    await service.app.routes.services.settings.reload()
  })

  it('requires the password', async () => {
    const pk = await createAccount(service, 'careful')
    const cookie = getSessionCookie(await signIn(service, 'careful')) as string
    for (const body of [{}, { password: null }, { password: '' }, { password: 'wrong' }, { password: [PASSWORD] }]) {
      const response = await anonymous.post(TOTP, body, { cookie })
      assert.equal(response.status, 400, JSON.stringify(body))
      assert.deepEqual(Object.keys(response.body), ['password'])
    }
    assert.deepEqual(await readFactors(pk), [])
  })

  it('counts wrong passwords', async () => {
    const pk = await createAccount(service, 'guessed')
    const cookie = getSessionCookie(await signIn(service, 'guessed')) as string
    const clientHeaders = { cookie, ...createAddressHeaders() }
    for (let round = 0; round < 10; round++)
      assert.equal((await anonymous.post(TOTP, { password: 'wrong' }, clientHeaders)).status, 400)
    assert.equal((await anonymous.post(TOTP, { password: PASSWORD }, clientHeaders)).status, 429)
    assert.deepEqual(await readFactors(pk), [])
    assert.equal((await anonymous.post(TOTP, { password: PASSWORD }, { cookie, ...createAddressHeaders() })).status, 201)
  })

  it('requires an account without a password to have a session', async () => {
    const pk = await createAccount(service, 'single')
    const response = await signIn(service, 'single')
    await service.rows(`update user_account set password = '!' where pk = $1`, [pk])
    assert.equal((await anonymous.post(TOTP, {}, { authorization: `Token ${response.body.key}` })).status, 403)
    assert.deepEqual(await readFactors(pk), [])
    assert.equal((await anonymous.post(TOTP, {}, { cookie: getSessionCookie(response) as string })).status, 201)
  })

  it('does not replace a factor that is in use', async () => {
    const { pk, cookie, secret } = await enroll(service, 'settled')
    const before = await readFactors(pk)
    const response = await anonymous.post(TOTP, { password: PASSWORD }, { cookie })
    assert.equal(response.status, 400)
    assert.match(response.body.non_field_errors[0], /disable it/)
    assert.deepEqual(await readFactors(pk), before)
    assert.equal((await signIn(service, 'settled', generateCode(secret))).status, 200)
  })

  it('invalidates the earlier secret when repeated', async () => {
    await createAccount(service, 'twice')
    const cookie = getSessionCookie(await signIn(service, 'twice')) as string
    const first = await anonymous.post(TOTP, { password: PASSWORD }, { cookie })
    const second = await anonymous.post(TOTP, { password: PASSWORD }, { cookie })
    assert.notEqual(first.body.secret, second.body.secret)
    assert.equal((await anonymous.post(CONFIRM, { code: generateCode(first.body.secret) }, { cookie })).status, 400)
    assert.equal((await anonymous.post(CONFIRM, { code: generateCode(second.body.secret) }, { cookie })).status, 200)
  })

  it('is available to everyone with an account', async () => {
    await assertCallers(
      service,
      (client) => client.post(TOTP, { password: PASSWORD }),
      ALL_ACCOUNTS,
      () => readFactors(),
    )
    await service.pool.query('delete from second_factor where confirmed is null')
  })
})

describe('POST /api/auth/mfa/totp/confirm/', () => {
  it('enables the factor, returns ten recovery codes, and ends all sessions and tokens opened without it', async () => {
    const pk = await createAccount(service, 'bea')
    const response = await signIn(service, 'bea')
    const clientHeaders = { cookie: getSessionCookie(response) as string }
    const otherSession = { cookie: getSessionCookie(await signIn(service, 'bea')) as string }
    const token = { authorization: `Token ${response.body.key}` }
    const { secret } = (await anonymous.post(TOTP, { password: PASSWORD }, clientHeaders)).body
    for (const headers of [clientHeaders, otherSession, token]) assert.equal((await anonymous.get(ME, headers)).status, 200)

    const confirmation = await anonymous.post(CONFIRM, { code: generateCode(secret) }, clientHeaders)
    assert.equal(confirmation.status, 200, confirmation.text)
    assert.equal(confirmation.headers['cache-control'], 'no-store')
    const codes: string[] = confirmation.body.recovery_codes
    assert.equal(new Set(codes).size, 10)
    for (const code of codes) assert.match(code, /^([A-Z2-7]{5}-){3}[A-Z2-7]{5}$/)

    const newSession = { cookie: getSessionCookie(confirmation) as string }
    assert.notEqual(newSession.cookie, clientHeaders.cookie)
    assert.equal((await anonymous.get(ME, newSession)).status, 200)
    for (const headers of [clientHeaders, otherSession, token]) assert.equal((await anonymous.get(ME, headers)).status, 401)
    const sessions = await service.rows('select second_factor from user_session where "user" = $1', [pk])
    assert.deepEqual(sessions, [{ second_factor: true }])
    assert.deepEqual(await readEventKinds(pk), ['second_factor_enrolled'])
    const notification = await mail.next('bea@stock.example')
    assert.match(notification.subject, /second factor was enabled/)
    assert.ok(!notification.raw.includes(secret) && !notification.raw.includes(codes[0] as string))
  })

  it('accepts Basic credentials, which are rejected from then on', async () => {
    await createAccount(service, 'basic')
    const basic = { authorization: `Basic ${btoa(`basic:${PASSWORD}`)}` }
    const { secret } = (await anonymous.post(TOTP, { password: PASSWORD }, basic)).body
    const confirmation = await anonymous.post(CONFIRM, { code: generateCode(secret) }, basic)
    assert.equal(confirmation.status, 200)
    assert.equal(getSessionCookie(confirmation), undefined, 'a caller without a session gets none')
    await waitForListeners(service)
    assert.equal((await anonymous.get(ME, basic)).status, 401)
  })

  it('rejects a wrong code, and changes nothing', async () => {
    const pk = await createAccount(service, 'wrong')
    const cookie = getSessionCookie(await signIn(service, 'wrong')) as string
    const { secret } = (await anonymous.post(TOTP, { password: PASSWORD }, { cookie })).body
    const before = await readFactors(pk)
    const invalidCodes = [
      generateWrongCode(secret),
      '',
      ' ',
      '12345',
      '1234567',
      'abcdef',
      '١٢٣٤٥٦',
      '12345\0',
      null,
      [1],
      {},
      'x'.repeat(65),
    ]
    for (const code of [...invalidCodes, generateCode(secret, -9), generateCode(secret, 9)]) {
      const response = await anonymous.post(CONFIRM, { code }, { cookie, ...createAddressHeaders() })
      assert.equal(response.status, 400, JSON.stringify(code))
      assert.deepEqual(Object.keys(response.body), ['code'])
    }
    assert.equal((await anonymous.post(CONFIRM, {}, { cookie })).status, 400)
    assert.deepEqual(await readFactors(pk), before)
    assert.equal((await anonymous.get(ME, { cookie })).status, 200, 'the session stays valid')
    assert.ok((await readEventKinds(pk)).every((kind) => kind === 'second_factor_failed'))
  })

  it('requires an enrollment that is not confirmed yet', async () => {
    const pk = await createAccount(service, 'hasty')
    const cookie = getSessionCookie(await signIn(service, 'hasty')) as string
    const response = await anonymous.post(CONFIRM, { code: '123456' }, { cookie })
    assert.equal(response.status, 400)
    assert.match(response.body.non_field_errors[0], /start with/)
    assert.deepEqual(await readFactors(pk), [])
    const enrolled = await enroll(service, 'done')
    const secondResponse = await anonymous.post(CONFIRM, { code: generateCode(enrolled.secret) }, { cookie: enrolled.cookie })
    assert.match(secondResponse.body.non_field_errors[0], /already/)
  })

  it('does not accept the confirming code a second time', async () => {
    await waitForStableStep()
    await createAccount(service, 'replay')
    const cookie = getSessionCookie(await signIn(service, 'replay')) as string
    const { secret } = (await anonymous.post(TOTP, { password: PASSWORD }, { cookie })).body
    const code = generateCode(secret)
    assert.equal((await anonymous.post(CONFIRM, { code }, { cookie })).status, 200)
    assert.equal((await signIn(service, 'replay', code)).status, 400)
    assert.equal((await signIn(service, 'replay', generateCode(secret, 1))).status, 200)
  })

  it('leaves no concurrent session or token that has only the first factor', async () => {
    for (let round = 0; round < 3; round++) {
      const name = `race${round}`
      const pk = await createAccount(service, name)
      const cookie = getSessionCookie(await signIn(service, name)) as string
      const { secret } = (await anonymous.post(TOTP, { password: PASSWORD }, { cookie })).body
      const signIns = Array.from({ length: 6 }, () => signIn(service, name))
      const tokens = Array.from({ length: 6 }, (_, index) => anonymous.get(`/api/user/token/?name=t${index}`, { cookie }))
      const confirmation = anonymous.post(CONFIRM, { code: generateCode(secret) }, { cookie })
      await Promise.all([...signIns, ...tokens, confirmation])
      assert.equal((await confirmation).status, 200)
      const remaining = await service.rows(
        `select (select count(*)::int from user_session where "user" = $1 and not second_factor) as sessions,
                (select count(*)::int from api_token where "user" = $1 and not revoked) as tokens`,
        [pk],
      )
      assert.deepEqual(remaining, [{ sessions: 0, tokens: 0 }])
    }
  })

  it('is available to everyone with an account', () =>
    assertCallers(
      service,
      (client) => client.post(CONFIRM, { code: '000000' }),
      ALL_ACCOUNTS,
      () => readFactors(),
    ))
})

describe('POST /api/auth/mfa/recovery-codes/', () => {
  it('returns ten new ones for a code, and invalidates the old ones', async () => {
    const { pk, secret, recoveryCodes, cookie, username } = await enroll(service, 'cecil')
    const response = await anonymous.post(CODES, { code: generateCode(secret) }, { cookie })
    assert.equal(response.status, 201)
    assert.equal(response.headers['cache-control'], 'no-store')
    assert.equal(new Set([...response.body.recovery_codes, ...recoveryCodes]).size, 20)
    assert.equal((await signIn(service, username, recoveryCodes[0])).status, 400)
    assert.equal((await signIn(service, username, response.body.recovery_codes[0])).status, 200)
    assert.deepEqual(await readEventKinds(pk), ['second_factor_enrolled', 'recovery_codes_made', 'recovery_code_used'])
  })

  it('accepts a recovery code too', async () => {
    const { recoveryCodes, cookie } = await enroll(service, 'cora')
    assert.equal((await anonymous.post(CODES, { code: recoveryCodes[3] }, { cookie })).status, 201)
    assert.equal((await anonymous.get(MFA, { cookie })).body.recovery_codes, 10)
  })

  it('rejects a wrong code, and an account without a second factor', async () => {
    const { pk, secret, cookie } = await enroll(service, 'cyd')
    const before = await readFactors(pk)
    assert.deepEqual(Object.keys((await anonymous.post(CODES, { code: generateWrongCode(secret) }, { cookie })).body), ['code'])
    assert.deepEqual(Object.keys((await anonymous.post(CODES, {}, { cookie })).body), ['code'])
    assert.deepEqual(await readFactors(pk), before)
    assert.match((await service.member.post(CODES, { code: '123456' })).body.non_field_errors[0], /no second factor/)
  })

  it('is available to everyone with an account', () =>
    assertCallers(
      service,
      (client) => client.post(CODES, { code: '000000' }),
      ALL_ACCOUNTS,
      () => readFactors(),
    ))
})

describe('POST /api/auth/mfa/disable/', () => {
  it('removes the factor and its codes', async () => {
    const { pk, secret, cookie, username } = await enroll(service, 'dora')
    const response = await anonymous.post(DISABLE, { code: generateCode(secret) }, { cookie })
    assert.equal(response.status, 204)
    assert.equal(response.text, '')
    assert.deepEqual(await readFactors(pk), [])
    assert.deepEqual(await service.rows('select 1 from recovery_code where "user" = $1', [pk]), [])
    assert.equal((await signIn(service, username)).status, 200)
    assert.equal((await anonymous.get(ME, { cookie })).status, 200, 'the session stays valid')
    assert.deepEqual(await readEventKinds(pk), ['second_factor_enrolled', 'second_factor_removed'])
    assert.match((await mail.next('dora@stock.example')).subject, /enabled/)
    assert.match((await mail.next('dora@stock.example')).subject, /removed/)
  })

  it('rejects a wrong code, and an account without a second factor', async () => {
    const { pk, secret, cookie } = await enroll(service, 'dan')
    const before = await readFactors(pk)
    for (const body of [{ code: generateWrongCode(secret) }, {}, { code: null }, { password: PASSWORD }])
      assert.deepEqual(Object.keys((await anonymous.post(DISABLE, body, { cookie })).body), ['code'])
    assert.deepEqual(await readFactors(pk), before)
    assert.match((await service.member.post(DISABLE, { code: '123456' })).body.non_field_errors[0], /no second factor/)
  })

  it('counts wrong codes together with those of sign-ins', async () => {
    const { pk, secret, cookie, username } = await enroll(service, 'dick')
    const clientHeaders = createAddressHeaders()
    for (let round = 0; round < 5; round++) {
      assert.equal((await anonymous.post(DISABLE, { code: generateWrongCode(secret) }, { cookie, ...clientHeaders })).status, 400)
      assert.equal((await signIn(service, username, generateWrongCode(secret), clientHeaders)).status, 400)
    }
    const errorResponse = await anonymous.post(DISABLE, { code: generateCode(secret) }, { cookie, ...clientHeaders })
    assert.equal(errorResponse.status, 429)
    assert.ok(Number(errorResponse.headers['retry-after']) > 0)
    assert.equal((await readFactors(pk)).length, 1)
    await clearLastUse(service, pk)
    assert.equal(
      (await anonymous.post(DISABLE, { code: generateCode(secret) }, { cookie, ...createAddressHeaders() })).status,
      204,
    )
  })

  it('is available to everyone with an account', () =>
    assertCallers(
      service,
      (client) => client.post(DISABLE, { code: '000000' }),
      ALL_ACCOUNTS,
      () => readFactors(),
    ))
})
