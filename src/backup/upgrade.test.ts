import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { extract } from 'tar'
import { type App, buildApp } from '../app.ts'
import { type Config, loadConfig } from '../config.ts'
import { readAppliedMigrations } from '../database/migrate.ts'
import { openDatabase } from '../database/with-database.ts'
import { type Files, MediaFolder } from '../kit/services/files.ts'
import { openFiles } from '../kit/services/open-files.ts'
import { Database } from '../kit/sql/tx.ts'
import { MIGRATIONS, ROOT } from '../paths.ts'
import { getBackupFolder, listBackups } from '../resources/background-task/backups.ts'
import { decodeCodes } from '../resources/barcode/assign-codes.ts'
import { recomputeNumbers } from '../resources/parameter/recompute-numbers.ts'
import { isConsistent, verifyStock } from '../resources/stock/verification/verify-stock.ts'
import { ensureFirstAccount } from '../resources/user/first-account.ts'
import { checkBackup, type Manifest, readManifest } from '../resources/web/backup/manifest.ts'
import { cloneDatabase, createTestDatabase } from '../testing/database.ts'
import { readContent } from '../testing/database-content.ts'
import { startTestBucket } from '../testing/servers/bucket.ts'
import { makeBackup } from './backup.ts'
import { backUpBeforeUpdate } from './before-update.ts'
import { restoreBackup } from './restore.ts'

// Opens databases of previous versions (`upgrades/README.md`) with this version, as `serve` does.

const DUMPS = join(ROOT, 'upgrades')
const PASSWORD = 'a password of tests'
const log = pino({ level: 'silent' })
const folder = mkdtempSync(join(tmpdir(), 'stockroom-upgrade-'))
after(() => rmSync(folder, { recursive: true }))

const names = readdirSync(DUMPS).filter((name) => name.endsWith('.tar.gz'))
const current = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => basename(name, '.sql'))

/** An empty database, dropped after the tests of this file. */
async function createEmpty() {
  const database = await cloneDatabase('template0', 4)
  after(() => database.drop())
  return database
}

type Storage = 'folder' | 'bucket'

/** Creates the database and the files of a previous version from its dump. */
async function load(name: string, storage: Storage): Promise<{ config: Config; pool: Pool; manifest: Manifest; files: Files }> {
  const dump = join(folder, `${name}-${storage}`)
  mkdirSync(dump)
  await extract({ file: join(DUMPS, name), cwd: dump })
  const manifest = await readManifest(dump)
  await checkBackup(dump, manifest)
  const { pool, url } = await createEmpty()
  const config = loadConfig({
    DATABASE_URL: url,
    DATA_DIR: join(folder, `${name}-${storage}-data`),
    SECRET_KEY: 'a test secret of thirty-two bytes or more',
    MIN_FREE_DISK: '0',
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: PASSWORD,
    ...(storage === 'bucket' ? (await startTestBucket()).environment : {}),
  })
  const files = openFiles(config, log)
  await restoreBackup(pool, { folder: dump, manifest, files })
  // a restore adds the tables of background work, which the first versions did not have
  if (manifest.jobs === 0) await pool.query('drop schema pgboss cascade')
  return { config, pool, manifest, files }
}

/** Reads all files of a backup from a storage. */
const readFiles = (files: Files, { files: listed }: Manifest) =>
  Promise.all(listed.map(async ({ path }) => [path, String(await buffer(files.read(path)))]))

async function assertConsistent(pool: Pool): Promise<void> {
  const findings = await new Database(pool).snapshot((read) => verifyStock(read, { isThrottled: false }))
  assert.ok(isConsistent(findings), JSON.stringify(findings.filter(({ count }) => count > 0)))
}

/** Signs in with a password, and returns a function that sends requests with the token. */
async function signIn(app: App, username: string, password: string) {
  const login = await app.inject({ method: 'POST', url: '/api/auth/login/', payload: { username, password } })
  assert.equal(login.statusCode, 200, login.body)
  const headers = { authorization: `Token ${login.json().key}` }
  return async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const response = await app.inject({ method, url, headers, payload })
    assert.ok(response.statusCode < 300, `${method} ${url}: ${response.statusCode} ${response.body}`)
    return response.body && response.json()
  }
}
type Send = Awaited<ReturnType<typeof signIn>>

/** Orders a part, receives it and counts it. */
async function orderAndCount(send: Send): Promise<void> {
  const [{ pk: supplierPart, supplier }] = (await send('GET', '/api/company/part/?limit=1')).results
  const [{ pk: location }] = (await send('GET', '/api/stock/location/?structural=false&limit=1')).results
  const { pk: order } = await send('POST', '/api/order/po/', { reference: 'PO-9001', supplier })
  const { pk: line } = await send('POST', '/api/order/po-line/', { order, part: supplierPart, quantity: 3 })
  await send('POST', `/api/order/po/${order}/issue/`)
  await send('POST', `/api/order/po/${order}/receive/`, { items: [{ line_item: line, quantity: 3 }], location })
  const [item] = (await send('GET', `/api/stock/?purchase_order=${order}`)).results
  await send('POST', '/api/stock/count/', { items: [{ pk: item.pk, quantity: '2' }] })
  assert.equal(Number((await send('GET', `/api/stock/${item.pk}/`)).quantity), 2)
}

/** Lists that are read in each database; in the oldest, all are. */
const MAIN_LISTS = [
  '/api/part/',
  '/api/part/parameter/',
  '/api/bom/',
  '/api/stock/',
  '/api/stock/track/',
  '/api/stock/location/',
  '/api/company/',
  '/api/company/part/',
  '/api/order/po/',
  '/api/order/so/',
  '/api/order/ro/',
  '/api/build/',
  '/api/part/attachment/',
  '/api/user/',
]

const listPaths = (app: App): string[] =>
  app.routes.operations
    .filter(({ method, path, kind }) => method === 'GET' && kind === 'list' && !path.includes('{'))
    .map(({ path }) => path)

const countRows = ({ tables }: Manifest) => tables.filter(({ rows }) => rows > 0).map(({ name, rows }) => [name, rows])

describe('a database of a previous version', () => {
  it('has a dump for several versions, from the first to the current one', () => {
    assert.ok(names.length >= 8, names.join())
    const versions = names.map((name) => basename(name, '.tar.gz'))
    assert.ok(versions.every((tag) => current.includes(tag)))
    const missing = current.length - 1 - current.indexOf(versions.at(-1) as string)
    assert.ok(missing <= 25, `the newest dump lacks ${missing} migrations: make another (upgrades/README.md)`)
  })

  const cases = [...names.map((name) => [name, 'folder'] as const), [names.at(-1) as string, 'bucket'] as const]
  for (const [name, storage] of cases)
    it(`${basename(name, '.tar.gz')}, files in a ${storage}: is backed up, updated, consistent and usable, and its backup can be restored`, async () => {
      const { config, pool, manifest, files } = await load(name, storage)
      assert.deepEqual(await readAppliedMigrations(pool), manifest.migrations)

      const database = await openDatabase(config, log, { onOlderDatabase: backUpBeforeUpdate(config) })
      after(() => database.stop())
      assert.deepEqual(
        (await readAppliedMigrations(pool)).map(({ tag }) => tag),
        current,
      )
      const backups = await listBackups(getBackupFolder(config))
      if (manifest.migrations.length === current.length) assert.deepEqual(backups, [])
      else {
        assert.deepEqual([backups.length, backups[0]?.isBeforeUpdate], [1, true])
        const saved = await readManifest(backups[0]?.folder ?? '')
        // a backup before an update leaves the files of a bucket there
        const savedFiles = storage === 'folder' ? manifest.files : []
        assert.deepEqual([saved.migrations, saved.files, saved.missing], [manifest.migrations, savedFiles, []])
        assert.deepEqual(countRows(saved), countRows(manifest))
      }

      await decodeCodes(pool)
      await recomputeNumbers(pool)
      const hasDemo = (await pool.query(`select from user_account where username = 'demo'`)).rowCount === 1
      await ensureFirstAccount(pool, config)
      const app = await buildApp({ config, pool, databaseUrl: database.url, log, runsBackgroundWork: false })
      await app.ready()
      after(() => app.close())
      const send = hasDemo ? await signIn(app, 'demo', 'stockroom') : await signIn(app, 'admin', PASSWORD)
      for (const path of name === names[0] ? listPaths(app) : MAIN_LISTS) await send('GET', `${path}?limit=50`)
      await orderAndCount(send)
      await assertConsistent(pool)

      const options = { parentFolder: join(folder, `${name}-${storage}-backups`), files }
      const backup = (await makeBackup(pool, { ...options, minFreeBytes: 0 })) ?? assert.fail()
      // migrated already, which takes less time than an empty one
      const copy = await createTestDatabase(2)
      after(() => copy.drop())
      const restoredFiles = new MediaFolder(join(folder, `${name}-${storage}-restored`))
      await restoreBackup(copy.pool, { ...backup, files: restoredFiles })
      assert.deepEqual(await readContent(copy.pool), await readContent(pool))
      assert.deepEqual(await readFiles(restoredFiles, manifest), await readFiles(files, manifest))
    })
})
