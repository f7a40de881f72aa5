import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { Disk } from './database/disk.ts'
import { translateDatabaseError } from './kit/request/constraint.ts'
import { Problem } from './kit/request/problem.ts'
import { PASSWORD, testService } from './testing/service.ts'
import { waitUntil } from './testing/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-nearly-full-'))
const MIN_FREE_BYTES = 1_000_000
let freeBytes = 2 * MIN_FREE_BYTES
const disk = new Disk(folder, MIN_FREE_BYTES, pino({ level: 'silent' }), async () => freeBytes)
await disk.start()
const service = await testService({}, { disk })
const { staff, viewer, anonymous } = service
after(() => {
  disk.stop()
  rmSync(folder, { recursive: true })
})

const codesUrl = '/api/project-code/'
const readOnlyMessage = 'The disk is nearly full: changes are rejected until there is free space.'
const readCodes = () => service.rows('select * from project_code order by pk')

describe('a nearly full disk', () => {
  let pk: number
  before(async () => {
    pk = (await staff.post(codesUrl, { code: 'BEFORE' })).body.pk
    freeBytes = MIN_FREE_BYTES - 1
    await waitUntil(() => disk.isLow, 'the low disk space is not noticed')
  })

  it('blocks every change, and nothing is changed', async () => {
    const rowsBefore = await readCodes()
    for (const response of [
      await staff.post(codesUrl, { code: 'NEW' }),
      await staff.patch(`${codesUrl}${pk}/`, { code: 'CHANGED' }),
      await staff.put(`${codesUrl}${pk}/metadata/`, { metadata: {} }),
      await staff.delete(`${codesUrl}${pk}/`),
      await service.superuser.post('/api/part/change_category/', { parts: [1], category: 1 }),
      await anonymous.post('/api/auth/registration/', { username: 'new', password1: PASSWORD, password2: PASSWORD }),
    ]) {
      assert.equal(response.status, 507)
      assert.equal(response.body.detail, readOnlyMessage)
    }
    assert.deepEqual(await readCodes(), rowsBefore)
    const problem = await staff.post(codesUrl, {}, { accept: 'application/problem+json' })
    assert.equal(problem.body.code, 'insufficient_storage')
  })

  it('is reported to authorized callers only', async () => {
    assert.equal((await anonymous.post(codesUrl, { code: 'NEW' })).status, 401)
    assert.equal((await viewer.post(codesUrl, { code: 'NEW' })).status, 403)
  })

  it('does not affect reads, sign-in or sign-out', async () => {
    assert.equal((await viewer.get(codesUrl)).body.count, 1)
    assert.equal((await viewer.get(`${codesUrl}${pk}/`)).body.code, 'BEFORE')
    assert.equal((await staff.send('OPTIONS', codesUrl)).status, 200)
    const { status, body } = await anonymous.post('/api/auth/login/', { username: 'viewer', password: PASSWORD })
    assert.equal(status, 200)
    const authorization = `Token ${body.key}`
    assert.equal((await anonymous.get(codesUrl, { authorization })).status, 200)
    assert.equal((await anonymous.post('/api/auth/logout/', {}, { authorization })).status, 200)
  })

  it('leaves the service ready for the requests it can still process', async () => {
    const { status, body } = await anonymous.get('/readyz')
    assert.deepEqual([status, body], [200, { status: 'read-only', reason: readOnlyMessage }])
  })

  it('is no longer reported once there is space again', async () => {
    freeBytes = 2 * MIN_FREE_BYTES
    await waitUntil(() => !disk.isLow, 'the free disk space is not noticed')
    assert.equal((await staff.patch(`${codesUrl}${pk}/`, { code: 'AFTER' })).status, 200)
    assert.deepEqual((await anonymous.get('/readyz')).body, { status: 'ok' })
  })
})

describe('a full disk of an external database', () => {
  it('returns 507 for each error code of a full disk', async () => {
    for (const code of ['53100', 'ENOSPC', 'EDQUOT']) {
      const error =
        code === '53100'
          ? await service.rows(`do $$ begin raise exception using errcode = '53100'; end $$`).catch((failure: unknown) => failure)
          : { code }
      const problem = translateDatabaseError(error)
      assert.ok(problem instanceof Problem)
      assert.deepEqual([problem.status, problem.code], [507, 'insufficient_storage'])
    }
  })
})
