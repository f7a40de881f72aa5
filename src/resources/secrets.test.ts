import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getResponseSchema, type Operation } from '../kit/http/operation.ts'
import { testService } from '../testing/service.ts'

const service = await testService({ SITE_URL: 'https://stock.example' })
const { operations } = service.app.routes
const getOperationName = ({ method, path }: Operation) => `${method} ${path}`
const getTestUrl = ({ path }: Operation) => path.replaceAll('{id}', '99999999').replaceAll(/\{\w+\}/g, 'NONSENSE')

/** Names of all properties in a schema. */
function listProperties(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value) : []),
    ...listProperties(value),
  ])
}

describe('an operation whose response contains a secret', () => {
  it('is marked if it authenticates, or has a secret-like property', () => {
    const markedNames = operations.filter(({ containsSecret }) => containsSecret).map(getOperationName)
    const signInOperations = operations.filter(
      ({ path, kind }) => !kind && /^\/api\/(auth|user\/token|email\/login)\//.test(path),
    )
    // the first sets a cookie, as no unmarked operation does; the second returns what some of the others return; the next two return tokens, those that follow links
    const otherNames = [
      'PUT /api/web/ui_preference/',
      'POST /api/web/read/',
      'POST /api/user/tokens/',
      'GET /api/user/me/token/',
      'POST /api/user/invitation/',
      'POST /api/user/invitation/accept/',
      'POST /api/user/invitation/check/',
      'POST /api/user/invitation/{id}/renew/',
      'POST /api/user/{id}/password-link/',
    ]
    assert.deepEqual(markedNames.toSorted(), [...signInOperations.map(getOperationName), ...otherNames].toSorted())
    for (const operation of operations) {
      const secret = listProperties(getResponseSchema(operation)).find((name) =>
        // a flag such as is_secret says only that there is one, or that it can be changed
        /^(?!is_)(?!.*_enabled$).*(token|secret|password|recovery|otp|csrf|setup_code)/.test(name),
      )
      // lists of tokens show no keys
      const isMasked = secret === 'token' && /\/api\/user\/(all-)?tokens\//.test(operation.path)
      if (secret && !isMasked) assert.ok(operation.containsSecret, `${getOperationName(operation)} responds with ${secret}`)
    }
  })

  it('sends no-store with every response, and no other operation does', async () => {
    const getRank = (operation: Operation) => +(getOperationName(operation) === 'DELETE /api/user/me/')
    const statuses = new Set<number>()
    for (const operation of operations.toSorted((one, other) => getRank(one) - getRank(other))) {
      const { method } = operation
      for (const { send } of [service.anonymous, service.nobody, service.superuser])
        for (const headers of [undefined, { host: 'evil.example' }])
          for (const verb of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
            const response = await send(verb, getTestUrl(operation), method === 'GET' ? undefined : {}, headers)
            statuses.add(response.status)
            const expected = operation.containsSecret ? 'no-store' : undefined
            assert.equal(response.headers['cache-control'], expected, `${getOperationName(operation)}: ${response.status}`)
          }
    }
    for (const status of [200, 400, 401, 403, 404]) assert.ok(statuses.has(status), `no response had the status ${status}`)
  })

  it('is never stored for an Idempotency-Key', async () => {
    const keyHeaders = { 'idempotency-key': 'once' }
    const body = { email: 'other@stock.example', user: service.getPk('member') }
    assert.equal((await service.member.post('/api/auth/emails/', body, keyHeaders)).status, 201)
    assert.equal((await service.member.post('/api/auth/logout/', {}, keyHeaders)).status, 200)
    assert.deepEqual(await service.rows('select key from idempotency_key'), [])
    assert.equal((await service.staff.post('/api/project-code/', { code: 'KEPT' }, keyHeaders)).status, 201)
    assert.deepEqual(await service.rows('select key from idempotency_key'), [{ key: 'once' }])
  })
})
