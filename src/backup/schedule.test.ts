import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { getBackupName, listBackups } from '../resources/background-task/backups.ts'
import { checkBackup, readManifest } from '../resources/web/backup/manifest.ts'
import { testService } from '../testing/service.ts'
import { waitUntil } from '../testing/until.ts'
import { enqueueBackup } from './schedule.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-backups-'))
after(() => rmSync(folder, { recursive: true, maxRetries: 20 }))
const service = await testService({ BACKUP_DIR: folder, BACKUPS_KEPT: '2', DATA_DIR: folder, MIN_FREE_DISK: '0' })
const { services } = service.app.routes

const setSetting = async (key: string, value: unknown) => {
  const { status } = await service.superuser.patch(`/api/settings/global/${key}/`, { value })
  assert.equal(status, 200)
}
const countPendingJobs = async () =>
  (await service.rows(`select 1 from pgboss.job where name = 'backup' and state not in ('completed', 'failed')`)).length
const listBackupNames = () => readdirSync(folder).filter((name) => name.startsWith('stockroom-'))
const createOldBackup = (hours: number) => {
  const name = getBackupName(new Date(Date.now() - hours * 3_600_000).toISOString())
  mkdirSync(join(folder, name))
  return name
}

describe('INVENTREE_BACKUP_ENABLE, INVENTREE_BACKUP_DAYS', () => {
  it('makes no backup when off', async () => {
    await enqueueBackup(services)
    assert.deepEqual([await countPendingJobs(), listBackupNames()], [0, []])
  })

  it('makes one backup when on, and another after the interval; deletes the oldest', async () => {
    await setSetting('INVENTREE_BACKUP_DAYS', 2)
    await setSetting('INVENTREE_BACKUP_ENABLE', true)
    const old = [createOldBackup(200), createOldBackup(100), createOldBackup(49)]
    await Promise.all([enqueueBackup(services), enqueueBackup(services)])
    await waitUntil(async () => listBackupNames().length === 2 && (await countPendingJobs()) === 0, 'no backup is made')
    const [retained, created] = await listBackups(folder)
    assert.equal(retained?.folder, join(folder, old[2] as string))
    assert.ok(created)
    await checkBackup(created.folder, await readManifest(created.folder))
    await enqueueBackup(services)
    assert.equal(await countPendingJobs(), 0)
  })

  it('makes it at an hour of the day, whenever the last one was made', async () => {
    const readNext = async () => new Date((await service.superuser.get('/api/web/backup/')).body.next)
    const last = (await listBackups(folder)).at(-1)?.createdAt as Date
    await setSetting('INVENTREE_BACKUP_DAYS', 1)
    const hours = [0, 2, last.getHours(), 23]
    for (const hour of hours) {
      await setSetting('INVENTREE_BACKUP_HOUR', hour)
      const next = await readNext()
      assert.deepEqual([next.getHours(), next.getMinutes(), next.getSeconds()], [hour, 0, 0])
      const delay = next.getTime() - last.getTime()
      assert.ok(delay > 0 && delay <= 25 * 3_600_000, `${hour}: ${delay}`)
    }
    await enqueueBackup(services)
    assert.equal(await countPendingJobs(), 0)
    for (const value of [24, -1, 'noon']) {
      const { status } = await service.superuser.patch('/api/settings/global/INVENTREE_BACKUP_HOUR/', { value })
      assert.equal(status, 400, String(value))
    }
    await setSetting('INVENTREE_BACKUP_DAYS', 2)
    const inTwoDays = await readNext()
    assert.ok(inTwoDays.getTime() - last.getTime() > 24 * 3_600_000)
    await setSetting('INVENTREE_BACKUP_HOUR', '')
    assert.equal((await readNext()).getTime(), last.getTime() + 48 * 3_600_000)
  })

  it('is listed among the scheduled tasks, with its last run', async () => {
    const { body } = await service.superuser.get('/api/background-task/scheduled/')
    const backup =
      body.results?.find(({ func }: { func: string }) => func === 'backup') ??
      body.find?.(({ func }: { func: string }) => func === 'backup')
    const created = (await listBackups(folder))
      .at(-1)
      ?.createdAt.toISOString()
      .replace(/\.\d+Z$/, 'Z')
    assert.deepEqual([backup?.name, backup?.minutes, backup?.last_run], ['Backup', 2_880, created])
  })
})
