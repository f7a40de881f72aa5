import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Browser } from '../../../testing/servers/browser.ts'
import { type GithubAccount, startTestGithub } from '../../../testing/servers/github.ts'
import { reserveSite, startTestSite } from '../../../testing/single-sign-on.ts'

let idCount = 1000
const createAccount = (fields: Partial<GithubAccount> = {}): GithubAccount => {
  const id = ++idCount
  const email = `octo-${id}@works.example`
  return { id, login: `octo-${id}`, emails: [{ email, primary: true, verified: true }], ...fields }
}

const reservedSite = await reserveSite()
const github = await startTestGithub(reservedSite.callback('github'), createAccount())
const service = await startTestSite(reservedSite, [
  { id: 'github', preset: 'github', issuer: github.base, client_id: github.clientId, client_secret: github.clientSecret },
])
await service.changeSettings({ LOGIN_ENABLE_SSO_REG: true })
const listAddresses = (username: string) =>
  service.rows(
    'select e.email, e.verified from email_address e join user_account u on u.pk = e."user" where u.username = $1 order by e.pk',
    [username],
  )

describe('a sign-in at GitHub', () => {
  beforeEach(() => {
    github.currentAccount = createAccount()
  })

  it('creates an account, identified by its numeric id, with the verified address', async () => {
    const { id, login } = github.currentAccount
    const browser = new Browser()
    assert.equal(await service.signInAtProvider(browser, 'github'), '/')
    assert.equal(await service.readSignedInUsername(browser), login)
    const { issuer } = (await service.findLinkedAccount(String(id))) as { issuer: string }
    assert.equal(issuer, github.base)
    assert.deepEqual(await listAddresses(login), [{ email: `${login}@works.example`, verified: true }])
  })

  it('uses the same account after a rename, and another one for a new owner of the name', async () => {
    const before = github.currentAccount
    await service.signInAtProvider(new Browser(), 'github')
    github.currentAccount = createAccount({ id: before.id, login: 'renamed' })
    const browser = new Browser()
    await service.signInAtProvider(browser, 'github')
    assert.equal(await service.readSignedInUsername(browser), before.login)
    // the previous name belongs to another user now
    github.currentAccount = createAccount({ login: before.login })
    await service.signInAtProvider(browser, 'github')
    assert.equal(await service.readSignedInUsername(browser), `${before.login}-2`)
  })

  const createAddress = (email: string, primary: boolean, verified: boolean) => ({ email, primary, verified })
  const cases: [description: string, emails: GithubAccount['emails'], expected: { email: string; verified: boolean }[]][] = [
    [
      'the primary one of several that are verified',
      [createAddress('a1@works.example', false, true), createAddress('b1@works.example', true, true)],
      [{ email: 'b1@works.example', verified: true }],
    ],
    [
      'a verified one rather than the primary one',
      [createAddress('a2@works.example', true, false), createAddress('b2@works.example', false, true)],
      [{ email: 'b2@works.example', verified: true }],
    ],
    [
      'an unverified one as unverified',
      [createAddress('a3@works.example', true, false)],
      [{ email: 'a3@works.example', verified: false }],
    ],
    ['no address if there is none, whatever the profile shows', [], []],
  ]
  for (const [description, emails, expected] of cases) {
    it(`imports ${description}`, async () => {
      github.currentAccount = createAccount({ emails })
      await service.signInAtProvider(new Browser(), 'github')
      assert.deepEqual(await listAddresses(github.currentAccount.login), expected)
    })
  }

  it('works without an address if the user does not share one', async () => {
    github.grantedScopes = ['read:user']
    assert.equal(await service.signInAtProvider(new Browser(), 'github'), '/')
    assert.deepEqual(await listAddresses(github.currentAccount.login), [])
    github.grantedScopes = ['read:user', 'user:email']
  })

  it('never signs in to an existing account with the same address', async () => {
    await service.rows(`insert into user_account (username, email) values ('there', 'there@works.example')`)
    github.currentAccount = createAccount({ emails: [createAddress('there@works.example', true, true)] })
    const browser = new Browser()
    await service.assertRejected(browser, () => service.signInAtProvider(browser, 'github'), 'address_taken')
  })

  it('is rejected for a response of another issuer, a wrong secret, a wrong code or another verifier', async () => {
    const browser = new Browser()
    github.issuer = 'https://github.com/login/oauth'
    await service.assertRejected(browser, () => service.signInAtProvider(browser, 'github'), 'invalid_answer')
    github.issuer = `${github.base}/login/oauth`

    const { clientSecret } = github
    github.clientSecret = 'another'
    await service.assertRejected(browser, () => service.signInAtProvider(browser, 'github'), 'invalid_answer')
    github.clientSecret = clientSecret

    const callbackUrl = await service.followToCallback(browser, 'github')
    callbackUrl.searchParams.set('code', 'wrong')
    await service.assertRejected(browser, () => service.followCallback(browser, callbackUrl), 'invalid_answer')

    const stolen = await service.followToCallback(new Browser(), 'github')
    const callbackWithStolenCode = await service.followToCallback(browser, 'github')
    callbackWithStolenCode.searchParams.set('code', stolen.searchParams.get('code') as string)
    await service.assertRejected(browser, () => service.followCallback(browser, callbackWithStolenCode), 'invalid_answer')
  })

  it('is rejected for a wrong state', async () => {
    const browser = new Browser()
    const callbackUrl = await service.followToCallback(browser, 'github')
    callbackUrl.searchParams.set('state', 'x')
    await service.assertRejected(browser, () => service.followCallback(browser, callbackUrl), 'invalid_answer')
  })

  it('returns an error code when its API fails', async () => {
    const browser = new Browser()
    for (const [status, code] of [
      [502, 'provider_unavailable'],
      [401, 'invalid_answer'],
      [403, 'invalid_answer'],
    ] as const) {
      github.failureStatus = status
      await service.assertRejected(browser, () => service.signInAtProvider(browser, 'github'), code)
    }
    github.failureStatus = undefined
  })

  it('is rejected when the API returns no numeric id', async () => {
    for (const id of [undefined, 'x', 1.5, null]) {
      github.currentAccount = createAccount({ id: id as never })
      const browser = new Browser()
      await service.assertRejected(browser, () => service.signInAtProvider(browser, 'github'), 'invalid_answer')
    }
  })
})
