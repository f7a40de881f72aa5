import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CALLERS, testService } from '../../../testing/service.ts'

const service = await testService()
const { anonymous } = service
const PREFERENCE = '/api/web/ui_preference/'
const NEWER_INTERFACE = { preferred_method: 'pui', pui: true, cui: false }

describe('GET /api/web/ui_preference/', () => {
  it('returns the newer interface without a stored preference', async () => {
    for (const name of CALLERS) assert.deepEqual((await service[name].get(PREFERENCE)).body, NEWER_INTERFACE)
    assert.deepEqual((await anonymous.get(PREFERENCE, { cookie: 'ui_preference=nonsense' })).body, NEWER_INTERFACE)
  })
})

describe('PUT /api/web/ui_preference/', () => {
  it('stores the preference in the browser, with or without an account', async () => {
    for (const name of CALLERS) {
      const { status, body, headers } = await service[name].put(PREFERENCE, { preferred_method: 'cui' })
      assert.equal(status, 200)
      assert.deepEqual(body, { preferred_method: 'cui', pui: false, cui: true })
      const cookie = String(headers['set-cookie']).split(';', 1)[0] as string
      assert.deepEqual((await anonymous.get(PREFERENCE, { cookie })).body, body)
    }
  })

  it('rejects other values, and sets no cookie', async () => {
    for (const body of [{}, { preferred_method: 'both' }, { preferred_method: null }, { preferred_method: 1 }]) {
      const response = await anonymous.put(PREFERENCE, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['preferred_method']])
      assert.equal(response.headers['set-cookie'], undefined)
    }
  })

  it('rejects requests from another site', async () => {
    const { status } = await anonymous.put(PREFERENCE, { preferred_method: 'cui' }, { 'sec-fetch-site': 'cross-site' })
    assert.equal(status, 403)
  })
})
