import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { waitForStablePeriod } from './period-boundary.ts'
import { PASSWORD, type TestResponse, type TestService } from './service.ts'

const PERIOD_MS = 30_000

/** An account with a second factor, and the cookie of a browser that is signed in with it. */
export type EnrolledAccount = { pk: number; username: string; secret: string; recoveryCodes: string[]; cookie: string }

let lastAddress = 0
/** Returns headers with a new network address for each call, for a service with TRUST_PROXY: so that tests do not use up each other's rate limits. */
export const createAddressHeaders = (): Record<string, string> => ({
  'x-forwarded-for': `10.7.${++lastAddress >> 8}.${lastAddress & 255}`,
})

/** Returns the code that an authenticator shows after a number of steps of 30 seconds. */
export const generateCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * PERIOD_MS })

/** Waits until the current time step lasts long enough for a test. */
export const waitForStableStep = (): Promise<void> => waitForStablePeriod(PERIOD_MS, 5_000)

/** Returns a six-digit code that is currently wrong. */
export function generateWrongCode(secret: string): string {
  const validCodes = [-2, -1, 0, 1, 2].map((steps) => generateCode(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !validCodes.includes(code)) as string
}

/** Creates an account with the password of the tests, without a role. */
export async function createAccount(service: TestService, username: string): Promise<number> {
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
  headers = createAddressHeaders(),
): Promise<TestResponse> =>
  service.anonymous.post('/api/auth/login/', { username, password: PASSWORD, ...(code === undefined ? {} : { code }) }, headers)

/** Returns the session cookie that a response sets; undefined when it sets none. */
export const getSessionCookie = (response: TestResponse): string | undefined =>
  ([response.headers['set-cookie'] ?? []].flat() as string[]).find((line) => line.startsWith('sessionid='))?.split(';')[0]

/** Signs a new account in and enrolls a second factor. The code that confirmed it does not count as used. */
export async function enroll(service: TestService, username: string): Promise<EnrolledAccount> {
  const pk = await createAccount(service, username)
  const sessionHeaders = { cookie: getSessionCookie(await signIn(service, username)) as string }
  const setupResponse = await service.anonymous.post('/api/auth/mfa/totp/', { password: PASSWORD }, sessionHeaders)
  assert.equal(setupResponse.status, 201, setupResponse.text)
  const { secret } = setupResponse.body
  const confirmed = await service.anonymous.post('/api/auth/mfa/totp/confirm/', { code: generateCode(secret) }, sessionHeaders)
  assert.equal(confirmed.status, 200, confirmed.text)
  await clearLastUse(service, pk)
  return { pk, username, secret, recoveryCodes: confirmed.body.recovery_codes, cookie: getSessionCookie(confirmed) as string }
}

/** Makes the codes of an account usable again: a test cannot wait for the next ones. */
export const clearLastUse = (service: TestService, pk: number): Promise<unknown> =>
  service.rows('update second_factor set last_step = 0 where "user" = $1', [pk])
