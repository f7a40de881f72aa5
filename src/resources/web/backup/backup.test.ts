import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import type { Pool } from 'pg'
import { extract } from 'tar'
import { createTestDatabase } from '../../../testing/database.ts'
import { startNodeProcess } from '../../../testing/node-process.ts'
import { createAddressHeaders, getSessionCookie, signIn } from '../../../testing/second-factor.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'
import { waitUntil } from '../../../testing/until.ts'
import { checkBackup, readManifest } from './manifest.ts'

const BACKUPS = '/api/web/backup/'
const folder = mkdtempSync(join(tmpdir(), 'stockroom-web-backups-'))
after(() => rmSync(folder, { recursive: true, maxRetries: 20 }))
const backupFolder = join(folder, 'backups')
const service = await testService({ BACKUP_DIR: backupFolder, DATA_DIR: folder, MIN_FREE_DISK: '0' })
const { superuser } = service
const readState = async () => (await superuser.get(BACKUPS)).body
const listFolders = () => (existsSync(backupFolder) ? readdirSync(backupFolder) : [])
const listEvents = async (kind: string) =>
  (await service.rows('select details from security_event where kind = $1 order by pk', [kind])).map(({ details }) => details)

/** Locks a table, so that a backup waits for it; returns a function that unlocks it. */
async function lockTable(pool: Pool): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query('lock table project_code in access exclusive mode')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}
const isWaiting = async (pool: Pool) =>
  (
    await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'copy %project_code%'`,
    )
  ).rows.length > 0

async function makeBackup(): Promise<string> {
  const { status, text } = await superuser.post(BACKUPS)
  assert.equal(status, 202, text)
  await waitUntil(async () => (await readState()).running === null, 'the backup does not end', 60_000)
  const { last, backups } = await readState()
  assert.equal(last.failure, null)
  return backups[0].name
}

beforeEach(async () => {
  await waitUntil(async () => (await readState()).running === null, 'a backup does not end', 60_000)
})

describe(`GET ${BACKUPS}`, () => {
  it('requires a superuser', () => assertCallers(service, (client) => client.get(BACKUPS), ['superuser']))

  it('is empty before the first backup', async () => {
    const { free, ...state } = await readState()
    assert.deepEqual(state, {
      running: null,
      last: null,
      folder: backupFolder,
      kept: 10,
      next: null,
      key_file: null,
      has_external_database: false,
      backups: [],
    })
    assert.equal(free, null)
  })
})

describe(`POST ${BACKUPS}`, () => {
  it('requires a superuser, and makes nothing for others', async () => {
    await assertCallers(
      service,
      (client) => client.post(BACKUPS),
      ['superuser'],
      async () => [listFolders(), await service.rows('select pk from backup_run')],
    )
  })

  it('makes a complete backup, and lists it with its contents', async () => {
    const name = await makeBackup()
    const path = join(backupFolder, name)
    const manifest = await readManifest(path)
    await checkBackup(path, manifest)
    const { backups, last, free } = await readState()
    const [backup] = backups
    assert.equal(
      backup.rows,
      manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    )
    assert.deepEqual(
      [backup.name, backup.created, backup.is_before_update, backup.version, backup.files, backup.missing],
      [name, manifest.made, false, manifest.version, 0, 0],
    )
    assert.ok(backup.size > 0 && free > 0)
    assert.equal(last.is_automatic, false)
  })

  it('is rejected while the service or the command makes one', async () => {
    const unlock = await lockTable(service.pool)
    try {
      assert.equal((await superuser.post(BACKUPS)).status, 202)
      await waitUntil(() => isWaiting(service.pool), 'the backup does not wait for the table')
      await waitUntil(async () => (await readState()).running?.phase === 'tables', 'no progress is stored')
      const { running } = await readState()
      assert.ok(running.done > 0 && running.done < running.total, JSON.stringify(running))
      const before = await service.rows('select pk from backup_run')
      const { status, body } = await superuser.post(BACKUPS)
      assert.deepEqual([status, body], [400, { detail: 'A backup is already being made.' }])
      assert.deepEqual(await service.rows('select pk from backup_run'), before)
    } finally {
      await unlock()
    }
    await waitUntil(async () => (await readState()).running === null, 'the backup does not end')
    const client = await service.pool.connect()
    try {
      await client.query(`select pg_advisory_lock(hashtext('backup'), 0)`)
      assert.equal((await superuser.post(BACKUPS)).status, 400)
    } finally {
      await client.query('select pg_advisory_unlock_all()')
      client.release()
    }
  })

  it('reports a failure, is not retried, and leaves no half backup', async () => {
    const before = listFolders()
    const unlock = await lockTable(service.pool)
    try {
      assert.equal((await superuser.post(BACKUPS)).status, 202)
      await waitUntil(() => isWaiting(service.pool), 'the backup does not wait for the table')
      await service.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy %project_code%'`,
      )
      await waitUntil(async () => (await readState()).running === null, 'the backup does not fail')
    } finally {
      await unlock()
    }
    assert.match((await readState()).last.failure, /terminat/)
    assert.deepEqual(listFolders(), before)
    await waitUntil(
      async () =>
        (await service.rows(`select state from pgboss.job where name = 'backup' and state <> 'completed'`)).length === 0,
      'the task is retried',
    )
  })

  it('replaces a run whose task is gone', async () => {
    await service.rows('insert into backup_run default values')
    assert.deepEqual([(await readState()).running, (await readState()).last.failure], [null, 'It was broken off.'])
    await makeBackup()
  })
})

describe(`GET ${BACKUPS}{name}/download/`, () => {
  const getPath = (name: string) => `${BACKUPS}${name}/download/`

  it('returns an archive that is the backup, is stored nowhere, and is recorded', async () => {
    const name = await makeBackup()
    await service.rows(`delete from security_event where kind = 'backup_downloaded'`)
    const url = getPath(name)
    await assertCallers(service, (client) => client.send('HEAD', url), ['superuser'])
    assert.deepEqual(await listEvents('backup_downloaded'), [])
    const authorization = `Basic ${Buffer.from('superuser:a password of tests').toString('base64')}`
    const { statusCode, headers, rawPayload } = await service.app.inject({ url, headers: { authorization } })
    assert.equal(statusCode, 200)
    assert.deepEqual(
      [headers['content-type'], headers['cache-control'], headers['content-disposition']],
      ['application/x-tar', 'no-store', `attachment; filename="${name}.tar"`],
    )
    const target = mkdtempSync(join(folder, 'extracted-'))
    writeFileSync(join(target, 'archive.tar'), rawPayload)
    await extract({ file: join(target, 'archive.tar'), cwd: target })
    await checkBackup(join(target, name), await readManifest(join(target, name)))
    assert.deepEqual(await listEvents('backup_downloaded'), [{ name }])
  })

  it('requires a confirmed account in a browser session', async () => {
    const name = (await readState()).backups[0].name
    const client = createAddressHeaders()
    const cookie = getSessionCookie(await signIn(service, 'superuser', undefined, client)) as string
    const accept = 'application/problem+json'
    const download = () => service.app.inject({ url: getPath(name), headers: { cookie, accept, ...client } })
    const before = await listEvents('backup_downloaded')
    await service.rows(`update user_session set confirmed = now() - interval '11 minutes'`)
    const rejected = await download()
    assert.deepEqual([rejected.statusCode, rejected.json().code], [403, 'confirmation_required'])
    assert.deepEqual(await listEvents('backup_downloaded'), before)
    const payload = { password: 'a password of tests' }
    const confirmed = await service.app.inject({
      method: 'POST',
      url: '/api/auth/confirm/',
      headers: { cookie, ...client, 'x-requested-with': 'XMLHttpRequest' },
      payload,
    })
    assert.equal(confirmed.statusCode, 204, confirmed.payload)
    assert.equal((await download()).statusCode, 200)
    // a page of another site cannot start it
    const crossSite = await service.app.inject({
      url: getPath(name),
      headers: { cookie, ...client, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    })
    assert.equal(crossSite.statusCode, 403)
  })

  it('finds complete backups only, and nothing outside of their folder', async () => {
    for (const name of ['stockroom-2020-01-01T00-00-00.000Z', '.unfinished', '..', '..%2F..', encodeURIComponent(folder)])
      assert.equal((await superuser.get(getPath(name))).status, 404, name)
  })
})

describe(`DELETE ${BACKUPS}{name}/`, () => {
  it('requires a superuser, deletes one backup completely, and is recorded', async () => {
    const name = await makeBackup()
    const others = listFolders().filter((one) => one !== name)
    const path = `${BACKUPS}${name}/`
    for (const caller of ['anonymous', 'nobody', 'member', 'staff'] as const)
      assert.equal((await service[caller].delete(path)).status, caller === 'anonymous' ? 401 : 403)
    assert.ok(listFolders().includes(name))
    assert.equal((await superuser.delete(path)).status, 204)
    assert.deepEqual(
      listFolders().filter((one) => !one.startsWith('.')),
      others,
    )
    await waitUntil(() => !listFolders().some((one) => one.startsWith('.deleted-')), 'its files are not deleted')
    assert.deepEqual(await listEvents('backup_deleted'), [{ name }])
    assert.equal((await superuser.delete(path)).status, 404)
  })
})

it('a backup whose process is killed leaves no half backup, and is made again', { timeout: scaleTimeout(180_000) }, async () => {
  const database = await createTestDatabase(6)
  after(() => database.drop())
  const { pool } = database
  const target = mkdtempSync(join(folder, 'killed-'))
  const environment = { DATA_DIR: folder, BACKUP_DIR: target, ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'a password of tests' }
  const send = async (url: string, method: string) => {
    const headers = { authorization: `Basic ${btoa('admin:a password of tests')}` }
    const response = await fetch(`${url}${BACKUPS}`, { method, headers })
    return (await response.json()) as Awaited<ReturnType<typeof readState>>
  }
  let running = await startNodeProcess(database.url, environment)
  const unlock = await lockTable(pool)
  await send(running.url, 'POST')
  await waitUntil(() => isWaiting(pool), 'the backup does not wait for the table', 60_000)
  await running.kill()
  assert.deepEqual(readdirSync(target), ['.unfinished'])
  await unlock()
  running = await startNodeProcess(database.url, environment)
  assert.deepEqual((await send(running.url, 'GET')).backups, [])
  // immediately, instead of after the heartbeat of the killed process
  await pool.query(`update pgboss.job set state = 'retry', start_after = now() where name = 'backup' and state = 'active'`)
  await waitUntil(async () => (await send(running.url, 'GET')).backups.length === 1, 'the backup is not made again', 60_000)
  const [name] = readdirSync(target)
  assert.deepEqual(readdirSync(target), [name])
  assert.ok(readFileSync(join(target, name as string, 'backup.json')).length > 0)
  const { last, backups } = await send(running.url, 'GET')
  assert.deepEqual([last.failure, backups[0].name], [null, name])
})
