import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPluginFolder } from '../../testing/plugin-folder.ts'
import { assertCallers, testService } from '../../testing/service.ts'

const { dataDir, write } = createPluginFolder()
write(
  'acts',
  `actions: {
     blink: (data) => ({ result: data, info: { done: true } }),
     short: () => ({ result: 5 }),
     throws: () => { throw new Error('a secret') },
     nothing: () => undefined,
     whoami: async (_data, { read }) => ({ result: (await read('/api/user/me/')).body.username }),
   },`,
)
const service = await testService({ DATA_DIR: dataDir })
const path = '/api/action/'
const perform = async (action: unknown, data?: unknown) => service.viewer.post(path, { action, data })

describe('POST /api/action/', () => {
  it('performs an action once its plugin is active, and not before', async () => {
    const unmatched = await perform('blink', 1)
    assert.deepEqual([unmatched.status, unmatched.body], [200, { error: 'No matching action found', action: 'blink' }])
    await service.superuser.patch('/api/plugins/activate/', { plugin: 'acts' })
    const response = await perform('blink', { times: [3, null] })
    assert.deepEqual(
      [response.status, response.body],
      [200, { action: 'blink', result: { times: [3, null] }, info: { done: true } }],
    )
    assert.deepEqual((await perform('blink')).body.result, null)
    assert.deepEqual((await perform('short')).body, { action: 'short', result: 5, info: null })
  })

  it('responds to a missing or unknown action as existing clients expect', async () => {
    for (const body of [{}, { action: null }, { data: 1 }]) {
      const { status, body: responseBody } = await service.viewer.post(path, body)
      assert.deepEqual([status, responseBody], [200, { error: 'No action specified' }])
    }
    for (const action of ['', 'answer', 5, ['blink'], '__proto__'])
      assert.deepEqual((await perform(action)).body, { error: 'No matching action found', action })
    assert.equal((await service.viewer.post(path, [])).status, 400)
  })

  it('acts on behalf of the caller', async () => {
    for (const name of ['viewer', 'staff'] as const)
      assert.equal((await service[name].post(path, { action: 'whoami' })).body.result, name)
  })

  it('returns 503 when the plugin fails, without the reason', async () => {
    for (const action of ['throws', 'nothing']) {
      const failed = await perform(action)
      assert.equal(failed.status, 503)
      assert.doesNotMatch(failed.text, /secret/)
    }
  })

  it('is available to everyone with an account', () =>
    assertCallers(service, (client) => client.post(path, {}), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})
