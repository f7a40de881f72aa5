import assert from 'node:assert/strict'
import { PASSWORD } from '../testing/service.ts'
import { email, string } from './fields.ts'
import { created, none, ok, page, type RequestSetup, type Row } from './operations.ts'
import { Detail, EmailAddress, SocialAccount, SocialProviderListResponse, Token } from './resources.ts'
import { type Fixture, mailAddress } from './test-data.ts'

// The table "Authentication area".

const required = true

/** Returns a password of this length that is hard to guess. */
const password = (length = 12) => [...'Ümläut-🔩-'.repeat(20)].slice(0, length).join('')
const newPassword = string({ required, max: 128, like: password })

let names = 0
const userName = (length: number) => `${(++names).toString(36)}-`.padEnd(length, 'n').slice(0, length)

const ownAccount = async (fixture: Fixture) => ({ as: await fixture.account() })

/** Adds another address to an account. */
const address = (verified: boolean) => async (fixture: Fixture) => {
  const as = await fixture.account()
  const [row] = await fixture.service.rows(
    'insert into email_address ("user", email, verified) values ($1, $2, $3) returning pk, email',
    [as.pk, mailAddress(40), verified],
  )
  return { as, path: { id: row.pk as number }, email: row.email as string }
}

const linkedAccount = async (fixture: Fixture) => {
  const as = await fixture.account()
  const [row] = await fixture.service.rows(
    `insert into social_account ("user", provider, issuer, uid)
     values ($1, 'works', 'https://id.works.example', $2), ($1, 'google', 'https://accounts.google.com', $2) returning pk`,
    [as.pk, as.username],
  )
  return { as, path: { id: row.pk as number } }
}

async function mailedReset(fixture: Fixture): Promise<RequestSetup> {
  const as = await fixture.account()
  await fixture.service.anonymous.post('/api/auth/password/reset/', { email: as.email })
  const { searchParams } = new URL((await fixture.mail.next(as.email)).links[0] as string)
  const [uid, token] = [searchParams.get('uid'), searchParams.get('token')]
  return { as, body: { uid, token, new_password1: password(), new_password2: password() } }
}

async function mailedKey(fixture: Fixture): Promise<RequestSetup> {
  const { as, path, email: recipient } = await address(false)(fixture)
  await fixture.service.anonymous.post(`/api/auth/emails/${path.id}/verify/`, {}, as.token)
  return { as, body: { key: (await fixture.mail.next(recipient)).token } }
}

const register = async () => ({ body: { username: userName(12), password1: password(), password2: password() } })

export const authenticationRows: Row[] = [
  {
    operation: 'GET /api/auth/emails/',
    answer: page(EmailAddress),
    by: 'account',
    given: address(false),
  },
  {
    operation: 'POST /api/auth/emails/',
    body: EmailAddress,
    answer: created(EmailAddress),
    by: 'account',
    async given(fixture) {
      const as = await fixture.account()
      return { as, body: { email: mailAddress(40), user: as.pk } }
    },
  },
  { operation: 'POST /api/auth/emails/{id}/primary/', answer: ok(EmailAddress), by: 'account', given: address(true) },
  { operation: 'POST /api/auth/emails/{id}/remove/', answer: ok(EmailAddress), by: 'account', given: address(true) },
  { operation: 'POST /api/auth/emails/{id}/verify/', answer: ok(EmailAddress), by: 'account', given: address(false) },
  {
    operation: 'POST /api/auth/login/',
    // existing clients send null for the name or address that they omit
    body: {
      password: string({ required, like: () => PASSWORD }),
      username: string({ nullable: true, like: (_, body) => body.username as string }),
      email: email({ nullable: true }),
    },
    // decision 13 gives the body
    answer: ok(Token),
    by: 'anonymous',
    async given(fixture) {
      const as = await fixture.account()
      return { as, body: { username: as.username, email: as.email, password: PASSWORD } }
    },
    also: [
      async (fixture) => {
        const as = await fixture.account()
        return { as, body: { email: as.email, password: PASSWORD } }
      },
      async (fixture) => {
        const as = await fixture.account()
        return { as, body: { username: as.username, password: PASSWORD } }
      },
    ],
  },
  { operation: 'GET /api/auth/logout/', answer: none, by: 'anonymous' },
  {
    operation: 'POST /api/auth/logout/',
    answer: none,
    by: 'anonymous',
    // deletes the user token that belongs to the request
    async effect({ service }, headers) {
      if (!headers.authorization?.startsWith('Token')) return
      assert.equal((await service.anonymous.get('/api/user/me/', headers)).status, 401)
    },
  },
  {
    operation: 'POST /api/auth/password/change/',
    body: { new_password1: newPassword, new_password2: newPassword },
    alike: ['new_password1', 'new_password2'],
    answer: ok(Detail),
    by: 'account',
    given: async (fixture) => ({
      ...(await ownAccount(fixture)),
      body: { new_password1: password(), new_password2: password() },
    }),
  },
  {
    operation: 'POST /api/auth/password/reset/',
    body: { email: email({ required }) },
    answer: ok(Detail),
    by: 'anonymous',
    async given(fixture) {
      const as = await fixture.account()
      return { as, body: { email: as.email } }
    },
  },
  {
    operation: 'POST /api/auth/password/reset/confirm/',
    body: {
      new_password1: newPassword,
      new_password2: newPassword,
      token: string({ required, like: (_, body) => body.token as string }),
      uid: string({ required, like: (_, body) => body.uid as string }),
    },
    alike: ['new_password1', 'new_password2'],
    answer: ok(Detail),
    by: 'anonymous',
    given: mailedReset,
  },
  { operation: 'GET /api/auth/providers/', answer: page(SocialProviderListResponse), by: 'anonymous' },
  {
    operation: 'POST /api/auth/registration/',
    body: {
      username: string({ min: 1, max: 150, required, like: userName }),
      password1: string({ required, like: password }),
      password2: string({ required, like: password }),
      email: email(),
    },
    alike: ['password1', 'password2'],
    answer: created(Token),
    by: 'anonymous',
    given: register,
  },
  {
    operation: 'POST /api/auth/registration/resend-email/',
    body: { email: email() },
    answer: created(Detail),
    by: 'anonymous',
    given: async (fixture) => ({ ...(await ownAccount(fixture)), body: {} }),
  },
  {
    operation: 'POST /api/auth/registration/verify-email/',
    body: { key: string({ required, like: (_, body) => body.key as string }) },
    answer: ok(Detail),
    by: 'anonymous',
    given: mailedKey,
  },
  { operation: 'GET /api/auth/social/', answer: page(SocialAccount), by: 'account', given: linkedAccount },
  {
    operation: 'POST /api/auth/social/{id}/disconnect/',
    body: { access_token: string(), code: string(), id_token: string() },
    // the response is not shown
    answer: none,
    by: 'account',
    given: linkedAccount,
    // disconnects the social account of the current user
    async effect({ service }, headers) {
      assert.equal((await service.anonymous.get('/api/auth/social/', headers)).body.count, 1)
    },
  },
]
