import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { loadConfig } from '../config.ts'
import { holdsData } from '../database/holds-data.ts'
import { installJobTables } from '../database/job-tables.ts'
import { migrate, migrateTo, readAppliedMigrations } from '../database/migrate.ts'
import { openDatabase, withDatabase } from '../database/with-database.ts'
import { getMediaFolder, MediaFolder } from '../kit/services/files.ts'
import { ROOT } from '../paths.ts'
import { getBackupName, listBackups } from '../resources/background-task/backups.ts'
import { MANIFEST, readManifest } from '../resources/web/backup/manifest.ts'
import { childEnvironment } from '../testing/child-environment.ts'
import { cloneDatabase, createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { scaleTimeout } from '../testing/slowness.ts'
import { makeBackup } from './backup.ts'
import { backUpBeforeUpdate } from './before-update.ts'
import { restoreBackup } from './restore.ts'

const CLI = join(ROOT, 'src/stockroom.js')
const log = pino({ level: 'silent' })
const folder = mkdtempSync(join(tmpdir(), 'stockroom-before-update-'))
after(() => rmSync(folder, { recursive: true }))

const all = await createTestDatabase(1)
after(() => all.drop())
const migrations = await readAppliedMigrations(all.pool)
/** Required together; commands that create an account take the password from here. */
const ADMIN = { ADMIN_USERNAME: 'unused', ADMIN_PASSWORD: 'a password of tests' }
/** The number of migrations that the older databases of these tests lack. */
const MISSING = 6

const configure = (name: string, url: string, environment: Record<string, string> = {}) =>
  loadConfig({ DATABASE_URL: url, DATA_DIR: join(folder, name), MIN_FREE_DISK: '0', ...environment })

/** An empty database of an older version, which the tests copy. */
const template = await cloneDatabase('template0', 1)
await migrateTo(template.pool, migrations.slice(0, -MISSING))
await installJobTables(template.pool)
await template.pool.end()

/** A database of an older version with a company that has a picture, unless `fill` inserts something else; dropped after the tests. */
async function createOlder(fill = `insert into company (name, currency, image) values ('Acme', 'EUR', 'company_images/a.png')`) {
  const database = await cloneDatabase(template.name, 4)
  after(() => database.drop())
  if (fill) await database.pool.query(fill)
  return database
}

const countMigrations = async (pool: Pool) => (await readAppliedMigrations(pool)).length
const assertOlder = async (pool: Pool) => assert.equal(await countMigrations(pool), migrations.length - MISSING)

/** Opens a database as `serve` does, and closes it. */
async function open(config: ReturnType<typeof loadConfig>): Promise<void> {
  const database = await openDatabase(config, log, { onOlderDatabase: backUpBeforeUpdate(config) })
  await database.stop()
}

const assertRejects = (work: Promise<unknown>, message: RegExp) =>
  assert.rejects(work, (error: Error) => {
    assert.equal(error.constructor.name, 'OperatorError', error.stack)
    assert.match(error.message, message)
    return true
  })

/** Runs a command of the program to its end. */
async function run(command: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [CLI, ...command], {
    env: { ...childEnvironment, PORT: '0', LOG_LEVEL: 'error', MIN_FREE_DISK: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: scaleTimeout(60_000),
  })
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status, stdout, stderr }
}

describe('the backup before an update', () => {
  it('holds the database as it was, and shares stored files', async () => {
    const { pool, url } = await createOlder()
    const config = configure('whole', url)
    const media = new MediaFolder(getMediaFolder(config))
    await media.write('company_images/a.png', [Buffer.from('a picture')])
    await open(config)
    assert.equal(await countMigrations(pool), migrations.length)
    const [backup, ...others] = await listBackups(join(config.dataDir, 'backups'))
    assert.ok(backup)
    assert.deepEqual([others, backup.isBeforeUpdate], [[], true])
    assert.match(backup.folder, /\/stockroom-[\dT.-]+Z-before-update$/)
    const manifest = await readManifest(backup.folder)
    assert.deepEqual(manifest.migrations, migrations.slice(0, -MISSING))
    assert.deepEqual(
      manifest.files.map(({ path, size }) => [path, size]),
      [['company_images/a.png', 9]],
    )
    assert.equal(
      statSync(join(backup.folder, 'media/company_images/a.png')).ino,
      statSync(media.locate('company_images/a.png')).ino,
    )
    // deleted by the newer version, and restored by the previous one
    await media.remove('company_images/a.png')
    const copy = await cloneDatabase('template0', 2)
    after(() => copy.drop())
    await restoreBackup(copy.pool, { folder: backup.folder, manifest, files: media })
    await assertOlder(copy.pool)
    assert.deepEqual((await copy.pool.query('select name from company')).rows, [{ name: 'Acme' }])
    assert.equal((await media.bytes('company_images/a.png')).toString(), 'a picture')
  })

  it('is not created for a current database, or for one without data', async () => {
    const current = await createTestDatabase(2)
    after(() => current.drop())
    for (const { url, pool } of [current, await createOlder('')]) {
      const config = configure('none', url)
      await open(config)
      assert.equal(await countMigrations(pool), migrations.length)
      assert.deepEqual(await listBackups(join(config.dataDir, 'backups')), [])
    }
  })

  it('is created if the database holds any data, even without an account', async () => {
    const current = await createTestDatabase(2)
    after(() => current.drop())
    assert.equal(await holdsData(current.pool), false)
    await current.pool.query(`insert into project_code (code) values ('P1')`)
    assert.equal(await holdsData(current.pool), true)
  })

  it('can be switched off', async () => {
    const { pool, url } = await createOlder()
    const config = configure('off', url, { BACKUP_BEFORE_UPDATE: 'false' })
    await open(config)
    assert.equal(await countMigrations(pool), migrations.length)
    assert.deepEqual(await listBackups(join(config.dataDir, 'backups')), [])
  })

  it('leaves the database as it is when there is no space for it, or no folder', async () => {
    const { pool, url } = await createOlder()
    const full = configure('full', url, { MIN_FREE_DISK: '900000000000000' })
    await assertRejects(
      open(full),
      /^the database was not updated, because its backup failed: there is too little disk space .+BACKUP_DIR/,
    )
    await assertOlder(pool)
    assert.deepEqual(readdirSync(join(full.dataDir, 'backups')), [])
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    await assertRejects(
      open(configure('no', url, { BACKUP_DIR: join(file, 'x') })),
      /because its backup failed: .*(ENOTDIR|EEXIST)/,
    )
    await assertOlder(pool)
  })

  it('is made once by programs that start at the same time', async () => {
    const { pool, url } = await createOlder()
    const config = configure('together', url)
    await Promise.all([1, 2, 3].map(() => open(config)))
    assert.equal(await countMigrations(pool), migrations.length)
    assert.equal((await listBackups(join(config.dataDir, 'backups'))).length, 1)
  })

  it('waits for another backup of the database', async () => {
    const { pool, url } = await createOlder()
    const config = configure('waiting', url)
    let opened: Promise<void> | undefined
    const onProgress = () => (done: number) => {
      if (done === 1) opened ??= open(config)
    }
    assert.ok(await makeBackup(pool, { parentFolder: join(folder, 'other'), files: undefined, minFreeBytes: 0, onProgress }))
    await opened
    assert.equal((await listBackups(join(config.dataDir, 'backups'))).length, 1)
  })

  it('replaces the backup of the same version, and keeps one for each of the three latest versions and all regular backups', async () => {
    const { url } = await createOlder()
    const config = configure('kept', url)
    const backups = join(config.dataDir, 'backups')
    const create = async (hours: number, applied: number | undefined) => {
      const { pool } = await createOlder()
      if (applied !== undefined) await pool.query('delete from migration where tag > $1', [migrations[applied]?.tag])
      const made = await makeBackup(pool, { parentFolder: backups, files: undefined, minFreeBytes: 0, isBeforeUpdate: true })
      const name = getBackupName(new Date(Date.now() - hours * 3_600_000).toISOString(), true)
      renameSync(made?.folder ?? '', join(backups, name))
      return name
    }
    const [oldest, older, old, same] = [
      await create(50, 5),
      await create(40, 6),
      await create(30, 7),
      await create(20, undefined),
    ]
    const { pool } = await createOlder()
    const regular = await makeBackup(pool, { parentFolder: backups, files: undefined, minFreeBytes: 0 })
    await open(config)
    const names = readdirSync(backups)
    assert.deepEqual(
      [oldest, older, old, same].map((name) => names.includes(name)),
      [false, true, true, false],
    )
    assert.ok(existsSync(regular?.folder ?? ''))
    assert.equal(names.length, 4)
  })
})

describe('an update that fails', () => {
  it('leaves the database and its backup; the command prints one line and exits with 1', async () => {
    const { pool, url } = await createOlder()
    // a table that one of the missing migrations changes
    await pool.query('alter table purchase_order rename to purchase_order_of_somebody')
    const data = join(folder, 'failing')
    const { status, stdout, stderr } = await run(['migrate'], { DATABASE_URL: url, DATA_DIR: data })
    assert.deepEqual([status, stdout], [1, ''], stderr)
    assert.match(
      stderr,
      /^stockroom: the update of the database failed at the migration \d{4}_\w+ \(.+\); the database is unchanged: .+\n$/,
    )
    await assertOlder(pool)
    assert.equal((await listBackups(join(data, 'backups'))).length, 1)
    await pool.query('alter table purchase_order_of_somebody rename to purchase_order')
    assert.equal((await run(['migrate'], { DATABASE_URL: url, DATA_DIR: data })).status, 0)
    assert.equal(await countMigrations(pool), migrations.length)
    assert.equal((await listBackups(join(data, 'backups'))).length, 1)
  })
})

describe('commands on an older database that holds data', () => {
  it('backup does not change it, and the backup can be restored', async () => {
    const { pool, url } = await createOlder()
    const { status, stderr } = await run(['backup', join(folder, 'of-older')], { DATABASE_URL: url, DATA_DIR: join(folder, 'b') })
    assert.deepEqual([status, stderr], [0, ''])
    await assertOlder(pool)
    const [backup] = await listBackups(join(folder, 'of-older'))
    assert.deepEqual((await readManifest(backup?.folder ?? '')).migrations, migrations.slice(0, -MISSING))
    const target = await cloneDatabase('template0', 2)
    after(() => target.drop())
    const restored = await run(['restore', backup?.folder ?? ''], { DATABASE_URL: target.url, DATA_DIR: join(folder, 'c') })
    assert.equal(restored.status, 0, restored.stderr)
    assert.equal(await countMigrations(target.pool), migrations.length)
    assert.equal(existsSync(join(folder, 'c/backups')), false)
  })

  it('is rejected and left unchanged by all commands except serve, migrate and backup', async () => {
    const { pool, url } = await createOlder()
    const file = join(folder, 'dump.json')
    writeFileSync(file, '[]')
    const admin = ['admin', 'create', '--username', 'x']
    const commands = [['verify'], ['prices'], ['import', file], ['demo'], admin]
    const environment = { DATABASE_URL: url, DATA_DIR: join(folder, 'd'), ...ADMIN }
    const results = await Promise.all(commands.map((command) => run(command, environment)))
    for (const [index, { status, stderr }] of results.entries()) {
      assert.equal(status, 1, commands[index]?.join(' '))
      assert.match(stderr, /^stockroom: the database is older than this program: update it first, .+; nothing was changed\n$/)
    }
    await assertOlder(pool)
  })
})

describe('a newer database', () => {
  it('is rejected by every command with one line and exit code 1, and not changed', async () => {
    const database: TestDatabase = await createTestDatabase(2)
    after(() => database.drop())
    const { pool, url } = database
    await pool.query(`insert into migration (tag, hash, applied) values ('9999_later', 'x', now())`)
    const file = join(folder, 'newer.json')
    writeFileSync(file, '[]')
    const environment = { DATABASE_URL: url, DATA_DIR: join(folder, 'newer') }
    const commands = [['serve'], ['migrate'], ['backup'], ['verify'], ['import', file], ['demo']]
    const results = await Promise.all(commands.map((command) => run(command, environment)))
    for (const [index, { status, stdout, stderr }] of results.entries()) {
      assert.deepEqual([status, stdout], [1, ''], `${commands[index]?.join(' ')}: ${stderr}`)
      assert.match(
        stderr,
        /^stockroom: the database is newer than this program \(.+\), which does not have its migration 9999_later; use the newer version, or restore a backup from before its update\n$/,
      )
    }
    assert.equal(await countMigrations(pool), migrations.length + 1)
    assert.deepEqual(await listBackups(join(folder, 'newer/backups')), [])
  })

  it('has backups that are rejected before anything is written', async () => {
    const { pool } = await createOlder()
    const made = await makeBackup(pool, { parentFolder: join(folder, 'newer-backup'), files: undefined, minFreeBytes: 0 })
    const from = made?.folder ?? ''
    const manifest = await readManifest(from)
    const later = { ...manifest, migrations: [...manifest.migrations, { tag: '9999_later', hash: '0'.repeat(64) }] }
    writeFileSync(join(from, MANIFEST), JSON.stringify(later))
    const data = join(folder, 'untouched')
    const { status, stderr } = await run(['restore', from], { DATA_DIR: data })
    assert.equal(status, 1)
    assert.match(
      stderr,
      /^stockroom: the backup is newer than this program \(.+\), which does not have its migration 9999_later; use the newer version\n$/,
    )
    assert.equal(existsSync(data), false)
  })

  it('is recognized by the tables of background work, too', async () => {
    const database = await createTestDatabase(2)
    after(() => database.drop())
    await database.pool.query('update pgboss.version set version = version + 1')
    await assertRejects(
      open(configure('jobs', database.url)),
      /^the database is newer than this program: its tables of background work /,
    )
    assert.deepEqual(await migrate(database.pool), [])
  })
})

describe('restore --replace', () => {
  it('sets the embedded database aside, and puts it back if the restore fails', async () => {
    const data = join(folder, 'embedded')
    const config = loadConfig({ DATA_DIR: data, MIN_FREE_DISK: '0', LOG_LEVEL: 'fatal' })
    const add = (pool: Pool, code: string) => pool.query('insert into project_code (code) values ($1)', [code])
    const list = async (pool: Pool) =>
      (await pool.query('select code from project_code order by code')).rows.map(({ code }) => code)
    const from = await withDatabase(config, async (pool) => {
      await add(pool, 'BEFORE')
      const made = await makeBackup(pool, { parentFolder: join(data, 'backups'), files: undefined, minFreeBytes: 0 })
      await add(pool, 'AFTER')
      return made?.folder ?? ''
    })

    const restored = await run(['restore', '--replace', from], { DATA_DIR: data })
    assert.equal(restored.status, 0, restored.stderr)
    assert.match(restored.stdout, /^The previous database is in .+\/postgres-before-restore-.+: delete that folder/m)
    await withDatabase(config, async (pool) => {
      assert.deepEqual(await list(pool), ['BEFORE'])
      await add(pool, 'LATER')
    })

    const manifest = await readManifest(from)
    const tables = manifest.tables.map((table) => (table.name === 'project_code' ? { ...table, rows: 99 } : table))
    writeFileSync(join(from, MANIFEST), JSON.stringify({ ...manifest, tables }))
    const failed = await run(['restore', '--replace', from], { DATA_DIR: data })
    assert.equal(failed.status, 1)
    assert.match(failed.stderr, /^stockroom: project_code has 1 rows instead of 99\n$/m)
    assert.deepEqual(await withDatabase(config, list), ['BEFORE', 'LATER'])
    assert.equal(readdirSync(data).filter((name) => name.startsWith('postgres-before-restore-')).length, 1)
  })

  it('is rejected for an external database', async () => {
    const { url } = await createOlder()
    const { status, stderr } = await run(['restore', '--replace', folder], { DATABASE_URL: url, DATA_DIR: join(folder, 'e') })
    assert.deepEqual(
      [status, stderr.split(':')[1]],
      [1, ' --replace is only for the embedded database; restore into an empty database, and set DATABASE_URL to it\n'],
    )
  })
})
