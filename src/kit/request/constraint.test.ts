import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../testing/service.ts'
import { translateDatabaseError } from './constraint.ts'
import { Problem } from './problem.ts'

const service = await testService()

test('a string that is too long for its column is a client error', async () => {
  const error = await service
    .rows('insert into security_event (kind, username, address, user_agent) values ($1, $2, $3, $4)', [
      'sign_in',
      '',
      'x'.repeat(60),
      '',
    ])
    .catch((rejection: unknown) => rejection)
  assert.equal((error as { code: string }).code, '22001')
  const problem = translateDatabaseError(error)
  assert.ok(problem instanceof Problem)
  assert.equal(problem.status, 400)
})

test('a statement that exceeds its time limit is reported as a busy service, and a lock timeout as worth retrying', async () => {
  const client = await service.pool.connect()
  try {
    const readProblem = async (text: string) => {
      const problem = translateDatabaseError(await client.query(text).catch((error: unknown) => error))
      assert.ok(problem instanceof Problem, text)
      return { status: problem.status, ...problem.headers }
    }
    await client.query(`set statement_timeout = 50`)
    assert.deepEqual(await readProblem('select pg_sleep(10)'), { status: 503, 'retry-after': '2' })
    await client.query(`set statement_timeout = 0; set lock_timeout = 50`)
    const otherClient = await service.pool.connect()
    await otherClient.query('begin; lock table project_code')
    assert.deepEqual(await readProblem('select 1 from project_code'), { status: 409 })
    await otherClient.query('rollback')
    otherClient.release()
  } finally {
    client.release(true)
  }
})

test('a table that has run out of primary keys is not a failure of the service', async () => {
  await service.rows(`select setval(pg_get_serial_sequence('project_code', 'pk'), 2147483647)`)
  const { status, body } = await service.staff.post('/api/project-code/', { code: 'P1' })
  assert.deepEqual([status, body.detail], [507, 'There are no primary keys left for objects of this type.'])
})
