import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CALLERS, testService } from '../../testing/service.ts'

const service = await testService()

describe('POST /api/webhook/{endpoint}/', () => {
  it('finds no webhook for any caller', async () => {
    for (const name of CALLERS)
      for (const body of [{}, { event: 'push' }]) {
        const response = await service[name].post('/api/webhook/suppliers/', body)
        assert.deepEqual([response.status, response.body], [404, { detail: 'The webhook does not exist.' }])
      }
  })
})
