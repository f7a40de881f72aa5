import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { formatConfigurationTable, loadConfig } from './config.ts'
import { ConfigError } from './config-values.ts'
import { getSecretKey } from './secret-key.ts'
import { readWire } from './wire.ts'

test('an empty environment gives the defaults', () => {
  const config = loadConfig({})
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.port, 8000)
  assert.equal(config.dataDir, resolve('data'))
  assert.equal(config.databaseUrl, undefined)
  assert.equal(config.siteUrl, 'http://127.0.0.1:8000')
  assert.deepEqual(config.wire, readWire('specification'))
  assert.equal(config.maxPageSize, 10_000)
  assert.equal(config.bodyLimit, 1_048_576)
  assert.deepEqual(config.corsOrigins, [])
  assert.ok(Object.isFrozen(config))
})

test('an empty variable counts as absent', () => {
  assert.equal(loadConfig({ PORT: '', INSTANCE_NAME: '' }).port, 8000)
})

test('values are parsed', () => {
  const config = loadConfig({
    HOST: '::',
    PORT: '0',
    DATABASE_URL: 'postgres://stock@/stock?host=/run/postgresql',
    CORS_ORIGINS: 'https://a.example, http://localhost:3000/',
    WIRE_FORM: 'inventree',
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: 'correct horse',
  })
  assert.equal(config.port, 0)
  assert.equal(config.siteUrl, 'http://localhost:0')
  assert.deepEqual(config.corsOrigins, ['https://a.example', 'http://localhost:3000'])
  assert.deepEqual(config.wire, readWire('inventree'))
  assert.equal(loadConfig({ SITE_URL: 'https://stock.example.com/' }).siteUrl, 'https://stock.example.com')
  assert.equal(loadConfig({ CORS_ORIGINS: '*' }).corsOrigins, '*')
  assert.deepEqual(loadConfig({}).fetchAllowedHosts, [])
  assert.deepEqual(loadConfig({ FETCH_ALLOWED_HOSTS: 'Rates.Internal, 10.1.2.3,10.0.0.0/8 , fd00::/8' }).fetchAllowedHosts, [
    'rates.internal',
    '10.1.2.3',
    '10.0.0.0/8',
    'fd00::/8',
  ])
})

const invalidVariables: [name: string, value: string][] = [
  ['HOST', 'not a host'],
  ['HOST', '256.0.0.1'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '8000.5'],
  ['PORT', '0x50'],
  ['DATABASE_POOL_SIZE', '0'],
  ['SITE_URL', 'stock.example.com'],
  ['SITE_URL', 'ftp://stock.example.com'],
  ['LOG_LEVEL', 'loud'],
  ['MAX_PAGE_SIZE', '0'],
  ['WIRE_FORM', 'both'],
  ['CORS_ORIGINS', 'https://a.example,b.example'],
  ['CORS_ORIGINS', 'https://a.example/path'],
  ['BODY_LIMIT', '1MB'],
  ['FETCH_ALLOWED_HOSTS', '10.0.0.0/33'],
  ['FETCH_ALLOWED_HOSTS', 'http://intranet.example'],
  ['FETCH_ALLOWED_HOSTS', 'intranet.example:8080'],
  ['FETCH_ALLOWED_HOSTS', '*'],
  ['INSTANCE_NAME', 'a\nb'],
  ['ADMIN_USERNAME', 'a b'],
  ['ADMIN_EMAIL', 'nobody'],
]
for (const [name, value] of invalidVariables) {
  test(`${name}=${JSON.stringify(value)} is rejected in one line`, () => {
    assert.throws(
      () => loadConfig({ [name]: value }),
      (error: Error) => {
        assert.ok(error instanceof ConfigError)
        assert.ok(error.message.startsWith(`${name} is ${JSON.stringify(value)}; allowed: `), error.message)
        assert.ok(!error.message.includes('\n'))
        return true
      },
    )
  })
}

test('a secret is never shown', () => {
  const secrets = [
    { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'hunter2' },
    { SECRET_KEY: 'hunter2' },
    { DATABASE_URL: 'mysql://root:hunter2@localhost/stock' },
    { DATABASE_URL: 'postgres://root:hunter2@[local:host/stock' },
    { DATABASE_URL: 'root:hunter2' },
  ]
  for (const environment of secrets) {
    assert.throws(
      () => loadConfig(environment),
      (error: Error) => error instanceof ConfigError && !/hun|ter2/.test(error.message),
    )
  }
})

test('the first account needs a name and a password', () => {
  assert.throws(() => loadConfig({ ADMIN_USERNAME: 'admin' }), /^ConfigError: ADMIN_USERNAME is set but ADMIN_PASSWORD is not/)
  assert.throws(() => loadConfig({ ADMIN_PASSWORD: 'correct horse' }), /^ConfigError: ADMIN_PASSWORD is set but ADMIN_USERNAME/)
})

test('the secret key is created once, readable by its owner only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-config-'))
  try {
    const config = loadConfig({ DATA_DIR: join(folder, 'data') })
    const key = getSecretKey(config)
    assert.ok(key.length >= 32)
    assert.equal(getSecretKey(config), key)
    assert.equal(statSync(join(config.dataDir, 'secret.key')).mode & 0o777, 0o600)
    writeFileSync(join(config.dataDir, 'secret.key'), 'short')
    assert.throws(() => getSecretKey(config), /does not contain a secret key/)
    assert.equal(getSecretKey(loadConfig({ SECRET_KEY: 'k'.repeat(32) })), 'k'.repeat(32))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the table in the docs has a row for every variable', () => {
  const rows = formatConfigurationTable().split('\n').slice(2)
  assert.ok(rows.length >= 16)
  for (const row of rows) assert.match(row, /^\| `[A-Z][A-Z0-9_]+` \| .+ \| .+ \| .+ \|$/)
  // the value of an absent variable is described in words
  for (const row of rows) assert.doesNotMatch(row, /\bundefined\b/)
})
