import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { type App, buildApp } from '../app.ts'
import { installJobTables } from '../database/job-tables.ts'
import { migrate, migrateTo, readAppliedMigrations } from '../database/migrate.ts'
import { MediaFolder } from '../kit/services/files.ts'
import { openFiles } from '../kit/services/open-files.ts'
import { Database } from '../kit/sql/tx.ts'
import { ROOT } from '../paths.ts'
import { listBackups } from '../resources/background-task/backups.ts'
import { isConsistent, verifyStock } from '../resources/stock/verification/verify-stock.ts'
import { checkBackup, getTablePath, MANIFEST, readManifest } from '../resources/web/backup/manifest.ts'
import { cloneDatabase } from '../testing/database.ts'
import { readContent } from '../testing/database-content.ts'
import { startDemoWorkshop } from '../testing/objects/demo-workshop.ts'
import { type BackupOptions, makeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'

const CLI = join(ROOT, 'src/stockroom.js')

const workshop = await startDemoWorkshop(false)
const { config, pool } = workshop
const files = openFiles(config, pino({ level: 'silent' }))
const folder = await mkdtemp(join(tmpdir(), 'stockroom-backup-'))
after(() => rm(folder, { recursive: true }))

const createOptions = (name: string): Partial<BackupOptions> & { parentFolder: string } => ({ parentFolder: join(folder, name) })
const backUp = (options: Partial<BackupOptions> & { parentFolder: string }) =>
  makeBackup(pool, { files, minFreeBytes: 0, ...options })

/** Adds pending background work: a queue, and a job in it. */
async function addPendingJob(database: Pool): Promise<void> {
  const db = { executeSql: (text: string, values?: unknown[]) => database.query(text, values) }
  const boss = new PgBoss({ db, schedule: false, supervise: false })
  await boss.start()
  await boss.createQueue('waiting')
  await boss.send('waiting', { part: 1 })
  await boss.stop({ graceful: false })
}
await addPendingJob(pool)

/** Creates an empty database, which is dropped after the tests of this file. */
async function createEmptyDatabase(): Promise<Pool> {
  const database = await cloneDatabase('template0', 4)
  after(() => database.drop())
  return database.pool
}

async function restoreCopy(backupFolder: string, name: string): Promise<{ pool: Pool; media: string }> {
  const database = await createEmptyDatabase()
  const media = join(folder, name)
  const manifest = await readManifest(backupFolder)
  await checkBackup(backupFolder, manifest)
  assert.deepEqual(await restoreBackup(database, { folder: backupFolder, manifest, files: new MediaFolder(media) }), {
    withoutJobs: false,
  })
  return { pool: database, media }
}

/** Returns a function that sends requests to a service with the demo account. */
const createDemoClient = (app: App) => async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const authorization = `Basic ${Buffer.from('demo:stockroom').toString('base64')}`
  const response = await app.inject({ method, url, headers: { authorization }, payload })
  return { status: response.statusCode, body: response.json() }
}

const assertRejects = (promise: Promise<unknown>, message: RegExp) =>
  assert.rejects(promise, (error: Error) => {
    assert.equal(error.constructor.name, 'OperatorError', error.stack)
    assert.match(error.message, message)
    return true
  })

describe('a backup', () => {
  it('restores into an empty database with the same rows, sequences, constraints, jobs and files', async () => {
    const before = await readContent(pool)
    assert.ok(before.jobs.length > 0 && before.queues.length > 0)
    const backup = await backUp(createOptions('whole'))
    assert.ok(backup)
    const { manifest } = backup
    assert.ok(manifest.tables.length > 100 && manifest.files.length > 5, JSON.stringify(manifest.files))
    const copy = await restoreCopy(backup.folder, 'whole-media')
    assert.deepEqual(await readContent(copy.pool), before)
    for (const { path } of manifest.files) assert.deepEqual(readFileSync(join(copy.media, path)), await files.bytes(path))
    assert.deepEqual(await migrate(copy.pool), [])
  })

  it('made by the service itself counts as successful once it is restored', async () => {
    // the run that makes the backup, as in its snapshot
    await pool.query('insert into backup_run (is_automatic) values (true)')
    const backup = await backUp(createOptions('scheduled'))
    await pool.query('delete from backup_run')
    assert.ok(backup)
    const copy = await restoreCopy(backup.folder, 'scheduled-media')
    const { rows } = await copy.pool.query('select finished = $1 as has_its_time, failure from backup_run', [
      backup.manifest.made,
    ])
    assert.deepEqual(rows, [{ has_its_time: true, failure: null }])
  })

  it('is readable by its owner only', async () => {
    const [created] = await listBackups(join(folder, 'whole'))
    assert.ok(created)
    for (const path of [
      '',
      'tables',
      MANIFEST,
      ...readdirSync(join(created.folder, 'tables')).map((name) => join('tables', name)),
    ])
      assert.equal(statSync(join(created.folder, path)).mode & 0o077, 0, path)
  })

  it('is one snapshot even while stock moves: all quantities are consistent after a restore', async () => {
    const demo = createDemoClient(workshop.app)
    const { body } = await demo('GET', '/api/stock/?in_stock=true&limit=20')
    let isOver = false
    let moveCount = 0
    const moveRepeatedly = async (items: { pk: number }[]) => {
      for (let index = 0; !isOver; index++) {
        const { pk } = items[index % items.length] as { pk: number }
        const response = await demo('POST', index % 2 ? '/api/stock/remove/' : '/api/stock/add/', {
          items: [{ pk, quantity: 1 }],
        })
        if (response.status === 201) moveCount++
      }
    }
    const movers = [0, 1, 2, 3].map((lane) =>
      moveRepeatedly(body.results.filter((_: unknown, index: number) => index % 4 === lane)),
    )
    await backUp(createOptions('moving'))
    const second = await backUp(createOptions('moving'))
    isOver = true
    await Promise.all(movers)
    assert.ok(moveCount > 10, `${moveCount} were moved`)
    const copy = await restoreCopy(second?.folder ?? '', 'moving-media')
    const findings = await new Database(copy.pool).snapshot((read) => verifyStock(read, { isThrottled: false }))
    assert.ok(isConsistent(findings), JSON.stringify(findings.filter(({ count }) => count > 0)))
  })

  it('shares files with the previous one, and works without it', async () => {
    const [first, second] = [await backUp(createOptions('sharing')), await backUp(createOptions('sharing'))]
    const path = first?.manifest.files[0]?.path ?? assert.fail()
    const inodes = [first, second].map((backup) => statSync(join(backup?.folder ?? '', 'media', path)).ino)
    assert.equal(inodes[0], inodes[1])
    assert.deepEqual(second?.manifest.files, first?.manifest.files)
    await rm(first?.folder ?? '', { recursive: true })
    await checkBackup(second?.folder ?? '', second?.manifest ?? assert.fail())
  })

  it('lists missing files', async () => {
    const [first] = (await backUp(createOptions('missing')))?.manifest.files ?? []
    const { path } = first ?? assert.fail()
    const bytes = await files.bytes(path)
    await files.remove(path)
    try {
      assert.deepEqual((await backUp(createOptions('missing')))?.manifest.missing, [path])
    } finally {
      await files.write(path, [bytes])
    }
  })

  it('leaves nothing when aborted, and removes the remains of a killed backup', async () => {
    const controller = new AbortController()
    const onProgress = () => (done: number) => void (done === 40 && controller.abort(new Error('enough')))
    await assert.rejects(backUp({ ...createOptions('broken'), signal: controller.signal, onProgress }), /enough/)
    assert.deepEqual(readdirSync(join(folder, 'broken')), [])
    const tablesFolder = join(folder, 'broken', '.unfinished', 'tables')
    await mkdir(tablesFolder, { recursive: true })
    writeFileSync(join(tablesFolder, 'public.part.copy.gz'), 'half')
    const backup = await backUp(createOptions('broken'))
    assert.deepEqual(
      readdirSync(join(folder, 'broken')).map((name) => join(folder, 'broken', name)),
      [backup?.folder],
    )
  })

  it('does not run twice at the same time', async () => {
    let second: unknown = 'not tried'
    const onProgress = () => (done: number) => {
      if (done === 1 && second === 'not tried') second = backUp(createOptions('other'))
    }
    assert.ok(await backUp({ ...createOptions('once'), onProgress }))
    assert.equal(await second, undefined)
    assert.equal(existsSync(join(folder, 'other')), false)
  })

  it('is rejected when it would fill the disk', async () => {
    await assertRejects(backUp({ ...createOptions('full'), minFreeBytes: Number.MAX_SAFE_INTEGER }), /too little disk space/)
    assert.deepEqual(readdirSync(join(folder, 'full')), [])
  })
})

describe('restoring a backup', () => {
  /** Makes a backup for one test, which may damage it. */
  const makeOwnBackup = async (name: string) => (await backUp(createOptions(name))) ?? assert.fail()
  const check = async (backupFolder: string) => checkBackup(backupFolder, await readManifest(backupFolder))

  it('rejects a damaged backup with the name of the file, and a folder without a backup', async () => {
    const { folder: backupFolder, manifest } = await makeOwnBackup('damaged')
    const filePath = join(backupFolder, getTablePath({ schema: 'public', name: 'stock_item' }))
    const bytes = readFileSync(filePath)
    const other = Buffer.from(bytes)
    other[100] = (other[100] as number) ^ 1
    writeFileSync(filePath, other)
    await assertRejects(check(backupFolder), /stock_item\.copy\.gz was changed/)
    writeFileSync(filePath, bytes.subarray(0, -1))
    await assertRejects(check(backupFolder), /stock_item\.copy\.gz was changed/)
    await rm(filePath)
    await assertRejects(check(backupFolder), /stock_item\.copy\.gz is missing/)
    const text = readFileSync(join(backupFolder, MANIFEST), 'utf8')
    for (const [changed, message] of [
      [text.slice(0, -20), /an unsupported format/],
      [text.replace('"format": 1', '"format": 2'), /an unsupported format/],
      [JSON.stringify({ ...manifest, files: [{ ...manifest.files[0], path: '../../secret.key' }] }), /not a valid path/],
      [JSON.stringify({ ...manifest, tables: [{ ...manifest.tables[0], name: '../part' }] }), /an unsupported format/],
    ] as const) {
      writeFileSync(join(backupFolder, MANIFEST), changed)
      await assertRejects(readManifest(backupFolder), message)
    }
    await assertRejects(readManifest(folder), /contains no backup/)
  })

  it('rejects a database that is in use, and one in another state, and changes nothing there', async () => {
    const [backup] = await listBackups(join(folder, 'whole'))
    const backupFolder = backup?.folder ?? ''
    const manifest = await readManifest(backupFolder)
    const before = await readContent(pool)
    const options = { folder: backupFolder, manifest, files: new MediaFolder(join(folder, 'unused')) }
    await assertRejects(restoreBackup(pool, options), /nothing was restored/)
    assert.deepEqual(await readContent(pool), before)
    const other = await createEmptyDatabase()
    await other.query('create table of_somebody (n int)')
    await assertRejects(restoreBackup(other, options), /nothing was restored/)
    assert.equal(existsSync(join(folder, 'unused')), false)
  })

  it('rejects a backup of a newer program', async () => {
    const [backup] = await listBackups(join(folder, 'whole'))
    const backupFolder = backup?.folder ?? ''
    const manifest = await readManifest(backupFolder)
    const migrations = [...manifest.migrations, { tag: '9999_later', hash: '0'.repeat(64) }]
    const options = {
      folder: backupFolder,
      manifest: { ...manifest, migrations },
      files: new MediaFolder(join(folder, 'unused-too')),
    }
    await assertRejects(
      restoreBackup(await createEmptyDatabase(), options),
      /^the backup is newer than this program \(.+\), which does not have its migration 9999_later; use the newer version$/,
    )
  })

  it('accepts a backup of an older program, which can then be migrated', async () => {
    const oldDatabase = await createEmptyDatabase()
    const oldMigrations = (await readAppliedMigrations(pool)).slice(0, -8)
    await migrateTo(oldDatabase, oldMigrations)
    await installJobTables(oldDatabase)
    await oldDatabase.query(`insert into company (name, currency) values ('Kept', 'EUR')`)
    const options = { parentFolder: join(folder, 'older'), files: new MediaFolder(join(folder, 'older-media')), minFreeBytes: 0 }
    const { folder: backupFolder, manifest } = (await makeBackup(oldDatabase, options)) ?? assert.fail()
    const newDatabase = await createEmptyDatabase()
    await restoreBackup(newDatabase, { folder: backupFolder, manifest, files: options.files })
    assert.deepEqual((await readContent(newDatabase)).rows, (await readContent(oldDatabase)).rows)
    assert.equal((await migrate(newDatabase)).length, 8)
    assert.deepEqual((await newDatabase.query('select name from company')).rows, [{ name: 'Kept' }])
  })

  it('can be retried after a failure', async () => {
    const { folder: backupFolder, manifest } = await makeOwnBackup('again')
    const database = await createEmptyDatabase()
    const options = { folder: backupFolder, manifest, files: new MediaFolder(join(folder, 'again-media')) }
    // killed while the tables are created
    await migrateTo(database, manifest.migrations.slice(0, 12))
    const wrong = manifest.tables.map((table) => (table.name === 'user_account' ? { ...table, rows: table.rows + 1 } : table))
    await assertRejects(restoreBackup(database, { ...options, manifest: { ...manifest, tables: wrong } }), /rows instead of/)
    await restoreBackup(database, options)
    assert.deepEqual((await readContent(database)).rows, (await readContent(pool)).rows)
  })

  it('can be retried when it was killed before its first migration', async () => {
    const { folder: backupFolder, manifest } = await makeOwnBackup('early')
    const database = await createEmptyDatabase()
    await migrateTo(database, [])
    await restoreBackup(database, { folder: backupFolder, manifest, files: new MediaFolder(join(folder, 'early-media')) })
    assert.deepEqual((await readContent(database)).rows, (await readContent(pool)).rows)
  })

  it('reports any failure in one line, and can be retried', async () => {
    const { folder: backupFolder, manifest } = await makeOwnBackup('broken')
    const database = await createEmptyDatabase()
    const options = { folder: backupFolder, manifest, files: new MediaFolder(join(folder, 'broken-media')) }
    const table = manifest.tables.find(({ name }) => name === 'stock_item') ?? assert.fail()
    const filePath = join(backupFolder, getTablePath(table))
    const original = readFileSync(filePath)
    // after the check
    await checkBackup(backupFolder, manifest)
    writeFileSync(filePath, original.subarray(0, -20))
    await assertRejects(restoreBackup(database, options), /^restoring failed at .*stock_item.copy.gz: .+; .* you can try again$/)
    writeFileSync(filePath, original)
    // the database ends the connection during the restore
    let pendingQuery: Promise<unknown> | undefined
    const onProgress = (phase: string) => () => {
      if (phase === 'tables')
        pendingQuery ??= database.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
    }
    await assertRejects(restoreBackup(database, { ...options, onProgress }), /^restoring failed at .+: .+ you can try again$/)
    await pendingQuery
    await restoreBackup(database, options)
    assert.deepEqual((await readContent(database)).rows, (await readContent(pool)).rows)
  })

  it('prints that line at the command line when it fails, and exits with 1', async () => {
    const { folder: backupFolder, manifest } = await makeOwnBackup('broken-too')
    const table = manifest.tables.find(({ name }) => name === 'stock_item') ?? assert.fail()
    const filePath = join(backupFolder, getTablePath(table))
    const part = readFileSync(filePath).subarray(0, -20)
    writeFileSync(filePath, part)
    // the file was already incomplete when it was written
    const digest = createHash('sha256').update(part).digest('hex')
    const tables = manifest.tables.map((entry) => (entry === table ? { ...entry, size: part.length, digest } : entry))
    writeFileSync(join(backupFolder, MANIFEST), JSON.stringify({ ...manifest, tables }))
    const database = await cloneDatabase('template0')
    after(() => database.drop())
    const env = { ...process.env, DATABASE_URL: database.url, DATA_DIR: join(folder, 'broken-data'), LOG_LEVEL: 'fatal' }
    const { status, stderr } = spawnSync(process.execPath, [CLI, 'restore', backupFolder], { env, encoding: 'utf8' })
    const errorLines = stderr.split('\n').filter((line) => line.startsWith('stockroom: restoring failed at '))
    assert.deepEqual([status, errorLines.length], [1, 1], stderr)
    assert.doesNotMatch(stderr, /^ +at /m)
  })

  it('results in a service that users can sign in to as before', async () => {
    const [backup] = await listBackups(join(folder, 'whole'))
    const backupFolder = backup?.folder ?? ''
    const database = await cloneDatabase('template0')
    await restoreBackup(database.pool, {
      folder: backupFolder,
      manifest: await readManifest(backupFolder),
      files: new MediaFolder(join(folder, 'service')),
    })
    const app = await buildApp({
      config,
      pool: database.pool,
      databaseUrl: database.url,
      log: pino({ level: 'silent' }),
      runsBackgroundWork: false,
    })
    after(async () => {
      await app.close()
      await database.drop()
    })
    const demo = createDemoClient(app)
    const created = await demo('POST', '/api/part/category/', { name: 'After the restore' })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    assert.equal((await demo('GET', '/api/stock/?limit=1')).status, 200)
  })
})
