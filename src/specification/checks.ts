import assert from 'node:assert/strict'
import type { Answer as HttpAnswer } from '../testing/service.ts'
import { type Field, isSame, type Shape } from './fields.ts'
import type { Answer, Given, Operation, Scene } from './operations.ts'
import type { Account, Body, Headers, World } from './world.ts'

/** A test that an operation behaves as described in its row. */
export type Check = { title: string; run: (world: World) => Promise<void> }

/** Derives all checks of an operation from its row. */
export function checksOf(operation: Operation): Check[] {
  const { method, path, body, answer, by, parameters, ordering } = operation
  const of = (title: string, run: (operation: Operation, world: World) => Promise<void>): Check => ({
    title,
    run: (world) => run(operation, world),
  })
  const fields = Object.values(body ?? {})
  return [
    of(
      `answers ${answer.status} to a session, to Basic and to a token${by === 'anonymous' ? ', and to strangers' : ''}`,
      answers,
    ),
    ...(by === 'anonymous' ? [] : [of('answers 401 to strangers', refusesStrangers)]),
    ...(by === 'staff' || by === 'superuser' ? [of(`answers 403 to whoever is not ${by}`, refusesOthers)] : []),
    ...(by === 'account' && path.includes('{') ? [of('answers 404 to other accounts', isPersonal)] : []),
    ...(method === 'DELETE' ? [of('leaves nothing behind', removes)] : []),
    of('is not there without the last slash', needsSlash),
    ...(fields.some(({ output }) => !output)
      ? [of('takes each field up to its limit', takesFields), of('refuses one past it, and other types', refusesFields)]
      : []),
    ...(fields.some(({ required }) => required) && method !== 'PATCH'
      ? [of('refuses a body without a required field, naming it', requiresFields)]
      : []),
    ...(method === 'PATCH' ? [of('takes a body without any field, and changes nothing by it', changesNothing)] : []),
    ...(method === 'PUT' ? [of('returns what is left out to its default', replaces)] : []),
    ...(fields.some(({ output }) => output) ? [of('passes over output-only fields', ignoresOutput)] : []),
    ...(answer.form === 'page' ? [of('takes limit and offset, and links to the pages around', paginates)] : []),
    ...(ordering ? [of('takes ordering', orders)] : []),
    ...Object.keys(parameters ?? {}).map((name) => of(`takes ${name}`, (one, world) => narrows(one, world, name))),
  ]
}

async function prepare({ given, by }: Operation, world: World): Promise<Given & { as: Account }> {
  const prepared = (await given?.(world)) ?? {}
  const caller = by === 'anonymous' || by === 'account' ? world.account : async () => world[by ?? 'member']
  return { ...prepared, as: prepared.as ?? (await caller()) }
}

const addressOf = (path: string, values: Given['path'] = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

/** Calls an operation, by default with the token of the given account. */
function call(
  operation: Operation,
  world: World,
  given: Given & { as: Account },
  headers: Headers = given.as.token,
): Promise<HttpAnswer> {
  const { method, path, body } = operation
  return world.service.anonymous.send(method, addressOf(path, given.path), body && (given.body ?? {}), headers)
}

function get(operation: Operation, world: World, given: Given & { as: Account }, query: Record<string, unknown> = {}) {
  const parameters = new URLSearchParams(query as Record<string, string>)
  return world.service.anonymous.get(`${addressOf(operation.path, given.path)}?${parameters}`, given.as.token)
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? 'undefined'

/** Asserts that a response has the success status, and matches the row. */
function assertAnswer(
  { method, path, answer }: Operation,
  sent: Body | undefined,
  { status, body, text, headers }: HttpAnswer,
): void {
  assert.equal(status, answer.status, `${method} ${path} with ${shown(sent)}: ${text.slice(0, 500)}`)
  if (status === 204) {
    assert.deepEqual([text, headers['content-type']], ['', undefined])
    return
  }
  if (answer.form === 'none') return
  assert.equal(headers['content-type'], 'application/json')
  if (answer.form === 'echo') {
    for (const [name, value] of Object.entries(sent ?? {})) assert.deepEqual(body[name], value, name)
  } else if (answer.form === 'page') {
    const { count, next, previous, results, ...rest } = body
    assert.deepEqual([Number.isInteger(count), rest], [true, {}])
    for (const link of [next, previous]) assert.ok(link === null || URL.canParse(link), link)
    assertRows(answer, results)
  } else if (answer.form === 'array') assertRows(answer, body)
  else assertObject(answer, body)
}

function assertRows(answer: Answer, rows: unknown): asserts rows is Body[] {
  assert.ok(Array.isArray(rows))
  for (const row of rows) assertObject(answer, row)
}

/** Asserts that every field is present with its type, and no other field. */
function assertObject({ shape = {}, besides = [] }: Answer, body: Body): void {
  for (const [name, field] of Object.entries(shape)) {
    assert.ok(Object.hasOwn(body, name), `${name} is missing in ${shown(body)}`)
    assert.ok(field.fits(body[name], body), `${name} is ${shown(body[name])} in ${shown(body)}`)
  }
  for (const name of Object.keys(body)) assert.ok(name in shape || besides.includes(name), `${name} is no field of the table`)
}

/** Asserts that the response has the sent values in the fields that it contains. */
function assertKept(shape: Shape, sent: Body, answered: Body): void {
  for (const [name, value] of Object.entries(sent)) {
    const field = shape[name]
    if (!field || field.output || !Object.hasOwn(answered, name)) continue
    const expected = field.isPassedOver ? field.default : value
    assert.ok(isSame(expected, answered[name]), `${name}: ${shown(value)} was sent, ${shown(answered[name])} answered`)
  }
}

async function succeeds(operation: Operation, world: World, given: Given & { as: Account }, headers?: Headers): Promise<Body> {
  const answer = await call(operation, world, given, headers)
  assertAnswer(operation, given.body, answer)
  if (operation.answer.form === 'object') assertKept(operation.body ?? {}, given.body ?? {}, answer.body)
  return answer.body
}

async function answers(operation: Operation, world: World): Promise<void> {
  await operation.scene?.(world)
  for (const way of ['cookie', 'basic', 'token'] as const) {
    const given = await prepare(operation, world)
    const body = await succeeds(operation, world, given, given.as[way])
    await operation.effect?.(world, given.as[way], given)
    if (operation.answer.form === 'page') assert.ok((body.count as number) > 0, 'there is nothing to look at in the list')
    for (const [name, field] of Object.entries(operation.body ?? {}))
      if ('default' in field && operation.answer.form === 'object' && !(name in (given.body ?? {})))
        assert.deepEqual(body[name], field.default)
  }
  if (operation.by === 'anonymous') await succeeds(operation, world, await prepare(operation, world), {})
  for (const given of operation.also ?? []) await succeeds(operation, world, await prepare({ ...operation, given }, world))
}

async function refusesStrangers(operation: Operation, world: World): Promise<void> {
  const { status, headers } = await call(operation, world, await prepare(operation, world), {})
  assert.equal(status, 401)
  assert.ok(headers['www-authenticate'])
}

async function refusesOthers(operation: Operation, world: World): Promise<void> {
  const given = await prepare(operation, world)
  for (const other of operation.by === 'staff' ? [world.member] : [world.member, world.staff])
    assert.equal((await call(operation, world, given, other.token)).status, 403)
}

async function isPersonal(operation: Operation, world: World): Promise<void> {
  const given = await prepare(operation, world)
  const other = await world.account()
  assert.equal((await call(operation, world, given, other.token)).status, 404)
  await succeeds(operation, world, given)
}

async function removes(operation: Operation, world: World): Promise<void> {
  const given = await prepare(operation, world)
  await succeeds(operation, world, given)
  for (const method of ['GET', 'DELETE'] as const)
    assert.equal((await call({ ...operation, method }, world, given)).status, 404, method)
}

async function needsSlash(operation: Operation, world: World): Promise<void> {
  const given = await prepare(operation, world)
  assertAnswer(operation, given.body, await call(operation, world, given))
  const cut = { ...operation, path: operation.path.slice(0, -1) }
  assert.equal((await call(cut, world, await prepare(operation, world))).status, 404)
}

/** Returns the body fields that clients write. */
const written = ({ body = {} }: Operation): [string, Field][] => Object.entries(body).filter(([, { output }]) => !output)

/** Replaces the value of one body field, and of those that must be equal to it. */
function withField({ alike = [], method }: Operation, body: Body, name: string, value: unknown): Body {
  const names = alike.includes(name) ? alike : [name]
  return { ...(method === 'PATCH' ? {} : body), ...Object.fromEntries(names.map((one) => [one, value])) }
}

async function takesFields(operation: Operation, world: World): Promise<void> {
  for (const [name, field] of written(operation)) {
    for (const take of field.takes) {
      const given = await prepare(operation, world)
      const body = withField(operation, given.body ?? {}, name, await take(given.body ?? {}, world))
      const before = operation.method === 'PATCH' ? await succeeds(operation, world, { ...given, body: {} }) : undefined
      const after = await succeeds(operation, world, { ...given, body })
      if (before)
        for (const [other] of written(operation))
          if (!(other in body)) assert.deepEqual(after[other], before[other], `${other} with ${name}`)
    }
  }
}

async function refusesFields(operation: Operation, world: World): Promise<void> {
  const given = await prepare(operation, world)
  for (const [name, field] of written(operation)) {
    for (const refuse of field.refuses) {
      const body = withField(operation, given.body ?? {}, name, await refuse(given.body ?? {}, world))
      const answer = await call(operation, world, { ...given, body })
      assert.equal(answer.status, 400, `${name}: ${shown(body[name])} is taken`)
      const named = Object.keys(answer.body)
      assert.ok(named.includes(name), `${name}: ${answer.text}`)
      for (const other of named) assert.ok(other === name || operation.alike?.includes(other), `${name}: ${answer.text}`)
    }
  }
  await succeeds(operation, world, given)
}

async function requiresFields(operation: Operation, world: World): Promise<void> {
  const required = written(operation).flatMap(([name, field]) => (field.required ? [name] : []))
  const given = await prepare(operation, world)
  for (const missing of [...required.map((name) => [name]), required]) {
    const body = Object.fromEntries(Object.entries(given.body ?? {}).filter(([name]) => !missing.includes(name)))
    const answer = await call(operation, world, { ...given, body })
    assert.equal(answer.status, 400, `without ${missing}: ${answer.text}`)
    for (const name of missing) assert.ok(Array.isArray(answer.body[name]), `without ${missing}: ${answer.text}`)
  }
  await succeeds(operation, world, given)
}

async function changesNothing(operation: Operation, world: World): Promise<void> {
  const given = await prepare(operation, world)
  const before = await succeeds(operation, world, given)
  assert.deepEqual(await succeeds(operation, world, { ...given, body: {} }), before)
}

async function replaces(operation: Operation, world: World): Promise<void> {
  const given = await prepare(operation, world)
  const first = await succeeds(operation, world, given)
  const body = { ...given.body }
  for (const [name, { takes, required }] of written(operation)) if (!required) body[name] = await takes[0]?.(body, world)
  await succeeds(operation, world, { ...given, body })
  assert.deepEqual(await succeeds(operation, world, given), first)
}

async function ignoresOutput(operation: Operation, world: World): Promise<void> {
  const outputs = Object.entries(operation.body ?? {}).filter(([, { output }]) => output)
  const before = await succeeds(operation, world, await prepare(operation, world))
  const given = await prepare(operation, world)
  const junk = Object.fromEntries(outputs.map(([name, { junk }]) => [name, junk(before[name])]))
  const after = await succeeds(operation, world, { ...given, body: { ...given.body, ...junk } })
  for (const [name] of outputs) assert.notDeepEqual(after[name], junk[name], name)
}

async function paginates(operation: Operation, world: World): Promise<void> {
  const given = await prepare(operation, world)
  const { count, results: all, next, previous } = (await get(operation, world, given)).body
  assert.deepEqual([all.length, next, previous], [count, null, null])
  const follow = async (link: string): Promise<Body> => {
    const { pathname, search } = new URL(link)
    assert.equal(pathname, addressOf(operation.path, given.path))
    return (await world.service.anonymous.get(pathname + search, given.as.token)).body
  }
  const first = (await get(operation, world, given, { limit: 1 })).body
  assert.deepEqual([first.count, first.results, first.previous], [count, all.slice(0, 1), null])
  if (count > 1) assert.deepEqual((await follow(first.next)).results, all.slice(1, 2))
  else assert.equal(first.next, null)
  const second = (await get(operation, world, given, { limit: 1, offset: 1 })).body
  assert.deepEqual([second.count, second.results], [count, all.slice(1, 2)])
  assert.deepEqual((await follow(second.previous)).results, all.slice(0, 1))
  assert.deepEqual((await get(operation, world, given, { offset: 1 })).body.results, all.slice(1))
}

/** Returns the objects of the scene in a list response, by name and in the order of the list. */
async function found(operation: Operation, world: World, scene: Scene, query: Record<string, unknown>): Promise<string[]> {
  const answer = await get(operation, world, await prepare(operation, world), query)
  assertAnswer(operation, undefined, answer)
  const { key = 'pk' } = operation
  const names = new Map(Object.entries(scene.rows).map(([name, value]) => [value, name]))
  return answer.body.results.flatMap((row: Body) => names.get(row[key]) ?? [])
}

async function orders(operation: Operation, world: World): Promise<void> {
  const scene = await operation.scene?.(world)
  assert.ok(scene && Object.keys(scene.rows).length > 1, 'one row has no order')
  for (const name of operation.ordering ?? []) {
    const rising = await found(operation, world, scene, { ordering: name })
    const falling = await found(operation, world, scene, { ordering: `-${name}` })
    assert.deepEqual(rising.toSorted(), Object.keys(scene.rows).toSorted())
    assert.deepEqual(falling, rising.toReversed(), name)
    const given = await prepare(operation, world)
    const { results } = (await get(operation, world, given, { ordering: name })).body
    const values = results.map((row: Body) => row[name])
    assert.deepEqual(
      values,
      values.toSorted((a: never, b: never) => (a < b ? -1 : a > b ? 1 : 0)),
      name,
    )
  }
}

async function narrows(operation: Operation, world: World, name: string): Promise<void> {
  const parameter = operation.parameters?.[name]
  const scene = await operation.scene?.(world)
  assert.ok(parameter && scene)
  for (const [value, names] of parameter.finds(scene)) {
    const rows = await found(operation, world, scene, { [name]: value })
    assert.deepEqual(rows.toSorted(), names.toSorted(), `${name}=${value}`)
  }
  if (parameter.type === 'string') return
  const answer = await get(operation, world, await prepare(operation, world), { [name]: 'perhaps' })
  assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [name]])
}
