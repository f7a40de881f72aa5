import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Compile } from 'typebox/compile'
import { createOpenapiDocument } from '../app.ts'
import type { Shape } from '../kit/definition/input.ts'
import { describeFilters, getBodySchema } from '../kit/http/openapi.ts'
import { buildSuccessHeaders } from '../kit/http/openapi-parts.ts'
import type { Operation } from '../kit/http/operation.ts'
import { getWriteShape } from '../kit/writing/write.ts'
import { notificationSettings } from '../settings/notification.definitions.ts'
import { globalSettings, isServed, userSettings } from '../settings/registry.ts'
import { startDemoWorkshop } from '../testing/objects/demo-workshop.ts'
import { tags } from './tags.ts'
import { OWNER, PASSWORD } from './web/demo/demo-accounts.ts'

const { app, config } = await startDemoWorkshop()

const { operations } = app.routes
const resources = [...new Set(operations.flatMap(({ resource }) => resource ?? []))]

/** Checks that a string is a sentence or two: it begins with a capital letter or a sign, and ends with a full stop. */
function assertSentence(text: string | undefined, subject: string, maxLength = 200): void {
  assert.ok(text, `${subject} is not explained`)
  assert.match(text, /^[\p{Lu}\d`"(].{6,}[.)]$/su, `${subject}: ${text}`)
  assert.ok(text.length <= maxLength, `${subject}: ${text.length} characters`)
}

describe('the texts of the API', () => {
  it('explain every writable field in a sentence', () => {
    for (const resource of resources) assertShape(getWriteShape(resource), resource.path)
  })

  it('explain every field of action bodies in a sentence', () => {
    for (const { method, path, body } of operations) if (body) assertShape(body, `${method} ${path}`)
  })

  it('explain every filter and every path parameter in a sentence', () => {
    for (const resource of resources)
      for (const { name, help } of describeFilters(resource)) assertSentence(help, `${resource.path}?${name}`, 300)
    for (const { path, query = {}, params = {} } of operations) {
      for (const [name, help] of Object.entries(query)) assertSentence(help, `${path}?${name}`)
      for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) if (name !== 'id') assertSentence(params[name], `${path} ${name}`)
    }
  })

  it('name and explain every setting', () => {
    for (const [key, { name, description }] of Object.entries({ ...globalSettings, ...userSettings, ...notificationSettings })) {
      if (!isServed(key)) continue
      assert.ok(name, key)
      assertSentence(description, key)
    }
  })

  it('describe every operation and every resource', () => {
    for (const resource of resources) assertSentence(resource.description, resource.path, 400)
    for (const { method, path, kind, description } of operations)
      if (!kind) assertSentence(description, `${method} ${path}`, 1_000)
  })

  it('assign every operation to an explained group', () => {
    const tagNames = new Set(operations.map(({ path }) => path.split('/')[2] || 'service'))
    for (const name of tagNames) assert.ok(name in tags, name)
    for (const name of Object.keys(tags)) assert.ok(tagNames.has(name), `${name} is the group of no operation`)
  })

  it('list the responses that every operation can give', () => {
    const document = createOpenapiDocument(config) as { paths: Record<string, Record<string, { responses: object }>> }
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { responses }] of Object.entries(methods))
        for (const status of [400, 401, 403, 408, 413, 429, 431, 500, 503])
          assert.ok(status in responses, `${method} ${path} ${status}`)
  })

  it('give every operation a unique id', () => {
    const document = createOpenapiDocument(config) as { paths: Record<string, Record<string, { operationId: string }>> }
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    assert.equal(new Set(ids).size, ids.length)
  })
})

/** Checks the help of each field of a body, and of the objects in it. */
function assertShape(shape: Shape, subject: string): void {
  for (const [name, { help, shape: inner, item }] of Object.entries(shape)) {
    assertSentence(help, `${subject} ${name}`)
    const parts = inner ?? item?.shape
    if (parts) assertShape(parts, `${subject} ${name}`)
  }
}

describe('the examples of the OpenAPI document', () => {
  async function send({ method, path, example = {} }: Operation) {
    const { params = {}, query, body, username: account = OWNER } = example
    const operationUrl = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
    const authorization = `Basic ${Buffer.from(`${account}:${PASSWORD}`).toString('base64')}`
    return app.inject({ method, url: operationUrl, query, headers: { authorization }, ...(body ? { payload: body } : {}) })
  }

  // listing one's sessions and tokens requires a sign-in
  before(async () => {
    const payload = { username: OWNER, password: PASSWORD }
    assert.equal((await app.inject({ method: 'POST', url: '/api/auth/login/', payload })).statusCode, 200)
  })

  it('exist for every operation with input', () => {
    for (const operation of operations) {
      const { method, path, kind, example } = operation
      if (kind === 'delete' || kind === 'bulk-delete') continue
      for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
        assert.ok(example?.params?.[name] !== undefined, `${method} ${path}: ${name}`)
      const hasInput = kind === 'create' || kind === 'update' || Object.keys(operation.body ?? {}).length > 0
      if (hasInput && method !== 'DELETE') assert.ok(example?.body, `${method} ${path}: no body`)
    }
  })

  it('match the schemas of the document', () => {
    for (const operation of operations) {
      const { method, path, example } = operation
      const schema = getBodySchema(operation)
      if (!schema || !example?.body) continue
      const validator = Compile(schema)
      const [first] = validator.Errors(example.body)
      assert.ok(validator.Check(example.body), `${method} ${path}: ${JSON.stringify(first)}`)
    }
  })

  // reads first, so that they find the demo data unchanged; deletions last
  const methodOrder = ['GET', 'PATCH', 'PUT', 'POST', 'DELETE']
  const sortedOperations = operations
    .filter(({ method, path, example }) => example ?? (method === 'GET' && !path.includes('{')))
    .toSorted((one, other) => methodOrder.indexOf(one.method) - methodOrder.indexOf(other.method))
  for (const operation of sortedOperations) {
    it(`${operation.method} ${operation.path}`, async () => {
      const response = await send(operation)
      assert.equal(response.statusCode, operation.example?.status ?? operation.status, response.payload.slice(0, 1_000))
      if (operation.example?.status) return
      const headerNames = Object.keys(buildSuccessHeaders(operation)).filter((name) => name !== 'Idempotency-Replayed')
      for (const name of headerNames) assert.ok(name.toLowerCase() in response.headers, `${name} is documented but missing`)
    })
  }
})
