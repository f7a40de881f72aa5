import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from './testing/service.ts'

const { app, member, anonymous } = await testService()

describe('GET /static/', () => {
  it('serves the default thumbnail of parts without an image', async () => {
    const category = await member.post('/api/part/category/', { name: 'Fasteners' })
    const part = await member.post('/api/part/', { name: 'M3 x 10', category: category.body.pk })
    const response = await app.inject(part.body.thumbnail)
    assert.equal(response.statusCode, 200)
    assert.equal(response.headers['content-type'], 'image/png')
    assert.deepEqual(response.rawPayload.subarray(1, 4).toString(), 'PNG')
  })

  it('rejects missing files and files in other folders, in the documented error format', async () => {
    for (const path of [
      '/static/none.png',
      '/static/',
      '/static/../package.json',
      '/static/..%2fpackage.json',
      '/static/%2e%2e/package.json',
    ])
      assert.deepEqual(Object.keys((await anonymous.get(path)).body), ['detail', 'url'], path)
  })
})
