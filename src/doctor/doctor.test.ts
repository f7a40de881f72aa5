import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { loadConfig } from '../config.ts'
import { createPool } from '../database/connect.ts'
import { startEmbedded } from '../database/embedded.ts'
import { ROOT } from '../paths.ts'
import { childEnvironment } from '../testing/child-environment.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { findFreePort } from '../testing/free-port.ts'
import { preparePrinting, printingUnsupported } from '../testing/printing.ts'
import { startTestBucket } from '../testing/servers/bucket.ts'
import { startTestMailServer } from '../testing/servers/mail.ts'
import { startTransactionPooler } from '../testing/servers/transaction-pooler.ts'
import { testService } from '../testing/service.ts'
import { scaleTimeout } from '../testing/slowness.ts'
import { browserCheck } from './browser.check.ts'
import type { Check, Finding } from './check.ts'
import { clockCheck } from './clock.check.ts'
import { databaseCheck } from './database.check.ts'
import { openForChecks } from './database-access.ts'
import { diskCheck } from './disk.check.ts'
import { mailCheck } from './mail.check.ts'
import { portCheck } from './port.check.ts'
import { publicUrlCheck } from './public-url.check.ts'
import { storageCheck } from './storage.check.ts'
import { timeZoneCheck } from './time-zone.check.ts'

const service = await testService()
const folder = mkdtempSync(join(tmpdir(), 'stockroom-doctor-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs one check with an environment. */
async function runCheck(check: Check, environment: Record<string, string>): Promise<Finding[]> {
  const config = loadConfig({ DATA_DIR: join(folder, 'data'), ...environment })
  const database = await openForChecks(config)
  try {
    return await check.run({ config, database })
  } finally {
    if (database.state === 'open') await database.client.end()
  }
}

/** Listens on loopback until the end of the file, and returns the port. */
async function listen(respond: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => respond(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Requires a finding of this status with this message, and advice with it unless it is right. */
function assertFinding(findings: readonly Finding[], status: Finding['status'], message: RegExp): void {
  const finding = findings.find((one) => one.status === status && message.test(one.message))
  assert.ok(finding, `${status} ${message} is not among ${JSON.stringify(findings, null, 1)}`)
  if (status === 'error' || status === 'warning') assert.match(finding.advice ?? '', /^[A-Z].*[.;\w]$/)
}

const assertAllRight = (findings: readonly Finding[]): void =>
  assert.deepEqual(
    findings.filter(({ status }) => status !== 'ok'),
    [],
  )

/** Runs the command. */
function runDoctor(environment: Record<string, string>, ...options: string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [join(ROOT, 'src/stockroom.js'), 'doctor', ...options], {
    env: { ...childEnvironment, ...environment },
    encoding: 'utf8',
    timeout: scaleTimeout(90_000),
  })
}

describe('the check of the database', () => {
  let database: TestDatabase
  const withUser = (name: string) => database.url.replace(/\/\/[^@]*@/, `//${name}@`)
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  it('finds nothing wrong with a migrated one, and changes nothing', async () => {
    const read = async () => (await database.pool.query('select relname, relpages from pg_class order by oid')).rows
    const earlier = await read()
    const findings = await runCheck(databaseCheck, { DATABASE_URL: database.url })
    assertAllRight(findings)
    assertFinding(findings, 'ok', /^It is up to date \(\d{4}_\w+\)$/)
    assertFinding(findings, 'ok', /^\d+ of \d+ connections are free$/)
    assert.deepEqual(await read(), earlier)
  })

  it('says why it cannot be reached', async () => {
    const port = await findFreePort()
    assertFinding(await runCheck(databaseCheck, { DATABASE_URL: `postgres://a@127.0.0.1:${port}/b` }), 'error', /ECONNREFUSED/)
    const missing = database.url.replace(/\/[^/?]*\?/, '/no_such_database?')
    assertFinding(await runCheck(databaseCheck, { DATABASE_URL: missing }), 'error', /"no_such_database" does not exist/)
  })

  it('rejects a wrong password, without showing it', async () => {
    const data = join(folder, 'with-password')
    const server = await startEmbedded(data, pino({ level: 'silent' }), { durable: false })
    const pool = createPool(server.url, 1)
    try {
      await pool.query("create role worker login password 'the right password'")
      writeFileSync(join(data, 'postgres/pg_hba.conf'), 'local all stockroom trust\nlocal all all scram-sha-256\n')
      await pool.query('select pg_reload_conf()')
      const DATABASE_URL = server.url.replace('stockroom@', 'worker:the-wrong-password@')
      // new connections follow the new rules a moment later
      await assertEventually(async () => {
        const findings = await runCheck(databaseCheck, { DATABASE_URL })
        assertFinding(findings, 'error', /password authentication failed for user "worker"/)
      })
      const { status, stdout } = runDoctor({
        DATABASE_URL,
        DATA_DIR: join(folder, 'data'),
        SMTP_URL: 'smtp://me:hush-hush@127.0.0.1:1',
      })
      assert.equal(status, 1)
      assert.match(stdout, /Correct the user or the password in DATABASE_URL\./)
      assert.doesNotMatch(stdout, /the-wrong-password|hush-hush/)
    } finally {
      await pool.end()
      await server.stop()
    }
  })

  it('rejects a PostgreSQL before version 15', async () => {
    const old = await createTestDatabase()
    await old.pool.query(`create schema old;
      create function old.current_setting(text) returns text language sql as $$ select case $1
        when 'server_version_num' then '140010' when 'server_version' then '14.10' else pg_catalog.current_setting($1) end $$`)
    await old.pool.query(`alter database ${old.name} set search_path = old, pg_catalog, public`)
    const findings = await runCheck(databaseCheck, { DATABASE_URL: old.url })
    await old.drop()
    assertFinding(findings, 'error', /PostgreSQL 14\.10; Stockroom needs version 15/)
  })

  it('reports migrations that are missing, and those that this program does not have', async () => {
    const { rows } = await database.pool.query('delete from migration where tag = (select max(tag) from migration) returning *')
    assertFinding(await runCheck(databaseCheck, { DATABASE_URL: database.url }), 'warning', /older version: 1 migrations/)
    const insert = 'insert into migration (tag, hash, applied) values ($1, $2, now())'
    await database.pool.query(insert, [rows[0].tag, rows[0].hash])
    await database.pool.query(insert, ['9999_future', 'x'])
    assertFinding(await runCheck(databaseCheck, { DATABASE_URL: database.url }), 'error', /newer than this program/)
    await database.pool.query("delete from migration where tag = '9999_future'")
    assertAllRight(await runCheck(databaseCheck, { DATABASE_URL: database.url }))
  })

  it('rejects an account without the permissions of the service', async () => {
    const name = `doctor_${process.pid}`
    await database.pool.query(`create role ${name} login`)
    try {
      await database.pool.query(`grant select on migration to ${name}`)
      const findings = await runCheck(databaseCheck, { DATABASE_URL: withUser(name) })
      assertFinding(findings, 'error', /may not create tables in it/)
      await database.pool.query(`grant all on database ${database.name} to ${name}`)
      await database.pool.query(`grant all on schema public to ${name}`)
      assertFinding(await runCheck(databaseCheck, { DATABASE_URL: withUser(name) }), 'error', /tables belong to another user/)
    } finally {
      await database.pool.query(`drop owned by ${name}; drop role ${name}`)
    }
  })

  it('requires enough connections, each with a session of its own', async () => {
    // a database that no service has opened
    const unused = await createTestDatabase()
    const many = await runCheck(databaseCheck, { DATABASE_URL: unused.url, DATABASE_POOL_SIZE: '900' })
    await unused.drop()
    assertFinding(many, 'error', /connections are free, and the service needs 903/)
    const pooled = await startTransactionPooler(database.url, { assignment: 'first' })
    assertFinding(await runCheck(databaseCheck, { DATABASE_URL: pooled }), 'error', /pooler without a session/)
  })
})

/** Repeats an assertion until it holds, for some seconds. */
async function assertEventually(assertion: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + scaleTimeout(10_000); ; ) {
    try {
      return await assertion()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

describe('the check of the clock', () => {
  it('compares it with that of the database', async () => {
    const database = await createTestDatabase()
    try {
      assertFinding(await runCheck(clockCheck, { DATABASE_URL: database.url }), 'ok', /the database agrees/)
      await database.pool.query(`create schema late; create function late.clock_timestamp() returns timestamptz language sql
        as $$ select pg_catalog.clock_timestamp() + interval '90 seconds' $$`)
      await database.pool.query(`alter database ${database.name} set search_path = late, pg_catalog, public`)
      assertFinding(await runCheck(clockCheck, { DATABASE_URL: database.url }), 'error', /(89|90)\.\d s ahead of/)
    } finally {
      await database.drop()
    }
  })
})

/** Mounts a small file system in memory; false where this user may not. */
function mountMemory(name: string, options: string): string | false {
  const target = mkdtempSync(join(folder, name))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', target]).status !== 0) return false
  after(() => spawnSync('umount', [target]))
  return target
}

describe('the checks of storage and disk', () => {
  it('accept folders that are there, and those that can be created', async () => {
    assertAllRight(await runCheck(storageCheck, { DATA_DIR: folder }))
    assertAllRight(await runCheck(storageCheck, { DATA_DIR: join(folder, 'a/b') }))
    assertFinding(await runCheck(diskCheck, { MIN_FREE_DISK: '1' }), 'ok', /are free for /)
  })

  it('reject a read-only folder', async (context) => {
    const mounted = mountMemory('read-only', 'ro')
    if (!mounted && process.getuid?.() === 0) return context.skip('root may write to every folder here')
    const target = mounted || mkdtempSync(join(folder, 'read-only'))
    if (!mounted) chmodSync(target, 0o500)
    assertFinding(
      await runCheck(storageCheck, { DATA_DIR: target }),
      'error',
      /cannot be written: (its file system is read-only|permission denied)/,
    )
    assertFinding(await runCheck(storageCheck, { DATA_DIR: join(target, 'data') }), 'error', /cannot be created/)
  })

  it('reject a file in place of a folder, and a secret key that others read or that is none', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    assertFinding(await runCheck(storageCheck, { DATA_DIR: join(file, 'data') }), 'error', /is a file/)
    const data = mkdtempSync(join(folder, 'keys'))
    writeFileSync(join(data, 'secret.key'), 'k'.repeat(40), { mode: 0o644 })
    assertFinding(await runCheck(storageCheck, { DATA_DIR: data }), 'warning', /Other users/)
    writeFileSync(join(data, 'secret.key'), 'short')
    assertFinding(await runCheck(storageCheck, { DATA_DIR: data }), 'error', /contains no secret key/)
  })

  it('reject a full disk', async () => {
    assertFinding(await runCheck(diskCheck, { MIN_FREE_DISK: '999000000000000' }), 'error', /less than the required 999000\.0 GB/)
    const target = mountMemory('full', 'size=1m')
    if (target)
      assertFinding(await runCheck(diskCheck, { DATA_DIR: target }), 'error', /^1 MB are free .* less than the required 209 MB/)
  })

  it('accept a bucket without changing it, and reject one that is missing or cannot be reached', async () => {
    const bucket = await startTestBucket()
    assertFinding(await runCheck(storageCheck, bucket.environment), 'ok', /^The bucket stored-files is writable$/)
    assert.deepEqual(bucket.listKeys(), [])
    const missing = { ...bucket.environment, S3_BUCKET: 'another' }
    assertFinding(await runCheck(storageCheck, missing), 'error', /bucket another cannot be used \(NoSuchBucket\)/)
    await bucket.stop()
    assertFinding(await runCheck(storageCheck, bucket.environment), 'error', /bucket stored-files cannot be used/)
  })
})

describe('the check of mail', () => {
  it('connects to the mail server and sends nothing', async () => {
    const mail = await startTestMailServer()
    assertAllRight(await runCheck(mailCheck, { SMTP_URL: mail.url }))
    assert.deepEqual(mail.emails, [])
    assertFinding(await runCheck(mailCheck, {}), 'skipped', /SMTP_URL is not set/)
  })

  it('reports a server that rejects the password or the connection, or is not there', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      onAuth: (_auth, _session, done) => done(new Error('no such account')),
    })
    const listener = server.listen(0, '127.0.0.1')
    after(() => new Promise<void>((resolve) => server.close(resolve)))
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const findings = await runCheck(mailCheck, { SMTP_URL: `smtp://me:wrong@127.0.0.1:${port}` })
    assertFinding(findings, 'error', /rejects the connection: .*535/)
    assert.match(findings[0]?.advice ?? '', /user and the password/)

    const SMTP_URL = `smtp://127.0.0.1:${await listen((socket) => socket.end('554 no service here\r\n'))}`
    assertFinding(await runCheck(mailCheck, { SMTP_URL }), 'error', /554/)
    assertFinding(await runCheck(mailCheck, { SMTP_URL: `smtp://127.0.0.1:${await findFreePort()}` }), 'error', /ECONNREFUSED/)
  })
})

describe('the check of printing', () => {
  it('prints a PDF', { skip: printingUnsupported }, async () => {
    assertFinding(await runCheck(browserCheck, await preparePrinting()), 'ok', /prints a PDF/)
  })

  it('reports a browser that is missing or does not start', async () => {
    assertFinding(await runCheck(browserCheck, { CHROME_PATH: join(folder, 'no-browser') }), 'error', /ENOENT/)
    assertFinding(await runCheck(browserCheck, { CHROME_PATH: '/bin/false' }), 'error', /does not run here/)
  })
})

describe('the checks of port and public URL', () => {
  const { port } = service.app.server.address() as AddressInfo
  const PORT = String(port)

  it('recognize the running service, and a free port', async () => {
    assertFinding(await runCheck(portCheck, { PORT }), 'ok', /^Stockroom listens on/)
    assertFinding(await runCheck(portCheck, { PORT: String(await findFreePort()) }), 'ok', /is free for it/)
    assertFinding(await runCheck(portCheck, { HOST: '203.0.113.7' }), 'error', /not an address of this machine/)
  })

  it('reject a port that another program uses', async () => {
    const used = await listen((socket) => socket.end())
    assertFinding(await runCheck(portCheck, { PORT: String(used) }), 'error', /in use by another program/)
  })

  it('compare the public URL with the service', async () => {
    assertFinding(await runCheck(publicUrlCheck, { PORT }), 'ok', /^The service is for this machine only: http:\/\/127/)
    assertFinding(await runCheck(publicUrlCheck, { PORT, HOST: '0.0.0.0' }), 'warning', /lead to http:\/\/localhost/)
    const unknown = await runCheck(publicUrlCheck, { PORT, SITE_URL: 'http://stockroom.invalid' })
    assertFinding(unknown, 'error', /cannot be opened from this machine/)
    assertFinding(unknown, 'warning', /not encrypted/)
  })
})

describe('the check of the time zone', () => {
  it('accepts that of this machine', async () => {
    assertAllRight(await runCheck(timeZoneCheck, {}))
  })
})

describe('stockroom doctor', () => {
  it('exits with 0 where all is right, as JSON too, and leaves an empty folder empty', {
    skip: printingUnsupported,
  }, async () => {
    const { DATA_DIR } = await preparePrinting()
    const earlier = readdirSync(DATA_DIR)
    const { status, stdout, stderr } = runDoctor({ DATA_DIR, PORT: '0' }, '--json')
    assert.equal(stderr, '')
    const { ok, checks } = JSON.parse(stdout)
    assert.deepEqual([status, ok], [0, true])
    assert.deepEqual(
      checks.map(({ name }: { name: string }) => name),
      ['versions', 'database', 'background', 'storage', 'disk', 'mail', 'browser', 'clock', 'time_zone', 'port', 'public_url'],
    )
    assert.deepEqual(readdirSync(DATA_DIR), earlier)
  })

  it('exits with 1 and names the setting that is not allowed, or a time zone that does not exist', () => {
    const invalid = runDoctor({ PORT: 'eighty' }, '--json')
    assert.equal(invalid.status, 1)
    assert.match(JSON.parse(invalid.stdout).checks[0].findings[0].message, /^PORT is "eighty"/)
    const zone = runDoctor({ DATA_DIR: join(folder, 'data'), TZ: 'Mars/Olympus', PORT: '0', CHROME_PATH: '/bin/false' })
    assert.equal(zone.status, 1)
    assert.match(zone.stdout, /ERROR {3}TZ is "Mars\/Olympus", which is no time zone/)
  })
})
