import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const TASK = '/api/background-task/'
const unknown = (task_id: string) => ({
  ...{ task_id, exists: false, pending: false, complete: false, success: false, http_status: 404 },
})

const createTask = async (state: string): Promise<string> => {
  const id = randomUUID()
  await service.rows(
    `insert into pgboss.job (id, name, state) select $1, name, $2::pgboss.job_state from pgboss.queue order by name limit 1`,
    [id, state],
  )
  return id
}

describe('GET /api/background-task/{task_id}/', () => {
  it('says that there is no such task', async () => {
    for (const id of ['nonsense', randomUUID(), '0']) {
      const { status, body } = await service.nobody.get(`${TASK}${id}/`)
      assert.deepEqual([status, body], [404, unknown(id)])
    }
  })

  for (const [state, pending, complete, success] of [
    ['created', true, false, false],
    ['retry', true, false, false],
    ['active', false, false, false],
    ['completed', false, true, true],
    ['failed', false, true, false],
    ['cancelled', false, true, false],
  ] as const)
    it(`tells the state of a task: ${state}`, async () => {
      const id = await createTask(state)
      for (const task_id of [id, id.replaceAll('-', '')])
        assert.deepEqual((await service.nobody.get(`${TASK}${task_id}/`)).body, {
          ...{ task_id, exists: true, pending, complete, success, http_status: 200 },
        })
    })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(`${TASK}x/`), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})
