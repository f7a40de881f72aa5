import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../testing/service.ts'
import { translate } from './constraint.ts'
import { Problem } from './problem.ts'

const service = await testService()

test('a text that is too long for its column is the mistake of the client', async () => {
  const error = await service
    .rows('insert into security_event (kind, username, address, user_agent) values ($1, $2, $3, $4)', [
      'sign_in',
      '',
      'x'.repeat(60),
      '',
    ])
    .catch((refusal: unknown) => refusal)
  assert.equal((error as { code: string }).code, '22001')
  const problem = translate(error)
  assert.ok(problem instanceof Problem)
  assert.equal(problem.status, 400)
})
