import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CALLERS, testService } from '../../testing/service.ts'

const service = await testService({ FLAGS: 'NEXT_GEN,LABELS_3D' })
const { anonymous, staff, superuser } = service

describe('GET /api/flags/', () => {
  it('lists known and enabled flags for everyone', async () => {
    for (const name of CALLERS) {
      const { body } = await service[name].get('/api/flags/')
      assert.deepEqual(
        body.results.map(({ key, state }: { key: string; state: boolean }) => [key, state]),
        [
          ['EXPERIMENTAL', false],
          ['LABELS_3D', true],
          ['NEXT_GEN', true],
        ],
      )
    }
    assert.equal((await anonymous.get('/api/flags/?limit=1')).body.results.length, 1)
  })

  it('shows the reason to superusers only', async () => {
    assert.ok(!('conditions' in (await staff.get('/api/flags/')).body.results[0]))
    assert.deepEqual((await superuser.get('/api/flags/')).body.results[1].conditions, [{ condition: 'FLAGS', value: true }])
  })
})

describe('GET /api/flags/{key}/', () => {
  it('returns one flag', async () => {
    assert.deepEqual((await anonymous.get('/api/flags/EXPERIMENTAL/')).body, { key: 'EXPERIMENTAL', state: false })
    assert.deepEqual((await anonymous.get('/api/flags/LABELS_3D/')).body, { key: 'LABELS_3D', state: true })
    for (const key of ['NONE', 'constructor', '__proto__']) assert.equal((await anonymous.get(`/api/flags/${key}/`)).status, 404)
  })
})
