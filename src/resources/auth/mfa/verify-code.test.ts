import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../../../app.ts'
import { loadConfig } from '../../../config.ts'
import { Secrets } from '../../../kit/services/secrets.ts'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import {
  clearLastUse,
  createAddressHeaders,
  type EnrolledAccount,
  enroll,
  generateCode,
  generateWrongCode,
  getSessionCookie,
  signIn,
  waitForStableStep,
} from '../../../testing/second-factor.ts'
import { PASSWORD, testService } from '../../../testing/service.ts'

const FIRST_SECRET = 'the first secret of this server is long'
const SECOND_SECRET = 'the second secret of this server is long'

const service = await testService({ SIGN_IN_RATE: '10000', TRUST_PROXY: 'true', SECRET_KEY: FIRST_SECRET })
const { anonymous } = service
const ME = '/api/user/me/'
const LOGIN = '/api/auth/login/'

const readSealedSecret = async ({ pk }: EnrolledAccount): Promise<Buffer> =>
  (await service.rows('select sealed_secret from second_factor where "user" = $1', [pk]))[0].sealed_secret

describe('a sign-in to an account with a second factor', () => {
  it('is rejected after fifty wrong codes in an hour, wherever they come from', async () => {
    const { username, secret } = await enroll(service, 'guessed by many')
    const otherAccount = await enroll(service, 'not guessed')
    const guesses = await Promise.all(Array.from({ length: 55 }, () => signIn(service, username, generateWrongCode(secret))))
    assert.equal(guesses.filter(({ status }) => status === 400).length, 50)
    assert.equal(guesses.filter(({ status }) => status === 429).length, 5)
    await waitForStableStep()
    assert.equal((await signIn(service, username, generateCode(secret))).status, 429)
    assert.equal((await signIn(service, otherAccount.username, generateCode(otherAccount.secret))).status, 200)
    // a password alone, wrong or right, is counted elsewhere: anonymous callers cannot lock an account out
    assert.equal((await signIn(service, username)).status, 401)
  })

  it('requires the code, and returns nothing without it', async () => {
    const { username, pk } = await enroll(service, 'asked')
    const before = await service.rows('select pk from user_session where "user" = $1 order by pk', [pk])
    const response = await signIn(service, username)
    assert.equal(response.status, 401)
    assert.match(response.body.detail, /second factor/)
    assert.equal(getSessionCookie(response), undefined)
    assert.deepEqual(Object.keys(response.body), ['detail'])
    assert.equal((await signIn(service, username, '')).status, 401)
    assert.deepEqual(await service.rows('select pk from user_session where "user" = $1 order by pk', [pk]), before)
    assert.deepEqual(await service.rows('select 1 from api_token where "user" = $1 and not revoked', [pk]), [])
  })

  it('reports this by the code mfa_required', async () => {
    const { username } = await enroll(service, 'coded')
    const accept = { accept: 'application/problem+json', ...createAddressHeaders() }
    const response = await anonymous.post(LOGIN, { username, password: PASSWORD }, accept)
    assert.equal(response.status, 401)
    assert.match(response.text, /mfa_required/)
  })

  it('does not reveal whether an account has one before the password is right', async () => {
    const { username, secret } = await enroll(service, 'quiet')
    const expected = await anonymous.post(LOGIN, { username: 'member', password: 'wrong' }, createAddressHeaders())
    for (const code of [undefined, generateCode(secret), generateWrongCode(secret)]) {
      const response = await anonymous.post(LOGIN, { username, password: 'wrong', code }, createAddressHeaders())
      assert.deepEqual([response.status, response.body], [expected.status, expected.body])
    }
    assert.equal((await signIn(service, username, generateCode(secret))).status, 200, 'the code is still unused')
  })

  it('opens a session that passed it, and returns a token', async () => {
    const { username, secret } = await enroll(service, 'passed')
    const response = await signIn(service, username, generateCode(secret))
    assert.equal(response.status, 200)
    const cookie = getSessionCookie(response) as string
    assert.equal((await anonymous.get('/api/auth/mfa/', { cookie })).body.passed, true)
    assert.equal((await anonymous.get(ME, { authorization: `Token ${response.body.key}` })).body.username, username)
  })

  it('accepts a code with whitespace', async () => {
    const { username, secret } = await enroll(service, 'blanks')
    const code = generateCode(secret)
    assert.equal((await signIn(service, username, ` ${code.slice(0, 3)} ${code.slice(3)}\t`)).status, 200)
  })

  it('ignores a code if there is no second factor', async () => {
    assert.equal((await signIn(service, 'member', '123456')).status, 200)
  })
})

describe('a code of the authenticator', () => {
  it('is valid once', async () => {
    await waitForStableStep()
    const { username, secret } = await enroll(service, 'once')
    assert.equal((await signIn(service, username, generateCode(secret))).status, 200)
    const secondResponse = await signIn(service, username, generateCode(secret))
    assert.equal(secondResponse.status, 400)
    assert.deepEqual(Object.keys(secondResponse.body), ['code'])
    assert.equal(
      (await signIn(service, username, generateCode(secret, -1))).status,
      400,
      'a code of an earlier step is rejected too',
    )
    assert.equal((await signIn(service, username, generateCode(secret, 1))).status, 200)
  })

  it('is accepted for one of many concurrent requests', async () => {
    for (let round = 0; round < 3; round++) {
      const { username, secret } = await enroll(service, `parallel${round}`)
      const code = generateCode(secret)
      const responses = await Promise.all(Array.from({ length: 8 }, () => signIn(service, username, code)))
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(400)])
    }
  })

  it('may be one step early or late, and no more', async () => {
    await waitForStableStep()
    const { pk, username, secret } = await enroll(service, 'clock')
    const statuses: Record<number, number> = {}
    for (const steps of [-3, -2, -1, 0, 1, 2, 3]) {
      await clearLastUse(service, pk)
      statuses[steps] = (await signIn(service, username, generateCode(secret, steps))).status
    }
    assert.deepEqual(statuses, { [-3]: 400, [-2]: 400, [-1]: 200, 0: 200, 1: 200, 2: 400, 3: 400 })
  })

  it('is wrong for another account', async () => {
    const [account, otherAccount] = [await enroll(service, 'one'), await enroll(service, 'other')]
    assert.equal((await signIn(service, account.username, generateCode(otherAccount.secret))).status, 400)
    assert.equal((await signIn(service, account.username, otherAccount.recoveryCodes[0])).status, 400)
  })

  it('is not used up by a sign-in that is rolled back', async () => {
    const { pk, username, secret } = await enroll(service, 'rolled')
    await service.rows(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception sqlstate '40001'; end $$;
       create trigger fail before insert on user_session for each row when (new."user" = ${pk}) execute function fail()`,
    )
    assert.equal((await signIn(service, username, generateCode(secret))).status, 409)
    await service.rows('drop trigger fail on user_session; drop function fail()')
    assert.equal((await signIn(service, username, generateCode(secret))).status, 200)
  })
})

describe('a recovery code', () => {
  it('is valid once, ignoring case and hyphens', async () => {
    const { username, recoveryCodes, pk } = await enroll(service, 'lost')
    const [first, second] = recoveryCodes as [string, string]
    assert.equal((await signIn(service, username, first)).status, 200)
    assert.equal((await signIn(service, username, first)).status, 400)
    assert.equal((await signIn(service, username, ` ${second.toLowerCase().replaceAll('-', ' ')}`)).status, 200)
    assert.equal((await signIn(service, username, second.replaceAll('-', ''))).status, 400)
    const events = await service.rows(
      `select details from security_event where "user" = $1 and kind = 'recovery_code_used' order by pk`,
      [pk],
    )
    assert.deepEqual(
      events.map(({ details }) => details),
      [{ left: 9 }, { left: 8 }],
    )
  })

  it('is accepted for one of many concurrent requests', async () => {
    const { username, recoveryCodes } = await enroll(service, 'lostparallel')
    const responses = await Promise.all(Array.from({ length: 8 }, () => signIn(service, username, recoveryCodes[0])))
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(400)])
  })

  it('is not stored in the database', async () => {
    const { recoveryCodes } = await enroll(service, 'hashed')
    const rows = JSON.stringify(await service.rows('select r::text as row from recovery_code r'))
    for (const code of recoveryCodes) {
      const plain = code.replaceAll('-', '')
      for (const form of [code, plain, Buffer.from(plain).toString('hex'), Buffer.from(code).toString('hex')])
        assert.ok(!rows.includes(form))
    }
  })
})

describe('wrong codes', () => {
  it('are counted: after ten the right one is rejected, from this address only', async () => {
    const { username, secret } = await enroll(service, 'guessed')
    const clientHeaders = createAddressHeaders()
    for (let round = 0; round < 10; round++)
      assert.equal((await signIn(service, username, generateWrongCode(secret), clientHeaders)).status, 400)
    const errorResponse = await signIn(service, username, generateCode(secret), clientHeaders)
    assert.equal(errorResponse.status, 429)
    assert.ok(Number(errorResponse.headers['retry-after']) > 0)
    assert.equal((await signIn(service, username, generateCode(secret))).status, 200, 'from another address')
  })

  it('are checked at most ten times, even when sent concurrently', async () => {
    const { username, secret } = await enroll(service, 'flooded')
    const clientHeaders = createAddressHeaders()
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => signIn(service, username, generateWrongCode(secret), clientHeaders)),
    )
    const tried = responses.filter(({ status }) => status === 400).length
    assert.ok(tried <= 10, `${tried} codes were tried`)
    assert.ok(responses.every(({ status }) => status === 400 || status === 429))
  })

  it('are counted alone: right codes do not count', async () => {
    const { pk, username, secret } = await enroll(service, 'busy')
    const clientHeaders = createAddressHeaders()
    for (let round = 0; round < 12; round++) {
      await clearLastUse(service, pk)
      assert.equal((await signIn(service, username, generateCode(secret), clientHeaders)).status, 200)
    }
  })

  it('are recorded once each', async () => {
    const { pk, username, secret } = await enroll(service, 'recorded')
    const code = generateWrongCode(secret)
    await signIn(service, username, code)
    const events = await service.rows(`select * from security_event where "user" = $1 and kind = 'sign_in_failed'`, [pk])
    assert.equal(events.length, 1)
    assert.ok(!JSON.stringify(events).includes(code))
  })
})

describe('other authentication methods', () => {
  it('do not include Basic', async () => {
    const { username } = await enroll(service, 'nobasic')
    for (let round = 0; round < 2; round++) {
      const response = await anonymous.get(ME, {
        authorization: `Basic ${btoa(`${username}:${PASSWORD}`)}`,
        ...createAddressHeaders(),
      })
      assert.equal(response.status, 401)
    }
  })

  it('return a token to a session that passed the second factor, and to nothing else', async () => {
    const { pk, username, secret, cookie } = await enroll(service, 'tokens')
    const TOKEN = '/api/user/token/?name=phone'
    const { status, body } = await anonymous.get(TOKEN, { cookie })
    assert.equal(status, 200)
    const authorization = `Token ${body.token}`
    assert.equal((await anonymous.get(ME, { authorization })).status, 200)
    assert.equal((await anonymous.get('/api/user/token/?name=more', { authorization })).status, 401)
    const basic = `Basic ${btoa(`${username}:${PASSWORD}`)}`
    assert.equal((await anonymous.get(TOKEN, { authorization: basic, ...createAddressHeaders() })).status, 401)
    const names = await service.rows('select name from api_token where "user" = $1 and not revoked', [pk])
    assert.deepEqual(names, [{ name: 'phone' }])
    const signInResponse = await signIn(service, username, generateCode(secret))
    assert.equal((await anonymous.get(TOKEN, { cookie: getSessionCookie(signInResponse) as string })).body.token, body.token)
  })

  it('exclude a session that was opened without a second factor', async () => {
    const { pk, cookie } = await enroll(service, 'halfway')
    assert.equal((await anonymous.get(ME, { cookie })).status, 200)
    await service.rows('update user_session set second_factor = false where "user" = $1', [pk])
    await waitForListeners(service)
    for (const path of [ME, '/api/auth/mfa/', '/api/user/token/', '/api/part/'])
      assert.equal((await anonymous.get(path, { cookie })).status, 401, path)
    assert.equal((await anonymous.post('/api/auth/mfa/disable/', { code: '123456' }, { cookie })).status, 401)
    assert.equal((await anonymous.get('/api/', { cookie })).status, 200, 'a public path')
  })
})

describe('the secret in the database', () => {
  it('cannot be read', async () => {
    const enrolled = await enroll(service, 'sealed')
    const sealed = await readSealedSecret(enrolled)
    assert.ok(!sealed.includes(enrolled.secret) && !sealed.toString('utf8').includes(enrolled.secret))
    const dump = JSON.stringify([
      await service.rows('select f::text as row from second_factor f'),
      await service.rows('select e::text as row from security_event e'),
      await service.rows('select k::text as row from idempotency_key k'),
    ])
    assert.ok(!dump.includes(enrolled.secret) && !dump.includes(Buffer.from(enrolled.secret).toString('hex')))
  })

  it("is decrypted only with the server's secret, and for no other purpose", async () => {
    const sealed = await readSealedSecret(await enroll(service, 'keyed'))
    assert.ok(new Secrets([FIRST_SECRET]).open('totp', sealed))
    assert.equal(new Secrets([SECOND_SECRET]).open('totp', sealed), undefined)
    assert.equal(new Secrets([FIRST_SECRET]).open('pending sign-in', sealed), undefined)
    const changed = Buffer.from(sealed)
    changed[changed.length - 1] = (changed.at(-1) as number) ^ 1
    assert.equal(new Secrets([FIRST_SECRET]).open('totp', changed), undefined)
  })

  it('cannot be decrypted in the row of another account', async () => {
    const [attacker, victim] = [await enroll(service, 'mallory'), await enroll(service, 'vic')]
    await service.rows('update second_factor set sealed_secret = $1 where "user" = $2', [
      await readSealedSecret(attacker),
      victim.pk,
    ])
    assert.equal((await signIn(service, victim.username, generateCode(attacker.secret))).status, 400)
    assert.equal((await signIn(service, victim.username, victim.recoveryCodes[0])).status, 200, 'recovery codes still work')
  })
})

describe('a changed secret of the server', () => {
  /** Starts a node on the same database, with another secret. */
  const startNode = async (secret: string, previousSecret = '') => {
    const config = loadConfig({
      SECRET_KEY: secret,
      PREVIOUS_SECRET_KEYS: previousSecret,
      DATA_DIR: '/nonexistent',
      SIGN_IN_RATE: '10000',
      TRUST_PROXY: 'true',
    })
    const { pool, databaseUrl } = service
    const app = await buildApp({ config, pool, databaseUrl, log: pino({ level: 'silent' }), runsBackgroundWork: false })
    const submitCode = async ({ pk, username }: EnrolledAccount, code: string) => {
      await clearLastUse(service, pk)
      const payload = { username, password: PASSWORD, code }
      return (await app.inject({ method: 'POST', url: LOGIN, payload, headers: createAddressHeaders() })).statusCode
    }
    return { app, submitCode }
  }

  it('still decrypts data of the previous one, and encrypts it with the new one on use', async () => {
    const [used, unused] = [await enroll(service, 'rotated'), await enroll(service, 'asleep')]
    const rotating = await startNode(SECOND_SECRET, FIRST_SECRET)
    const rotated = await startNode(SECOND_SECRET)
    try {
      assert.equal(await rotated.submitCode(used, generateCode(used.secret)), 400, 'without the previous secret')
      assert.equal(await rotating.submitCode(used, generateCode(used.secret)), 200)
      assert.equal(await rotated.submitCode(used, generateCode(used.secret)), 200, 'encrypted with the new secret')
      assert.equal(await rotated.submitCode(unused, generateCode(unused.secret)), 400)
      assert.equal(await rotated.submitCode(unused, unused.recoveryCodes[0] as string), 200, 'a recovery code still works')
    } finally {
      await rotating.app.close()
      await rotated.app.close()
    }
  })
})
