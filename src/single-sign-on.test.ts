import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { loadConfig } from './config.ts'
import { ConfigError } from './config-values.ts'

const loadProviders = (...entries: unknown[]) => loadConfig({ SSO_PROVIDERS: JSON.stringify(entries) }).ssoProviders

describe('SSO_PROVIDERS', () => {
  it('is empty by default', () => {
    assert.deepEqual(loadConfig({}).ssoProviders, [])
    assert.deepEqual(loadConfig({ SSO_PROVIDERS: '' }).ssoProviders, [])
  })

  it('accepts any OpenID Connect provider', () => {
    const [provider] = loadProviders({
      id: 'own',
      issuer: 'https://id.example.com/realm',
      client_id: 'stock',
      client_secret: 'hunter2',
    })
    assert.deepEqual(provider, {
      id: 'own',
      name: 'own',
      protocol: 'openid',
      issuer: 'https://id.example.com/realm',
      clientId: 'stock',
      clientSecret: 'hunter2',
      scopes: ['openid', 'profile', 'email'],
      vouchesForAddresses: true,
    })
  })

  it('fills in the values of presets', () => {
    const own = { client_id: 'a', client_secret: 'b' }
    const providers = loadProviders(
      { id: 'google', preset: 'google', ...own },
      { id: 'github', preset: 'github', ...own },
      { id: 'lab', preset: 'gitlab', issuer: 'https://gitlab.example.com', name: 'Our GitLab', scopes: ['email'], ...own },
      { id: 'microsoft', preset: 'microsoft', ...own },
      { id: 'works', preset: 'microsoft', tenant: 'example.onmicrosoft.com', ...own },
    )
    assert.deepEqual(
      providers.map(({ name, protocol, issuer, scopes }) => [name, protocol, issuer, scopes.join(' ')]),
      [
        ['Google', 'openid', 'https://accounts.google.com', 'openid profile email'],
        ['GitHub', 'github', 'https://github.com', 'read:user user:email'],
        ['Our GitLab', 'openid', 'https://gitlab.example.com', 'openid email'],
        ['Microsoft', 'openid', 'https://login.microsoftonline.com/common/v2.0', 'openid profile email'],
        ['Microsoft', 'openid', 'https://login.microsoftonline.com/example.onmicrosoft.com/v2.0', 'openid profile email'],
      ],
    )
    assert.deepEqual(
      providers.map(({ vouchesForAddresses }) => vouchesForAddresses),
      [true, true, true, false, false],
    )
  })

  it('accepts http only for this machine', () => {
    for (const issuer of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])
      assert.equal(loadProviders({ id: 'x', issuer })[0]?.issuer, issuer)
  })

  const entry = { id: 'x', issuer: 'https://a.example', client_id: 'hunter2', client_secret: 'hunter2' }
  const bad: [description: string, value: unknown, message: RegExp][] = [
    [
      'a value that is not JSON',
      '[{"client_secret": hunter2}]',
      /^SSO_PROVIDERS is not a JSON list; allowed: a JSON list of providers$/,
    ],
    ['a value that is not a list', { ...entry }, /is not a JSON list/],
    ['an entry that is not an object', ['hunter2'], /, entry 1: it is not an object; allowed: a JSON object$/],
    ['an entry that is a list', [[entry]], /, entry 1: it is not an object/],
    ['an entry that is null', [null], /, entry 1: it is not an object/],
    ['an entry without an id', [entry, { issuer: 'https://a.example' }], /, entry 2: id is missing; allowed: 1 to 50/],
    ['an id that cannot be part of a URL path', [{ ...entry, id: 'a/b' }], /: id is not valid; allowed: 1 to 50/],
    ['a duplicate id', [entry, entry], /, entry 2: id is used by an earlier entry/],
    ['an unknown field', [{ ...entry, secret: 'hunter2' }], /unknown field secret; allowed: id, name, preset/],
    ['a secret as the name of a field', [{ ...entry, 'hunter2!': 1 }], /unknown field \(not shown\)/],
    ['an inherited name', [{ ...entry, constructor: 1 }], /unknown field constructor/],
    [
      'an unknown preset',
      [{ ...entry, preset: 'hunter2' }],
      /: preset is not valid; allowed: google, github, gitlab, microsoft$/,
    ],
    ['an entry with neither issuer nor preset', [{ id: 'x' }], /: issuer and preset are both missing/],
    ['an issuer over http', [{ ...entry, issuer: 'http://a.example' }], /: issuer is not valid; allowed: an https URL/],
    ['an issuer that looks like this machine', [{ ...entry, issuer: 'http://127.0.0.1.a.example' }], /: issuer is not valid/],
    ['an issuer with a password', [{ ...entry, issuer: 'https://a:hunter2@a.example' }], /: issuer is not valid/],
    ['an issuer with a query', [{ ...entry, issuer: 'https://a.example/?hunter2' }], /: issuer is not valid/],
    ['an issuer of another type', [{ ...entry, issuer: 7 }], /: issuer is not valid/],
    ['an issuer with the preset google', [{ ...entry, preset: 'google' }], /: issuer is set together with preset google/],
    [
      'a tenant without the preset microsoft',
      [{ ...entry, tenant: 'common' }],
      /: tenant is set; allowed: a tenant with preset microsoft/,
    ],
    ['a tenant that changes the path', [{ id: 'm', preset: 'microsoft', tenant: '../hunter2' }], /: tenant is not valid/],
    ['a client_id of another type', [{ ...entry, client_id: { hunter2: 1 } }], /: client_id is not valid/],
    ['a client_secret with a line break', [{ ...entry, client_secret: 'hun\nter2' }], /: client_secret is not valid/],
    ['GitHub without its secret', [{ id: 'g', preset: 'github', client_id: 'hunter2' }], /: client_secret is missing/],
    ['scopes in one string', [{ ...entry, scopes: 'openid hunter2' }], /: scopes is not valid; allowed: a list of words/],
  ]
  for (const [description, value, message] of bad) {
    it(`rejects ${description} with a one-line error that shows no value`, () => {
      assert.throws(
        () => loadConfig({ SSO_PROVIDERS: typeof value === 'string' ? value : JSON.stringify(value) }),
        (error: Error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, message)
          assert.doesNotMatch(error.message, /hun|ter2|\n/)
          return true
        },
      )
    })
  }
})

describe('SSO_PROVIDERS_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-providers-'))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it('is the path of a file with the providers', () => {
    const file = write('good.json', '[{"id": "own", "issuer": "https://id.example.com"}]')
    assert.equal(loadConfig({ SSO_PROVIDERS_FILE: file }).ssoProviders[0]?.id, 'own')
  })

  it('is rejected if it is unreadable, invalid, or combined with SSO_PROVIDERS', () => {
    const assertRejected = (environment: Record<string, string>, message: RegExp) =>
      assert.throws(
        () => loadConfig(environment),
        (error: Error) => error instanceof ConfigError && message.test(error.message),
      )
    assertRejected({ SSO_PROVIDERS_FILE: join(folder, 'none.json') }, /^SSO_PROVIDERS_FILE cannot be read \(ENOENT\)/)
    assertRejected({ SSO_PROVIDERS_FILE: write('empty.json', '') }, /^SSO_PROVIDERS_FILE is not a JSON list/)
    assertRejected({ SSO_PROVIDERS_FILE: write('bad.json', '[{}]') }, /^SSO_PROVIDERS_FILE, entry 1: id is missing/)
    assertRejected({ SSO_PROVIDERS_FILE: write('a.json', '[]'), SSO_PROVIDERS: '[]' }, /are both set: allowed is one/)
  })
})
