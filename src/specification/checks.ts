import assert from 'node:assert/strict'
import type { TestResponse } from '../testing/service.ts'
import { type Field, isSame, type Shape } from './fields.ts'
import type { Operation, RequestSetup, ResponseSpec, TestData } from './operations.ts'
import type { Account, Body, Fixture, Headers } from './test-data.ts'

/** A test that an operation behaves as described in its row. */
export type Check = { title: string; run: (fixture: Fixture) => Promise<void> }

/** Derives all checks of an operation from its row. */
export function createChecks(operation: Operation): Check[] {
  const { method, path, body, response, caller, parameters, ordering } = operation
  const createCheck = (title: string, run: (operation: Operation, fixture: Fixture) => Promise<void>): Check => ({
    title,
    run: (fixture) => run(operation, fixture),
  })
  const fields = Object.values(body ?? {})
  return [
    createCheck(
      `returns ${response.status} for a session, Basic credentials and a token${caller === 'anonymous' ? ', and to anonymous callers' : ''}`,
      acceptsCredentials,
    ),
    ...(caller === 'anonymous' ? [] : [createCheck('returns 401 to anonymous callers', rejectsAnonymous)]),
    ...(caller === 'staff' || caller === 'superuser'
      ? [createCheck(`returns 403 to accounts that are not ${caller}`, rejectsOtherRoles)]
      : []),
    ...(caller === 'account' && path.includes('{') ? [createCheck('returns 404 to other accounts', rejectsOtherAccounts)] : []),
    ...(method === 'DELETE' ? [createCheck('deletes the object', deletesObject)] : []),
    createCheck('returns 404 without the trailing slash', requiresTrailingSlash),
    ...(fields.some(({ output }) => !output)
      ? [
          createCheck('accepts values of each field up to its limits', acceptsFields),
          createCheck('rejects values past the limits, and other types', rejectsFields),
        ]
      : []),
    ...(fields.some(({ required }) => required) && method !== 'PATCH'
      ? [createCheck('rejects a body without a required field, and names the field', requiresFields)]
      : []),
    ...(method === 'PATCH' ? [createCheck('accepts an empty body, and changes nothing', changesNothing)] : []),
    ...(method === 'PUT' ? [createCheck('resets omitted fields to their defaults', resetsOmittedFields)] : []),
    ...(fields.some(({ output }) => output) ? [createCheck('ignores output-only fields', ignoresOutput)] : []),
    ...(response.form === 'page'
      ? [createCheck('accepts limit and offset, and links to the next and the previous page', paginates)]
      : []),
    ...(ordering ? [createCheck('accepts ordering', sortsList)] : []),
    ...Object.keys(parameters ?? {}).map((name) =>
      createCheck(`filters by ${name}`, (filtered, fixture) => filtersList(filtered, fixture, name)),
    ),
  ]
}

async function prepare({ setup, caller }: Operation, fixture: Fixture): Promise<RequestSetup & { as: Account }> {
  const prepared = (await setup?.(fixture)) ?? {}
  const getAccount =
    caller === 'anonymous' || caller === 'account' ? fixture.createAccount : async () => fixture[caller ?? 'member']
  return { ...prepared, as: prepared.as ?? (await getAccount()) }
}

const buildUrl = (path: string, values: RequestSetup['path'] = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

/** Calls an operation, by default with the token of the given account. */
function call(
  operation: Operation,
  fixture: Fixture,
  setup: RequestSetup & { as: Account },
  headers: Headers = setup.as.token,
): Promise<TestResponse> {
  const { method, path, body } = operation
  return fixture.service.anonymous.send(method, buildUrl(path, setup.path), body && (setup.body ?? {}), headers)
}

function get(operation: Operation, fixture: Fixture, setup: RequestSetup & { as: Account }, query: Record<string, unknown> = {}) {
  const parameters = new URLSearchParams(query as Record<string, string>)
  return fixture.service.anonymous.get(`${buildUrl(operation.path, setup.path)}?${parameters}`, setup.as.token)
}

const preview = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? 'undefined'

/** Asserts that a response has the success status, and matches the row. */
function assertResponse(
  { method, path, response }: Operation,
  sent: Body | undefined,
  { status, body, text, headers }: TestResponse,
): void {
  assert.equal(status, response.status, `${method} ${path} with ${preview(sent)}: ${text.slice(0, 500)}`)
  if (status === 204) {
    assert.deepEqual([text, headers['content-type']], ['', undefined])
    return
  }
  if (response.form === 'none') return
  assert.equal(headers['content-type'], 'application/json')
  if (response.form === 'echo') {
    for (const [name, value] of Object.entries(sent ?? {})) assert.deepEqual(body[name], value, name)
  } else if (response.form === 'page') {
    const { count, next, previous, results, ...rest } = body
    assert.deepEqual([Number.isInteger(count), rest], [true, {}])
    for (const link of [next, previous]) assert.ok(link === null || URL.canParse(link), link)
    assertRows(response, results)
  } else if (response.form === 'array') assertRows(response, body)
  else assertObject(response, body)
}

function assertRows(response: ResponseSpec, rows: unknown): asserts rows is Body[] {
  assert.ok(Array.isArray(rows))
  for (const row of rows) assertObject(response, row)
}

/** Asserts that every field is present with its type, and no other field. */
function assertObject({ shape = {}, extraFields = [] }: ResponseSpec, body: Body): void {
  for (const [name, field] of Object.entries(shape)) {
    assert.ok(Object.hasOwn(body, name), `${name} is missing in ${preview(body)}`)
    assert.ok(field.matches(body[name], body), `${name} is ${preview(body[name])} in ${preview(body)}`)
  }
  for (const name of Object.keys(body))
    assert.ok(name in shape || extraFields.includes(name), `${name} is not a field of the table`)
}

/** Asserts that the response has the sent values in the fields that it contains. */
function assertEchoed(shape: Shape, sent: Body, actual: Body): void {
  for (const [name, value] of Object.entries(sent)) {
    const field = shape[name]
    if (!field || field.output || !Object.hasOwn(actual, name)) continue
    const expected = field.isIgnored ? field.default : value
    assert.ok(isSame(expected, actual[name]), `${name}: ${preview(value)} was sent, ${preview(actual[name])} was returned`)
  }
}

async function assertSuccess(
  operation: Operation,
  fixture: Fixture,
  setup: RequestSetup & { as: Account },
  headers?: Headers,
): Promise<Body> {
  const response = await call(operation, fixture, setup, headers)
  assertResponse(operation, setup.body, response)
  if (operation.response.form === 'object') assertEchoed(operation.body ?? {}, setup.body ?? {}, response.body)
  return response.body
}

async function acceptsCredentials(operation: Operation, fixture: Fixture): Promise<void> {
  await operation.testData?.(fixture)
  for (const scheme of ['cookie', 'basic', 'token'] as const) {
    const setup = await prepare(operation, fixture)
    const body = await assertSuccess(operation, fixture, setup, setup.as[scheme])
    await operation.effect?.(fixture, setup.as[scheme], setup)
    if (operation.response.form === 'page') assert.ok((body.count as number) > 0, 'the list is empty')
    for (const [name, field] of Object.entries(operation.body ?? {}))
      if ('default' in field && operation.response.form === 'object' && !(name in (setup.body ?? {})))
        assert.deepEqual(body[name], field.default)
  }
  if (operation.caller === 'anonymous') await assertSuccess(operation, fixture, await prepare(operation, fixture), {})
  for (const setup of operation.otherSetups ?? [])
    await assertSuccess(operation, fixture, await prepare({ ...operation, setup }, fixture))
}

async function rejectsAnonymous(operation: Operation, fixture: Fixture): Promise<void> {
  const { status, headers } = await call(operation, fixture, await prepare(operation, fixture), {})
  assert.equal(status, 401)
  assert.ok(headers['www-authenticate'])
}

async function rejectsOtherRoles(operation: Operation, fixture: Fixture): Promise<void> {
  const setup = await prepare(operation, fixture)
  for (const other of operation.caller === 'staff' ? [fixture.member] : [fixture.member, fixture.staff])
    assert.equal((await call(operation, fixture, setup, other.token)).status, 403)
}

async function rejectsOtherAccounts(operation: Operation, fixture: Fixture): Promise<void> {
  const setup = await prepare(operation, fixture)
  const other = await fixture.createAccount()
  assert.equal((await call(operation, fixture, setup, other.token)).status, 404)
  await assertSuccess(operation, fixture, setup)
}

async function deletesObject(operation: Operation, fixture: Fixture): Promise<void> {
  const setup = await prepare(operation, fixture)
  await assertSuccess(operation, fixture, setup)
  for (const method of ['GET', 'DELETE'] as const)
    assert.equal((await call({ ...operation, method }, fixture, setup)).status, 404, method)
}

async function requiresTrailingSlash(operation: Operation, fixture: Fixture): Promise<void> {
  const setup = await prepare(operation, fixture)
  assertResponse(operation, setup.body, await call(operation, fixture, setup))
  const withoutSlash = { ...operation, path: operation.path.slice(0, -1) }
  assert.equal((await call(withoutSlash, fixture, await prepare(operation, fixture))).status, 404)
}

/** Returns the body fields that clients write. */
const writableFields = ({ body = {} }: Operation): [string, Field][] => Object.entries(body).filter(([, { output }]) => !output)

/** Replaces the value of one body field, and of those that must be equal to it. */
function withField({ equalFields: alike = [], method }: Operation, body: Body, name: string, value: unknown): Body {
  const names = alike.includes(name) ? alike : [name]
  return { ...(method === 'PATCH' ? {} : body), ...Object.fromEntries(names.map((field) => [field, value])) }
}

async function acceptsFields(operation: Operation, fixture: Fixture): Promise<void> {
  for (const [name, field] of writableFields(operation)) {
    for (const createValue of field.accepts) {
      const setup = await prepare(operation, fixture)
      const body = withField(operation, setup.body ?? {}, name, await createValue(setup.body ?? {}, fixture))
      const before = operation.method === 'PATCH' ? await assertSuccess(operation, fixture, { ...setup, body: {} }) : undefined
      const after = await assertSuccess(operation, fixture, { ...setup, body })
      if (before)
        for (const [other] of writableFields(operation))
          if (!(other in body)) assert.deepEqual(after[other], before[other], `${other} with ${name}`)
    }
  }
}

async function rejectsFields(operation: Operation, fixture: Fixture): Promise<void> {
  const setup = await prepare(operation, fixture)
  for (const [name, field] of writableFields(operation)) {
    for (const createValue of field.rejects) {
      const body = withField(operation, setup.body ?? {}, name, await createValue(setup.body ?? {}, fixture))
      const response = await call(operation, fixture, { ...setup, body })
      assert.equal(response.status, 400, `${name}: ${preview(body[name])} is accepted`)
      const errorFields = Object.keys(response.body)
      assert.ok(errorFields.includes(name), `${name}: ${response.text}`)
      for (const other of errorFields)
        assert.ok(other === name || operation.equalFields?.includes(other), `${name}: ${response.text}`)
    }
  }
  await assertSuccess(operation, fixture, setup)
}

async function requiresFields(operation: Operation, fixture: Fixture): Promise<void> {
  const required = writableFields(operation).flatMap(([name, field]) => (field.required ? [name] : []))
  const setup = await prepare(operation, fixture)
  for (const missing of [...required.map((name) => [name]), required]) {
    const body = Object.fromEntries(Object.entries(setup.body ?? {}).filter(([name]) => !missing.includes(name)))
    const response = await call(operation, fixture, { ...setup, body })
    assert.equal(response.status, 400, `without ${missing}: ${response.text}`)
    for (const name of missing) assert.ok(Array.isArray(response.body[name]), `without ${missing}: ${response.text}`)
  }
  await assertSuccess(operation, fixture, setup)
}

async function changesNothing(operation: Operation, fixture: Fixture): Promise<void> {
  const setup = await prepare(operation, fixture)
  const before = await assertSuccess(operation, fixture, setup)
  assert.deepEqual(await assertSuccess(operation, fixture, { ...setup, body: {} }), before)
}

async function resetsOmittedFields(operation: Operation, fixture: Fixture): Promise<void> {
  const setup = await prepare(operation, fixture)
  const first = await assertSuccess(operation, fixture, setup)
  const body = { ...setup.body }
  for (const [name, { accepts, required }] of writableFields(operation))
    if (!required) body[name] = await accepts[0]?.(body, fixture)
  await assertSuccess(operation, fixture, { ...setup, body })
  assert.deepEqual(await assertSuccess(operation, fixture, setup), first)
}

async function ignoresOutput(operation: Operation, fixture: Fixture): Promise<void> {
  const outputs = Object.entries(operation.body ?? {}).filter(([, { output }]) => output)
  const before = await assertSuccess(operation, fixture, await prepare(operation, fixture))
  const setup = await prepare(operation, fixture)
  const junk = Object.fromEntries(outputs.map(([name, { junk }]) => [name, junk(before[name])]))
  const after = await assertSuccess(operation, fixture, { ...setup, body: { ...setup.body, ...junk } })
  for (const [name] of outputs) assert.notDeepEqual(after[name], junk[name], name)
}

async function paginates(operation: Operation, fixture: Fixture): Promise<void> {
  const setup = await prepare(operation, fixture)
  const { count, results: all, next, previous } = (await get(operation, fixture, setup)).body
  assert.deepEqual([all.length, next, previous], [count, null, null])
  const follow = async (link: string): Promise<Body> => {
    const { pathname, search } = new URL(link)
    assert.equal(pathname, buildUrl(operation.path, setup.path))
    return (await fixture.service.anonymous.get(pathname + search, setup.as.token)).body
  }
  const first = (await get(operation, fixture, setup, { limit: 1 })).body
  assert.deepEqual([first.count, first.results, first.previous], [count, all.slice(0, 1), null])
  if (count > 1) assert.deepEqual((await follow(first.next)).results, all.slice(1, 2))
  else assert.equal(first.next, null)
  const second = (await get(operation, fixture, setup, { limit: 1, offset: 1 })).body
  assert.deepEqual([second.count, second.results], [count, all.slice(1, 2)])
  assert.deepEqual((await follow(second.previous)).results, all.slice(0, 1))
  assert.deepEqual((await get(operation, fixture, setup, { offset: 1 })).body.results, all.slice(1))
}

/** Returns the names of the test data's rows in a list response, in the order of the list. */
async function listNames(
  operation: Operation,
  fixture: Fixture,
  testData: TestData,
  query: Record<string, unknown>,
): Promise<string[]> {
  const response = await get(operation, fixture, await prepare(operation, fixture), query)
  assertResponse(operation, undefined, response)
  const { key = 'pk' } = operation
  const names = new Map(Object.entries(testData.rows).map(([name, value]) => [value, name]))
  return response.body.results.flatMap((row: Body) => names.get(row[key]) ?? [])
}

async function sortsList(operation: Operation, fixture: Fixture): Promise<void> {
  const testData = await operation.testData?.(fixture)
  assert.ok(testData && Object.keys(testData.rows).length > 1, 'a single row cannot be sorted')
  for (const name of operation.ordering ?? []) {
    const ascending = await listNames(operation, fixture, testData, { ordering: name })
    const descending = await listNames(operation, fixture, testData, { ordering: `-${name}` })
    assert.deepEqual(ascending.toSorted(), Object.keys(testData.rows).toSorted())
    assert.deepEqual(descending, ascending.toReversed(), name)
    const setup = await prepare(operation, fixture)
    const { results } = (await get(operation, fixture, setup, { ordering: name })).body
    const values = results.map((row: Body) => row[name])
    assert.deepEqual(
      values,
      values.toSorted((a: never, b: never) => (a < b ? -1 : a > b ? 1 : 0)),
      name,
    )
  }
}

async function filtersList(operation: Operation, fixture: Fixture, name: string): Promise<void> {
  const parameter = operation.parameters?.[name]
  const testData = await operation.testData?.(fixture)
  assert.ok(parameter && testData)
  for (const [value, names] of parameter.getCases(testData)) {
    const rows = await listNames(operation, fixture, testData, { [name]: value })
    assert.deepEqual(rows.toSorted(), names.toSorted(), `${name}=${value}`)
  }
  if (parameter.type === 'string') return
  const response = await get(operation, fixture, await prepare(operation, fixture), { [name]: 'perhaps' })
  assert.deepEqual([response.status, Object.keys(response.body)], [400, [name]])
}
