import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPluginFolder } from '../../testing/plugin-folder.ts'
import { assertCallers, testService } from '../../testing/service.ts'

const { dataDir, write } = createPluginFolder()
write(
  'personal',
  `userSettings: {
     COLOR: { type: 'string', default: 'blue', name: 'Color', description: 'The favorite color.' },
     COUNT: { type: 'integer', default: 3, name: 'Count', description: 'How many.' },
   },
   actions: { async color(data, context) { return { result: await context.userSettings.get('COLOR') } } },`,
)
const service = await testService({ DATA_DIR: dataDir })
const { member, viewer, staff } = service
const PATH = '/api/plugins/personal/user-settings/'

describe('GET /api/plugins/{plugin}/user-settings/', () => {
  it('lists the settings of the caller in the order of the plugin', async () => {
    const { status, body } = await member.get(PATH)
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ key, value, user, plugin }: Record<string, unknown>) => [key, value, user, plugin]),
      [
        ['COLOR', 'blue', service.getPk('member'), 'personal'],
        ['COUNT', '3', service.getPk('member'), 'personal'],
      ],
    )
    assert.deepEqual((await member.get('/api/plugins/inventreebarcode/user-settings/')).body, [])
    assert.equal((await member.get('/api/plugins/none/user-settings/')).status, 404)
    assert.equal((await member.get(`${PATH}NONE/`)).status, 404)
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(PATH), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('PUT and PATCH /api/plugins/{plugin}/user-settings/{key}/', () => {
  it('change the value of the caller alone', async () => {
    assert.equal((await member.patch(`${PATH}COLOR/`, { value: 'red' })).body.value, 'red')
    assert.equal((await member.get(`${PATH}COLOR/`)).body.value, 'red')
    assert.equal((await viewer.get(`${PATH}COLOR/`)).body.value, 'blue')
    assert.equal((await member.put(`${PATH}COUNT/`, { value: 'many' })).status, 400)
    assert.equal((await member.get(`${PATH}COUNT/`)).body.value, '3')
  })

  it('are what the plugin reads for the account of a call', async () => {
    await staff.post('/api/plugins/activate/', { plugin: 'personal', active: true })
    const { superuser } = service
    assert.equal((await superuser.patch('/api/plugins/activate/', { plugin: 'personal', active: true })).status, 200)
    for (const [client, color] of [
      [member, 'red'],
      [viewer, 'blue'],
    ] as const) {
      const { body } = await client.post('/api/action/', { action: 'color', data: {} })
      assert.equal(body.result, color)
    }
  })
})
