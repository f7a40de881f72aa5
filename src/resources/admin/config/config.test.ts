import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService({ SMTP_URL: 'smtp://me:hunter2@127.0.0.1:1', MAX_PAGE_SIZE: '500' })
const { superuser } = service
const CONFIG = '/api/admin/config/'

describe('GET /api/admin/config/', () => {
  it('lists every setting of the process and whether it is set, without values', async () => {
    const { body, text } = await superuser.get(CONFIG)
    const findSource = (key: string) => body.results.find((one: { key: string }) => one.key === key)?.source
    assert.deepEqual(
      [findSource('SMTP_URL'), findSource('MAX_PAGE_SIZE'), findSource('LOG_LEVEL'), findSource('PATH')],
      [...['env', 'env', 'default', undefined]],
    )
    for (const secret of ['hunter2', 'a test secret', '500']) assert.ok(!text.includes(secret), secret)
    assert.equal((await superuser.get(`${CONFIG}?limit=3&offset=1`)).body.results[0].key, body.results[1].key)
  })

  it('is limited to superusers', () => assertCallers(service, (client) => client.get(CONFIG), ['superuser']))
})

describe('GET /api/admin/config/{key}/', () => {
  it('returns one setting', async () => {
    const { body } = await superuser.get(`${CONFIG}SECRET_KEY/`)
    assert.deepEqual(body, {
      ...{ key: 'SECRET_KEY', env_var: 'SECRET_KEY', config_key: null, source: 'env', accessed: body.accessed },
    })
    assert.ok(Date.parse(body.accessed) <= Date.now())
    for (const key of ['PATH', 'secret_key', 'constructor']) assert.equal((await superuser.get(`${CONFIG}${key}/`)).status, 404)
  })

  it('is limited to superusers', () => assertCallers(service, (client) => client.get(`${CONFIG}LOG_LEVEL/`), ['superuser']))
})
