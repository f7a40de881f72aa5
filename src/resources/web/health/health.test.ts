import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const SECRET = 'a test secret of thirty-two bytes or more'
const folder = mkdtempSync(join(tmpdir(), 'stockroom-health-'))
after(() => rmSync(folder, { recursive: true }))
// without a process that works on tasks
const service = await testService(
  { DATA_DIR: folder, SMTP_URL: 'smtp://me:hunter2@127.0.0.1:9', CHROME_PATH: '/bin/false' },
  { runsBackgroundWork: false },
)

describe('POST /api/web/health/', () => {
  it('requires a superuser, and reports what is right and wrong, without secrets', async () => {
    await assertCallers(service, (client) => client.post('/api/web/health/'), ['superuser'])
    await service.rows(`insert into pgboss.job (name, start_after) values ('mail', now() - interval '1 day')`)
    // a task that failed and will be retried
    await service.rows(
      `insert into pgboss.job (name, state, retry_count, start_after) values ('currency-rates', 'retry', 1, now() + interval '1 hour')`,
    )
    const { body, text } = await service.superuser.post('/api/web/health/')
    const checks = new Map<string, any>(body.checks.map((check: { name: string }) => [check.name, check]))
    assert.deepEqual(
      [...checks].map(([name, { status }]) => [name, status]),
      [
        ['versions', 'ok'],
        ['database', 'ok'],
        ['background', 'warning'],
        ['storage', 'ok'],
        ['disk', checks.get('disk').status],
        ['mail', 'error'],
        ['browser', 'error'],
        ['clock', 'ok'],
        ['time_zone', 'ok'],
        ['public_url', checks.get('public_url').status],
      ],
      text,
    )
    assert.match(checks.get('background').findings[0].message, /^1 tasks have waited/)
    assert.match(checks.get('background').findings[1].message, /^1 tasks failed lately/)
    for (const secret of [SECRET, 'hunter2']) assert.ok(!text.includes(secret), secret)
    for (const { status, advice } of body.checks.flatMap(({ findings }: { findings: object[] }) => findings))
      if (status === 'error' || status === 'warning') assert.ok(advice)
  })
})

describe('GET /api/web/about/', () => {
  it('requires staff, and shows the names of folders to superusers only', async () => {
    await assertCallers(service, (client) => client.get('/api/web/about/'), ['staff', 'superuser'])
    const { body, text } = await service.staff.get('/api/web/about/')
    assert.deepEqual([body.storage.type, body.storage.location, body.storage.files], ['folder', null, 0])
    assert.ok(body.database.size > 1_000_000 && body.storage.free > 0)
    assert.match(body.database.version, /^\d+/)
    assert.ok(!text.includes(folder))
    assert.equal((await service.superuser.get('/api/web/about/')).body.storage.location, join(folder, 'media'))
  })
})
