import assert from 'node:assert/strict'
import { PASSWORD } from '../testing/service.ts'
import { email, string } from './fields.ts'
import { created, none, ok, page, type RequestSetup, type Row } from './operations.ts'
import { Detail, EmailAddress, SocialAccount, SocialProviderListResponse, Token } from './resources.ts'
import { createEmailAddress, type Fixture } from './test-data.ts'

// The table "Authentication area".

const required = true

/** Returns a password of this length that is hard to guess. */
const createPassword = (length = 12) => [...'Ümläut-🔩-'.repeat(20)].slice(0, length).join('')
const newPassword = string({ required, max: 128, generate: createPassword })

let nameCount = 0
const createUsername = (length: number) => `${(++nameCount).toString(36)}-`.padEnd(length, 'n').slice(0, length)

const withNewAccount = async (fixture: Fixture) => ({ as: await fixture.createAccount() })

/** Adds another address to a new account. */
const addAddress = (verified: boolean) => async (fixture: Fixture) => {
  const as = await fixture.createAccount()
  const [row] = await fixture.service.rows(
    'insert into email_address ("user", email, verified) values ($1, $2, $3) returning pk, email',
    [as.pk, createEmailAddress(40), verified],
  )
  return { as, path: { id: row.pk as number }, email: row.email as string }
}

const linkAccount = async (fixture: Fixture) => {
  const as = await fixture.createAccount()
  const [row] = await fixture.service.rows(
    `insert into social_account ("user", provider, issuer, uid)
     values ($1, 'works', 'https://id.works.example', $2), ($1, 'google', 'https://accounts.google.com', $2) returning pk`,
    [as.pk, as.username],
  )
  return { as, path: { id: row.pk as number } }
}

async function requestPasswordReset(fixture: Fixture): Promise<RequestSetup> {
  const as = await fixture.createAccount()
  await fixture.service.anonymous.post('/api/auth/password/reset/', { email: as.email })
  const { searchParams } = new URL((await fixture.mail.next(as.email)).links[0] as string)
  const [uid, token] = [searchParams.get('uid'), searchParams.get('token')]
  return { as, body: { uid, token, new_password1: createPassword(), new_password2: createPassword() } }
}

async function requestVerificationKey(fixture: Fixture): Promise<RequestSetup> {
  const { as, path, email: recipient } = await addAddress(false)(fixture)
  await fixture.service.anonymous.post(`/api/auth/emails/${path.id}/verify/`, {}, as.token)
  return { as, body: { key: (await fixture.mail.next(recipient)).token } }
}

const buildRegistration = async () => ({
  body: { username: createUsername(12), password1: createPassword(), password2: createPassword() },
})

export const authenticationRows: Row[] = [
  {
    operation: 'GET /api/auth/emails/',
    response: page(EmailAddress),
    caller: 'account',
    setup: addAddress(false),
  },
  {
    operation: 'POST /api/auth/emails/',
    body: EmailAddress,
    response: created(EmailAddress),
    caller: 'account',
    async setup(fixture) {
      const as = await fixture.createAccount()
      return { as, body: { email: createEmailAddress(40), user: as.pk } }
    },
  },
  { operation: 'POST /api/auth/emails/{id}/primary/', response: ok(EmailAddress), caller: 'account', setup: addAddress(true) },
  { operation: 'POST /api/auth/emails/{id}/remove/', response: ok(EmailAddress), caller: 'account', setup: addAddress(true) },
  { operation: 'POST /api/auth/emails/{id}/verify/', response: ok(EmailAddress), caller: 'account', setup: addAddress(false) },
  {
    operation: 'POST /api/auth/login/',
    // existing clients send null instead of the name or the address if the user signs in with the other one
    body: {
      password: string({ required, generate: () => PASSWORD }),
      username: string({ nullable: true, generate: (_, body) => body.username as string }),
      email: email({ nullable: true }),
    },
    // the specification leaves the body open (docs/decisions.md#signing-in)
    response: ok(Token),
    caller: 'anonymous',
    async setup(fixture) {
      const as = await fixture.createAccount()
      return { as, body: { username: as.username, email: as.email, password: PASSWORD } }
    },
    otherSetups: [
      async (fixture) => {
        const as = await fixture.createAccount()
        return { as, body: { email: as.email, password: PASSWORD } }
      },
      async (fixture) => {
        const as = await fixture.createAccount()
        return { as, body: { username: as.username, password: PASSWORD } }
      },
    ],
  },
  { operation: 'GET /api/auth/logout/', response: none, caller: 'anonymous' },
  {
    operation: 'POST /api/auth/logout/',
    response: none,
    caller: 'anonymous',
    // deletes the user token that belongs to the request
    async effect({ service }, headers) {
      if (!headers.authorization?.startsWith('Token')) return
      assert.equal((await service.anonymous.get('/api/user/me/', headers)).status, 401)
    },
  },
  {
    operation: 'POST /api/auth/password/change/',
    body: { new_password1: newPassword, new_password2: newPassword },
    equalFields: ['new_password1', 'new_password2'],
    response: ok(Detail),
    caller: 'account',
    setup: async (fixture) => ({
      ...(await withNewAccount(fixture)),
      body: { new_password1: createPassword(), new_password2: createPassword() },
    }),
  },
  {
    operation: 'POST /api/auth/password/reset/',
    body: { email: email({ required }) },
    response: ok(Detail),
    caller: 'anonymous',
    async setup(fixture) {
      const as = await fixture.createAccount()
      return { as, body: { email: as.email } }
    },
  },
  {
    operation: 'POST /api/auth/password/reset/confirm/',
    body: {
      new_password1: newPassword,
      new_password2: newPassword,
      token: string({ required, generate: (_, body) => body.token as string }),
      uid: string({ required, generate: (_, body) => body.uid as string }),
    },
    equalFields: ['new_password1', 'new_password2'],
    response: ok(Detail),
    caller: 'anonymous',
    setup: requestPasswordReset,
  },
  { operation: 'GET /api/auth/providers/', response: page(SocialProviderListResponse), caller: 'anonymous' },
  {
    operation: 'POST /api/auth/registration/',
    body: {
      username: string({ min: 1, max: 150, required, generate: createUsername }),
      password1: string({ required, generate: createPassword }),
      password2: string({ required, generate: createPassword }),
      email: email(),
    },
    equalFields: ['password1', 'password2'],
    response: created(Token),
    caller: 'anonymous',
    setup: buildRegistration,
  },
  {
    operation: 'POST /api/auth/registration/resend-email/',
    body: { email: email() },
    response: created(Detail),
    caller: 'anonymous',
    setup: async (fixture) => ({ ...(await withNewAccount(fixture)), body: {} }),
  },
  {
    operation: 'POST /api/auth/registration/verify-email/',
    body: { key: string({ required, generate: (_, body) => body.key as string }) },
    response: ok(Detail),
    caller: 'anonymous',
    setup: requestVerificationKey,
  },
  { operation: 'GET /api/auth/social/', response: page(SocialAccount), caller: 'account', setup: linkAccount },
  {
    operation: 'POST /api/auth/social/{id}/disconnect/',
    body: { access_token: string(), code: string(), id_token: string() },
    // the specification does not show the response
    response: none,
    caller: 'account',
    setup: linkAccount,
    // disconnects the social account of the current user
    async effect({ service }, headers) {
      assert.equal((await service.anonymous.get('/api/auth/social/', headers)).body.count, 1)
    },
  },
]
