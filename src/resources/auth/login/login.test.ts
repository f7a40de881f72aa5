import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { hash } from '@node-rs/argon2'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { type TestResponse, testService } from '../../../testing/service.ts'
import { assertSameTime } from '../../../testing/timing.ts'
import { sendWhileLocked } from '../../../testing/while-locked.ts'

const service = await testService({ SIGN_IN_RATE: '1000', TRUST_PROXY: 'true' })
const PASSWORD = 'a password of tests'
const LOGIN = '/api/auth/login/'
const ME = '/api/user/me/'

let clientCount = 0
/** A new network address each time, so that one test does not use up the rate limit of another. */
const createClientHeaders = () => ({ 'x-forwarded-for': `10.9.${++clientCount >> 8}.${clientCount & 255}` })
const login = (body: object, headers: Record<string, string> = createClientHeaders()) =>
  service.anonymous.post(LOGIN, body, headers)
const getCookies = (response: TestResponse): string[] => [response.headers['set-cookie'] ?? []].flat() as string[]
const getSessionCookie = (response: TestResponse) =>
  getCookies(response)
    .find((line) => line.startsWith('sessionid='))
    ?.split(';')[0] as string
const getWithSession = (cookie: string, path = ME) => service.anonymous.get(path, { cookie })

describe('POST /api/auth/login/', () => {
  it('returns a token and opens a session', async () => {
    const response = await login({ username: 'member', password: PASSWORD })
    assert.equal(response.status, 200)
    assert.match(response.body.key, /^inv-[0-9a-f]{40}-\d{8}$/)
    assert.equal((await service.anonymous.get(ME, { authorization: `Token ${response.body.key}` })).body.username, 'member')
    assert.equal((await getWithSession(getSessionCookie(response))).body.username, 'member')
    const [line] = getCookies(response).filter((entry) => entry.startsWith('sessionid='))
    assert.match(line as string, /; HttpOnly/)
    assert.match(line as string, /; SameSite=Lax/)
    assert.doesNotMatch(line as string, /Secure/)
  })

  it('returns the same key on the next sign-in', async () => {
    const first = await login({ username: 'viewer', password: PASSWORD })
    const second = await login({ username: 'VIEWER', password: PASSWORD })
    assert.equal(first.body.key, second.body.key)
  })

  it('stores neither the cookie nor the key', async () => {
    const response = await login({ username: 'staff', password: PASSWORD })
    const id = getSessionCookie(response).slice('sessionid='.length)
    const dump = JSON.stringify([
      await service.rows('select * from user_session'),
      await service.rows('select * from api_token'),
      await service.rows('select * from security_event'),
    ])
    assert.ok(!dump.includes(id) && !dump.includes(response.body.key))
    const [row] = await service.rows('select id_hash from user_session where id_hash = $1', [
      createHash('sha256').update(id).digest(),
    ])
    assert.ok(row)
  })

  it('accepts an address that is verified, or that only one account has', async () => {
    const [viewerPk, memberPk] = [service.getPk('viewer'), service.getPk('member')]
    await service.pool.query(
      `insert into email_address ("user", email, verified) values ($1, 'one@stock.example', true), ($2, 'one@stock.example', false)`,
      [viewerPk, memberPk],
    )
    await service.pool.query(`insert into email_address ("user", email) values ($1, 'two@stock.example')`, [memberPk])
    const readSignedInUser = async (email: string) => {
      const { body, status } = await login({ email, password: PASSWORD })
      return status === 200 ? (await service.anonymous.get(ME, { authorization: `Token ${body.key}` })).body.username : status
    }
    assert.equal(await readSignedInUser('ONE@stock.example'), 'viewer')
    assert.equal(await readSignedInUser('two@stock.example'), 'member')
    await service.pool.query(`insert into email_address ("user", email) values ($1, 'two@stock.example')`, [viewerPk])
    assert.equal(await readSignedInUser('two@stock.example'), 400)
  })

  it('rejects a wrong name, a wrong password and an inactive account in the same way', async () => {
    await service.pool.query(
      `insert into user_account (username, password, is_active) select 'gone', password, false from user_account where username = 'member'`,
    )
    const responses = await Promise.all([
      login({ username: 'nobody at all', password: PASSWORD }),
      login({ username: 'member', password: 'wrong' }),
      login({ username: 'gone', password: PASSWORD }),
      login({ email: 'none@stock.example', password: PASSWORD }),
    ])
    for (const response of responses) {
      assert.equal(response.status, 400)
      assert.deepEqual(response.body, responses[0]?.body)
      assert.deepEqual(getCookies(response), [])
    }
  })

  it('takes the same time for a wrong name and a wrong password, whatever the format of the hash', async () => {
    const imported = `pbkdf2_sha256$60000$c2FsdHNhbHQ$${createHash('sha256').update('x').digest('base64')}`
    const argon2 = `argon2${await hash('x', { memoryCost: 19_456, timeCost: 3, parallelism: 1 })}`
    const statement = `insert into user_account (username, password) values ('imported', $1), ('argon2', $2), ('marked', '!abc')`
    await service.pool.query(statement, [imported, argon2])
    const tryWrongPassword = (username: string) => async () =>
      assert.equal((await login({ username, password: 'wrong' })).status, 400)
    for (const other of ['imported', 'argon2', 'marked', 'who is this'])
      await assertSameTime(tryWrongPassword('member'), tryWrongPassword(other), { tolerance: 0.3, settle: async () => {} })
    // a password longer than any account can have reveals nothing either
    const basic = (username: string, password: string) => async () => {
      const headers = { ...createClientHeaders(), authorization: `Basic ${btoa(`${username}:${password}`)}` }
      assert.equal((await service.anonymous.get(ME, headers)).status, 401)
    }
    const long = 'x'.repeat(5000)
    await assertSameTime(basic('member', long), basic('who is this', long), { tolerance: 0.3, settle: async () => {} })
    await assertSameTime(basic('argon2', long), basic('argon2', 'x wrong'), { tolerance: 0.3, settle: async () => {} })
    await service.pool.query(`delete from user_account where username in ('imported', 'argon2', 'marked')`)
  })

  it('rejects a password that was changed while the request waited', async () => {
    const [{ pk }] = await service.rows(
      `insert into user_account (username, password) select 'changing', password from user_account where username = 'member' returning pk`,
    )
    const response = await sendWhileLocked(
      service,
      pk,
      () => login({ username: 'changing', password: PASSWORD }),
      `password = '!'`,
    )
    assert.equal(response.status, 400)
    assert.deepEqual(getCookies(response), [])
    assert.deepEqual(await service.rows('select from user_session where "user" = $1', [pk]), [])
    assert.deepEqual(await service.rows('select from api_token where "user" = $1', [pk]), [])
  })

  it('compares names and addresses with non-ASCII letters as the database does', async () => {
    await service.pool.query(
      `insert into user_account (username, email, password) select 'Élodie', 'Élodie@stock.example', password from user_account where username = 'member'`,
    )
    assert.equal((await login({ username: 'ÉLODIE', password: PASSWORD })).status, 200)
    assert.equal((await login({ username: 'élodie', password: PASSWORD })).status, 400)
    const basic = { authorization: `Basic ${Buffer.from(`Élodie:${PASSWORD}`).toString('base64')}` }
    assert.equal((await service.anonymous.get(ME, basic)).status, 200)
  })

  it('does not reveal by its failure counts whether an address is known', async () => {
    await service.pool.query(
      `insert into user_account (username, email, password) select 'known@stock.example', 'known@stock.example', password from user_account where username = 'member'`,
    )
    for (const address of ['known@stock.example', 'unknown@stock.example']) {
      const clientHeaders = createClientHeaders()
      for (let round = 0; round < 10; round++) await login({ username: address, password: 'wrong' }, clientHeaders)
      assert.equal((await login({ username: address.toUpperCase(), password: 'wrong' }, clientHeaders)).status, 429, address)
      assert.equal((await login({ email: address, password: 'wrong' }, clientHeaders)).status, 400, address)
    }
  })

  it('names the invalid field', async () => {
    const cases: [object, string[]][] = [
      [{}, ['password']],
      [{ username: 'member' }, ['password']],
      [{ username: '', password: '' }, ['password']],
      [{ username: 'member', password: null }, ['password']],
      [{ username: 'member', password: {} }, ['password']],
      [{ password: PASSWORD }, ['non_field_errors']],
      [{ email: 'no mail', password: PASSWORD }, ['email']],
      [{ username: 'x'.repeat(151), password: PASSWORD }, ['username']],
    ]
    for (const [body, fields] of cases) {
      const response = await login(body)
      assert.equal(response.status, 400, JSON.stringify(body))
      assert.deepEqual(Object.keys(response.body), fields, JSON.stringify(body))
    }
  })

  it('authenticates by the body: ignores a stale token or session, but not wrong Basic credentials', async () => {
    const body = { username: 'member', password: PASSWORD }
    assert.equal((await login(body, { ...createClientHeaders(), authorization: 'Token nonsense' })).status, 200)
    assert.equal((await login(body, { ...createClientHeaders(), cookie: 'sessionid=stale' })).status, 200)
    assert.equal((await login(body, { ...createClientHeaders(), authorization: `Basic ${btoa('member:wrong')}` })).status, 401)
    const basic = { authorization: `Basic ${btoa(`member:${PASSWORD}`)}` }
    assert.equal((await login({}, { ...createClientHeaders(), ...basic })).status, 400)
  })

  it('never adopts an existing session id', async () => {
    const planted = 'planted'.repeat(6)
    const response = await login(
      { username: 'member', password: PASSWORD },
      { ...createClientHeaders(), cookie: `sessionid=${planted}` },
    )
    assert.ok(!getSessionCookie(response).includes(planted))
    assert.equal((await getWithSession(`sessionid=${planted}`)).status, 401)
  })

  it("ends the browser's previous session before it responds", async () => {
    let cookie = getSessionCookie(await login({ username: 'member', password: PASSWORD }))
    // the delay until a node is notified varies from one time to the next
    for (let round = 0; round < 20; round++) {
      assert.equal((await getWithSession(cookie)).status, 200)
      const before = cookie
      cookie = getSessionCookie(
        await login({ username: 'member', password: PASSWORD }, { ...createClientHeaders(), cookie: before }),
      )
      assert.notEqual(cookie, before)
      assert.equal((await getWithSession(before)).status, 401, `round ${round}`)
    }
  })

  it('rejects sign-ins after ten wrong passwords for one account from one address, but no other sign-ins', async () => {
    const clientHeaders = createClientHeaders()
    for (let round = 0; round < 10; round++)
      assert.equal((await login({ username: 'nobody', password: 'wrong' }, clientHeaders)).status, 400)
    const errorResponse = await login({ username: 'nobody', password: PASSWORD }, clientHeaders)
    assert.equal(errorResponse.status, 429)
    assert.ok(Number(errorResponse.headers['retry-after']) > 0)
    assert.equal(errorResponse.headers['ratelimit-remaining'], '0')
    const basic = { authorization: `Basic ${btoa(`nobody:${PASSWORD}`)}`, ...clientHeaders }
    assert.equal((await service.anonymous.get(ME, basic)).status, 429, 'Basic shares the count')
    assert.equal((await login({ username: 'nobody', password: PASSWORD })).status, 200, 'from another address')
    assert.equal((await login({ username: 'viewer', password: PASSWORD }, clientHeaders)).status, 200, 'another account')
  })

  it('rejects many concurrent wrong passwords as well, and no right ones', async () => {
    const clientHeaders = createClientHeaders()
    const guesses = await Promise.all(
      Array.from({ length: 40 }, () => login({ username: 'superuser', password: 'wrong' }, clientHeaders)),
    )
    assert.equal(guesses.filter(({ status }) => status === 400).length, 10)
    assert.equal(guesses.filter(({ status }) => status === 429).length, 30)
    const basic = { authorization: `Basic ${btoa(`staff:${PASSWORD}`)}`, ...createClientHeaders() }
    const validResponses = await Promise.all(Array.from({ length: 40 }, () => service.anonymous.get(ME, basic)))
    assert.ok(validResponses.every(({ status }) => status === 200))
  })

  it('still accepts sign-ins after a burst of right ones', async () => {
    const clientHeaders = createClientHeaders()
    const body = { username: 'staff', password: PASSWORD }
    const burst = await Promise.all(Array.from({ length: 25 }, () => login(body, clientHeaders)))
    assert.ok(burst.every(({ status }) => status === 200 || status === 429))
    assert.equal((await login(body, clientHeaders)).status, 200)
    for (let round = 0; round < 10; round++)
      assert.equal((await login({ ...body, password: 'wrong' }, clientHeaders)).status, 400)
    assert.equal((await login(body, clientHeaders)).status, 429, 'valid sign-ins take back no more than they had counted')
  })

  it('counts failures for unknown names in the same way', async () => {
    const clientHeaders = createClientHeaders()
    for (let round = 0; round < 10; round++)
      assert.equal((await login({ username: 'a ghost', password: 'x' }, clientHeaders)).status, 400)
    assert.equal((await login({ username: 'A Ghost', password: 'x' }, clientHeaders)).status, 429)
  })

  it('replaces an imported hash with our own', async () => {
    const { pbkdf2Sync } = await import('node:crypto')
    const hash = pbkdf2Sync('tr0ub4dor', 'salt', 1000, 32, 'sha256').toString('base64')
    await service.pool.query(`insert into user_account (username, password) values ('moved', $1)`, [
      `pbkdf2_sha256$1000$salt$${hash}`,
    ])
    assert.equal((await login({ username: 'moved', password: 'tr0ub4dor' })).status, 200)
    const [{ password }] = await service.rows(`select password from user_account where username = 'moved'`)
    assert.match(password, /^\$argon2id\$/)
    assert.equal((await login({ username: 'moved', password: 'tr0ub4dor' })).status, 200)
  })

  it('records each sign-in and each failure, without the password', async () => {
    await service.pool.query('truncate security_event')
    await login({ username: 'member', password: PASSWORD })
    await login({ username: 'member', password: 'my secret mistake' })
    const events = await service.rows('select kind, username, address, details from security_event order by pk')
    assert.deepEqual(
      events.filter(({ kind }) => kind.startsWith('sign')).map(({ kind, username }) => [kind, username]),
      [
        ['sign_in', 'member'],
        ['sign_in_failed', 'member'],
      ],
    )
    assert.doesNotMatch(JSON.stringify(events), /mistake/)
  })
})

describe('too many sign-ins from one address', () => {
  it('are rejected with 429, including valid ones', async () => {
    const strict = await testService({ SIGN_IN_RATE: '3' })
    const body = { username: 'member', password: PASSWORD }
    for (const remaining of ['2', '1', '0']) {
      const response = await strict.anonymous.post(LOGIN, body)
      assert.equal(response.status, 200)
      assert.deepEqual([response.headers['ratelimit-limit'], response.headers['ratelimit-remaining']], ['3', remaining])
    }
    const errorResponse = await strict.anonymous.post(LOGIN, body)
    assert.equal(errorResponse.status, 429)
    assert.ok(Number(errorResponse.headers['retry-after']) <= 60)
    // without TRUST_PROXY a client cannot evade this by stating another address
    assert.equal((await strict.anonymous.post(LOGIN, body, { 'x-forwarded-for': '10.1.1.1' })).status, 429)
  })
})

describe('forms', () => {
  it('are accepted only with WIRE_FORM=inventree', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `username=member&password=${encodeURIComponent(PASSWORD)}`
    assert.equal((await service.anonymous.send('POST', LOGIN, body, form)).status, 415)
    const inventreeService = await testService({ WIRE_FORM: 'inventree' })
    assert.equal((await inventreeService.anonymous.send('POST', LOGIN, body, form)).status, 200)
    const parts = ['username', 'member', 'password', PASSWORD]
    const multipart = `--x\r\nContent-Disposition: form-data; name="${parts[0]}"\r\n\r\n${parts[1]}\r\n--x\r\nContent-Disposition: form-data; name="${parts[2]}"\r\n\r\n${parts[3]}\r\n--x--\r\n`
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    assert.equal((await inventreeService.anonymous.send('POST', LOGIN, multipart, type)).status, 200)
    assert.equal((await inventreeService.anonymous.send('POST', LOGIN, 'nonsense', type)).status, 400)
  })
})

describe('/api/auth/logout/', () => {
  const signIn = async () => {
    const response = await login({ username: 'member', password: PASSWORD })
    return { cookie: getSessionCookie(response), authorization: `Token ${response.body.key}` }
  }

  it('POST ends the session, and the token of the request', async () => {
    const { cookie, authorization } = await signIn()
    const other = await service.member.get('/api/user/token/?name=other')
    assert.equal((await service.anonymous.post('/api/auth/logout/', {}, { cookie, authorization })).status, 200)
    assert.equal((await getWithSession(cookie)).status, 401)
    assert.equal((await service.anonymous.get(ME, { authorization })).status, 401)
    assert.equal(
      (await service.anonymous.get(ME, { authorization: `Token ${other.body.token}` })).status,
      200,
      'other tokens stay valid',
    )
  })

  it('never restores a revoked token', async () => {
    const before = await signIn()
    await service.anonymous.post('/api/auth/logout/', {}, { authorization: before.authorization })
    const after = await signIn()
    assert.notEqual(after.authorization, before.authorization)
    assert.equal((await service.anonymous.get(ME, { authorization: before.authorization })).status, 401)
  })

  it('GET ends the session only', async () => {
    const { cookie, authorization } = await signIn()
    const response = await service.anonymous.get('/api/auth/logout/', { cookie })
    assert.equal(response.status, 200)
    assert.equal((await getWithSession(cookie)).status, 401)
    assert.equal((await service.anonymous.get(ME, { authorization })).status, 200)
  })

  it('HEAD does the same as GET, before it responds', async () => {
    for (let round = 0; round < 10; round++) {
      const { cookie } = await signIn()
      assert.equal((await getWithSession(cookie)).status, 200)
      await service.app.inject({ method: 'HEAD', url: '/api/auth/logout/', headers: { cookie } })
      assert.equal((await getWithSession(cookie)).status, 401, `round ${round}`)
    }
  })

  it('GET rejects requests from another site', async () => {
    const { cookie } = await signIn()
    assert.equal((await service.anonymous.get('/api/auth/logout/', { cookie, 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await getWithSession(cookie)).status, 200)
  })

  it('succeeds for an anonymous caller, and returns 401 for an invalid token', async () => {
    assert.equal((await service.anonymous.post('/api/auth/logout/')).status, 200)
    assert.equal((await service.anonymous.get('/api/auth/logout/')).status, 200)
    assert.equal((await service.anonymous.post('/api/auth/logout/', {}, { authorization: 'Token nonsense' })).status, 401)
  })
})

describe('a session', () => {
  it('ends if it is the oldest when the fifty-first is opened', async () => {
    const [{ pk }] = await service.rows(
      `insert into user_account (username, password) select 'everywhere', password from user_account where username = 'member' returning pk`,
    )
    const cookies: string[] = []
    for (let round = 0; round < 51; round++)
      cookies.push(getSessionCookie(await login({ username: 'everywhere', password: PASSWORD })))
    const [{ count }] = await service.rows('select count(*)::integer from user_session where "user" = $1', [pk])
    assert.equal(count, 50)
    assert.equal((await getWithSession(cookies[0] as string)).status, 401)
    assert.equal((await getWithSession(cookies[1] as string)).status, 200)
    assert.equal((await getWithSession(cookies[50] as string)).status, 200)
    const events = await service.rows(`select details from security_event where kind = 'session_ended' and "user" = $1`, [pk])
    assert.deepEqual(
      events.map(({ details }) => details.reason),
      ['too many'],
    )
  })

  it('ends when it expires', async () => {
    const cookie = getSessionCookie(await login({ username: 'viewer', password: PASSWORD }))
    assert.equal((await getWithSession(cookie)).status, 200)
    await service.pool.query(`update user_session set expires = now() - interval '1 second'`)
    await waitForListeners(service)
    assert.equal((await getWithSession(cookie)).status, 401)
  })

  it('ends immediately when its account is deactivated', async () => {
    const cookie = getSessionCookie(await login({ username: 'viewer', password: PASSWORD }))
    assert.equal((await getWithSession(cookie)).status, 200)
    await service.pool.query(`update user_account set is_active = false where username = 'viewer'`)
    await waitForListeners(service)
    assert.equal((await getWithSession(cookie)).status, 401)
    await service.pool.query(`update user_account set is_active = true where username = 'viewer'`)
  })
})
