import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { FileIndex } from './kit/reading/stored-files.ts'
import { MediaFolder } from './kit/services/files.ts'
import { Database } from './kit/sql/tx.ts'
import { ROOT } from './paths.ts'
import { createTestDatabase } from './testing/database.ts'
import { createFilesFolder } from './testing/files.ts'
import { findFreePort } from './testing/free-port.ts'
import { installBrowser } from './testing/printing.ts'
import { waitUntil } from './testing/until.ts'

// Runs the real service in a process of its own, and kills it without warning between writing a file and inserting its row.

const { dataDir, media } = createFilesFolder()
await installBrowser(dataDir)
const database = await createTestDatabase(4)
const { pool } = database
const port = await findFreePort()
const service = spawn(process.execPath, [join(ROOT, 'src/stockroom.js'), 'serve'], {
  env: {
    ...process.env,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'fatal',
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: 'a password of tests',
  },
  stdio: 'ignore',
})
const serviceClosed = once(service, 'close')
after(async () => {
  service.kill('SIGKILL')
  await serviceClosed
  await database.drop()
})

test('a file whose row was never inserted is recorded in the database, and deleted after a day', async () => {
  const base = `http://127.0.0.1:${port}`
  await waitUntil(
    () =>
      fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'the service does not become ready',
    60_000,
  )
  const folder = join(media, 'company_images')
  const listFiles = () => (existsSync(folder) ? readdirSync(folder) : [])
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table company in exclusive mode')
    const picture = 'R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs='
    const response = fetch(`${base}/api/company/`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('admin:a password of tests')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Acme', currency: 'EUR', image: `data:image/gif;base64,${picture}` }),
    }).catch(() => undefined)
    const blockedQuery = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await waitUntil(async () => (await pool.query(blockedQuery)).rowCount, 'no row waits to be written', 30_000)
    service.kill('SIGKILL')
    await serviceClosed
    assert.equal(await response, undefined)
  } finally {
    await client.query('rollback')
    client.release()
  }
  const [name] = listFiles()
  assert.ok(name, 'the file is written before its row')
  const rows = async (text: string) => (await pool.query(text)).rows
  assert.deepEqual(await rows('select name from company'), [])
  assert.deepEqual(await rows('select path from loose_file'), [{ path: `company_images/${name}` }])

  const index = new FileIndex([], { database: new Database(pool), files: new MediaFolder(media) })
  await index.clear()
  assert.deepEqual(listFiles(), [name])
  await pool.query(`update loose_file set since = since - interval '1 day'`)
  await index.clear()
  assert.deepEqual([listFiles(), await rows('select path from loose_file')], [[], []])
})
