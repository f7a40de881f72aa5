import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CALLERS, testService } from '../../testing/service.ts'

const service = await testService()

describe('GET /api/system/health/', () => {
  it('is open to everyone', async () => {
    for (const name of CALLERS) assert.deepEqual((await service[name].get('/api/system/health/')).body, { status: 'ok' })
  })
})

describe('GET /api/icons/', () => {
  it('is an empty list for everyone', async () => {
    for (const name of CALLERS) assert.deepEqual((await service[name].get('/api/icons/')).body.results, [])
  })
})
