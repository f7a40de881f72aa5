import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getBodyShape } from '../kit/http/operation.ts'
import { startDemoWorkshop } from '../testing/objects/demo-workshop.ts'
import { OWNER, PASSWORD } from './web/demo/demo-accounts.ts'

const { app } = await startDemoWorkshop()
const authorization = `Basic ${Buffer.from(`${OWNER}:${PASSWORD}`).toString('base64')}`

/** An object that cannot be converted to a string or a number. */
const ODD_OBJECT = { toString: 1, valueOf: 1 }

describe('a value that cannot be converted to a string', () => {
  // under /api/auth/ callers with many attempts are throttled
  const writeOperations = app.routes.operations.filter(
    ({ method, path }) => method !== 'GET' && method !== 'DELETE' && !path.startsWith('/api/auth/'),
  )
  for (const operation of writeOperations) {
    const { method, path, example } = operation
    const fields = Object.keys(getBodyShape(operation) ?? {})
    if (fields.length === 0) continue
    it(`is rejected by ${method} ${path}, in each of its fields`, async () => {
      const { params = {}, body = {} } = example ?? {}
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? 1)))
      for (const name of fields) {
        for (const value of [ODD_OBJECT, [ODD_OBJECT], [[ODD_OBJECT]]]) {
          const payload = { ...(body as object), [name]: value }
          const { statusCode, payload: responseText } = await app.inject({ method, url, headers: { authorization }, payload })
          assert.ok(statusCode < 500, `${name}: ${JSON.stringify(value)}: ${statusCode} ${responseText}`)
        }
      }
    })
  }
})
