import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { waitForStablePeriod } from './period-boundary.ts'
import { PASSWORD, type TestResponse, type TestService } from './service.ts'

const PERIOD = 30_000

/** An account with a second factor, and the cookie of a browser that is signed in with it. */
export type Enrolled = { pk: number; username: string; secret: string; recoveryCodes: string[]; cookie: string }

let last = 0
/** Returns headers with a new network address for each call, for a service with TRUST_PROXY: so that tests do not use up each other's rate limits. */
export const otherAddressHeaders = (): Record<string, string> => ({ 'x-forwarded-for': `10.7.${++last >> 8}.${last & 255}` })

/** Returns the code that an authenticator shows, `steps` of 30 seconds from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * PERIOD })

/** Waits until the current time step lasts long enough for a test. */
export const waitForStableStep = (): Promise<void> => waitForStablePeriod(PERIOD, 5_000)

/** Returns a six-digit code that is currently wrong. */
export function wrongCode(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) as string
}

/** Creates an account with the password of the tests, without a role. */
export async function newAccount(service: TestService, username: string): Promise<number> {
  const [row] = await service.rows(
    `insert into user_account (username, password, email) select $1::varchar, password, $1::varchar || '@stock.example' from user_account where username = 'member' returning pk`,
    [username],
  )
  return row.pk
}

export const signIn = (
  service: TestService,
  username: string,
  code?: string,
  headers = otherAddressHeaders(),
): Promise<TestResponse> =>
  service.anonymous.post('/api/auth/login/', { username, password: PASSWORD, ...(code === undefined ? {} : { code }) }, headers)

/** Returns the session cookie that a response sets; undefined when it sets none. */
export const sessionOf = (response: TestResponse): string | undefined =>
  ([response.headers['set-cookie'] ?? []].flat() as string[]).find((line) => line.startsWith('sessionid='))?.split(';')[0]

/** Signs a new account in and enrolls a second factor. The code that confirmed it does not count as used. */
export async function enrol(service: TestService, username: string): Promise<Enrolled> {
  const pk = await newAccount(service, username)
  const before = { cookie: sessionOf(await signIn(service, username)) as string }
  const setupResponse = await service.anonymous.post('/api/auth/mfa/totp/', { password: PASSWORD }, before)
  assert.equal(setupResponse.status, 201, setupResponse.text)
  const { secret } = setupResponse.body
  const confirmed = await service.anonymous.post('/api/auth/mfa/totp/confirm/', { code: codeOf(secret) }, before)
  assert.equal(confirmed.status, 200, confirmed.text)
  await clearLastUse(service, pk)
  return { pk, username, secret, recoveryCodes: confirmed.body.recovery_codes, cookie: sessionOf(confirmed) as string }
}

/** Makes the codes of an account usable again: a test cannot wait for the next ones. */
export const clearLastUse = (service: TestService, pk: number): Promise<unknown> =>
  service.rows('update second_factor set last_step = 0 where "user" = $1', [pk])
