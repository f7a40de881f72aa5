import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'

const service = await testService()
const readStatus = async () => (await service.anonymous.get('/api/web/first-account/')).body

describe('GET /api/web/first-account/', () => {
  it('reports to anonymous callers that there is a superuser', async () =>
    assert.deepEqual(await readStatus(), { is_open: false }))

  it('reports to anonymous callers that there is none, if accounts can be registered', async () => {
    await service.rows('update user_account set is_superuser = false')
    assert.deepEqual(await readStatus(), { is_open: true })
    await service.rows(
      `insert into setting (key, value) values ('LOGIN_ENABLE_REG', 'False') on conflict (key) do update set value = 'False'`,
    )
    await service.app.routes.services.settings.reload()
    assert.deepEqual(await readStatus(), { is_open: false })
  })
})
