import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Browser } from '../../../testing/servers/browser.ts'
import { type GithubAccount, startTestGithub } from '../../../testing/servers/github.ts'
import { reserveSite, startTestSite } from '../../../testing/single-sign-on.ts'

let last = 1000
const account = (more: Partial<GithubAccount> = {}): GithubAccount => {
  const id = ++last
  const email = `octo-${id}@works.example`
  return { id, login: `octo-${id}`, emails: [{ email, primary: true, verified: true }], ...more }
}

const future = await reserveSite()
const github = await startTestGithub(future.callback('github'), account())
const service = await startTestSite(future, [
  { id: 'github', preset: 'github', issuer: github.base, client_id: github.clientId, client_secret: github.clientSecret },
])
await service.changeSettings({ LOGIN_ENABLE_SSO_REG: true })
const addressesOf = (username: string) =>
  service.rows(
    'select e.email, e.verified from email_address e join user_account u on u.pk = e."user" where u.username = $1 order by e.pk',
    [username],
  )

describe('a sign-in at GitHub', () => {
  beforeEach(() => {
    github.current = account()
  })

  it('creates an account, identified by the number, with the verified address', async () => {
    const { id, login } = github.current
    const browser = new Browser()
    assert.equal(await service.signInAtProvider(browser, 'github'), '/')
    assert.equal(await service.readSignedInUsername(browser), login)
    const { issuer } = (await service.findLinkedAccount(String(id))) as { issuer: string }
    assert.equal(issuer, github.base)
    assert.deepEqual(await addressesOf(login), [{ email: `${login}@works.example`, verified: true }])
  })

  it('uses the same account after a rename, and another one for a new owner of the name', async () => {
    const before = github.current
    await service.signInAtProvider(new Browser(), 'github')
    github.current = account({ id: before.id, login: 'renamed' })
    const browser = new Browser()
    await service.signInAtProvider(browser, 'github')
    assert.equal(await service.readSignedInUsername(browser), before.login)
    // the former name belongs to another user now
    github.current = account({ login: before.login })
    await service.signInAtProvider(browser, 'github')
    assert.equal(await service.readSignedInUsername(browser), `${before.login}-2`)
  })

  const address = (email: string, primary: boolean, verified: boolean) => ({ email, primary, verified })
  const cases: [what: string, emails: GithubAccount['emails'], expected: { email: string; verified: boolean }[]][] = [
    [
      'the primary one of several that are verified',
      [address('a1@works.example', false, true), address('b1@works.example', true, true)],
      [{ email: 'b1@works.example', verified: true }],
    ],
    [
      'a verified one rather than the primary one',
      [address('a2@works.example', true, false), address('b2@works.example', false, true)],
      [{ email: 'b2@works.example', verified: true }],
    ],
    [
      'an unverified one as unverified',
      [address('a3@works.example', true, false)],
      [{ email: 'a3@works.example', verified: false }],
    ],
    ['none when there is none, whatever the profile shows', [], []],
  ]
  for (const [description, emails, expected] of cases) {
    it(`imports ${description}`, async () => {
      github.current = account({ emails })
      await service.signInAtProvider(new Browser(), 'github')
      assert.deepEqual(await addressesOf(github.current.login), expected)
    })
  }

  it('works without an address if the user does not share one', async () => {
    github.grantedScopes = ['read:user']
    assert.equal(await service.signInAtProvider(new Browser(), 'github'), '/')
    assert.deepEqual(await addressesOf(github.current.login), [])
    github.grantedScopes = ['read:user', 'user:email']
  })

  it('never signs in to an existing account with the same address', async () => {
    await service.rows(`insert into user_account (username, email) values ('there', 'there@works.example')`)
    github.current = account({ emails: [address('there@works.example', true, true)] })
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
    const own = await service.followToCallback(browser, 'github')
    own.searchParams.set('code', stolen.searchParams.get('code') as string)
    await service.assertRejected(browser, () => service.followCallback(browser, own), 'invalid_answer')
  })

  it('distinguishes a wrong state', async () => {
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

  it('is rejected when the API returns no number', async () => {
    for (const id of [undefined, 'x', 1.5, null]) {
      github.current = account({ id: id as never })
      const browser = new Browser()
      await service.assertRejected(browser, () => service.signInAtProvider(browser, 'github'), 'invalid_answer')
    }
  })
})
