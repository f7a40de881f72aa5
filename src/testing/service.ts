import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { Pool } from 'pg'
import { type Logger, pino } from 'pino'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { type App, buildApp } from '../app.ts'
import { type Config, loadConfig } from '../config.ts'
import { buildErrorResponses } from '../kit/http/openapi-parts.ts'
import { getResponseSchema, type Operation, toNumericMoney } from '../kit/http/operation.ts'
import type { Services } from '../kit/services/services.ts'
import { CALLERS, type CallerName } from '../resources/callers.ts'
import { registerErrorChecks } from './check-errors.ts'
import { cloneDatabase, ensureTemplate } from './database.ts'
import { installBrowser } from './printing.ts'

export { CALLERS, type CallerName }

export type TestResponse = { status: number; body: any; headers: Record<string, unknown>; text: string }

/** Sends requests as one account, or anonymously. Every successful response is checked against its published schema. */
export type Client = {
  get(path: string, headers?: Headers): Promise<TestResponse>
  post(path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
  put(path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
  patch(path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
  delete(path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<TestResponse>
}
type Headers = Record<string, string>

export type TestService = Record<CallerName, Client> & {
  app: App
  pool: Pool
  databaseUrl: string
  /** The primary key of a caller's account. */
  getPk(caller: Exclude<CallerName, 'anonymous'>): number
  /** Returns the rows of a statement, for checks of the database. */
  rows(text: string, values?: unknown[]): Promise<any[]>
}

export type TestOptions = {
  runsBackgroundWork?: boolean
  getNotificationUrl?: (databaseUrl: string) => Promise<string>
  disk?: Services['disk']
  log?: Logger
}

/**
 * Starts the service on a database of its own, with an account of each kind. Call it at the top of a test file (`const service = await
 * testService()`): it ends with the file.
 * @param options.getNotificationUrl computes the URL for notifications from that of its database; by default the database itself
 * @param options.runsBackgroundWork whether background jobs run; by default they do
 * @param options.disk by default one that never becomes full
 * @param options.log by default none, or the console with the level in TEST_LOG
 */
export async function testService(environment: Record<string, string> = {}, options: TestOptions = {}): Promise<TestService> {
  const config: Config = loadConfig({
    SECRET_KEY: 'a test secret of thirty-two bytes or more',
    // not writable for any user that runs the tests
    DATA_DIR: '/dev/null',
    ...environment,
  })
  if (environment.DATA_DIR) await installBrowser(environment.DATA_DIR)
  const template = await ensureTemplate('callers', ({ pool }) => createCallers(pool))
  const database = await cloneDatabase(template, config.databasePoolSize)
  const app = await buildApp({
    config,
    pool: database.pool,
    databaseUrl: (await options.getNotificationUrl?.(database.url)) ?? database.url,
    disk: options.disk,
    runsBackgroundWork: options.runsBackgroundWork,
    log: options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' }),
  })
  errorChecks.set(app, registerErrorChecks(app))
  await app.ready()
  after(async () => {
    await app.close()
    await database.drop()
  })
  const { pool } = database
  const accounts = await pool.query<{ username: string; pk: number }>('select username, pk from user_account')
  const pks = Object.fromEntries(accounts.rows.map(({ username, pk }) => [username, pk]))
  await app.listen({ port: environment.PORT === undefined ? 0 : config.port, host: '127.0.0.1' })
  const clients = Object.fromEntries(
    CALLERS.map((name) => [
      name,
      createClient(
        app,
        name === 'anonymous' ? {} : { authorization: `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}` },
      ),
    ]),
  ) as Record<CallerName, Client>
  return {
    ...clients,
    app,
    pool,
    databaseUrl: database.url,
    getPk: (name) => pks[name] as number,
    rows: async (text, values) => (await pool.query(text, values)).rows,
  }
}

/** The password of every account of the tests. */
export const PASSWORD = 'a password of tests'

async function createCallers(pool: Pool): Promise<void> {
  const { hashPassword } = await import('../resources/user/password.ts')
  const hash = await hashPassword(PASSWORD)
  const pks: Record<string, number> = {}
  for (const name of CALLERS.slice(1)) {
    const { rows } = await pool.query(
      'insert into user_account (username, password, is_staff, is_superuser) values ($1, $2, $3, $4) returning pk',
      [name, hash, name === 'staff' || name === 'superuser', name === 'superuser'],
    )
    pks[name] = rows[0].pk
  }
  for (const [name, canWrite] of [
    ['viewer', false],
    ['member', true],
  ] as const) {
    const { rows } = await pool.query('insert into user_group (name) values ($1) returning pk', [`${name}s`])
    await pool.query('insert into user_group_member ("user", "group") values ($1, $2)', [pks[name], rows[0].pk])
    if (canWrite)
      await pool.query('update rule_set set can_add = true, can_change = true, can_delete = true where "group" = $1', [
        rows[0].pk,
      ])
  }
}

/** Numbers of writes that tests have sent, and of those that have been completed. */
const writes = { sent: 0, completed: 0 }

function createClient(app: App, credentials: Headers): Client {
  const send = async (method: string, path: string, body?: unknown, headers: Headers = {}): Promise<TestResponse> => {
    if (method === 'GET') return sendRequest(method, path, body, headers, () => true)
    const isFirst = writes.sent++ === writes.completed
    const sequence = writes.sent
    try {
      return await sendRequest(method, path, body, headers, () => isFirst && writes.sent === sequence)
    } finally {
      writes.completed++
    }
  }
  const sendRequest = async (
    method: string,
    path: string,
    body: unknown,
    headers: Headers,
    isOnlyWrite: () => boolean,
  ): Promise<TestResponse> => {
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...credentials, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      payload: body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    })
    checkResponse(app, method, path, response)
    errorChecks.get(app)?.(`${method} ${path}`, response)
    if (method === 'POST' && response.statusCode === 201) await checkCreated(app, path, response, credentials, isOnlyWrite)
    const isJson = String(response.headers['content-type'] ?? '').includes('json')
    return {
      status: response.statusCode,
      body: isJson && response.payload ? JSON.parse(response.payload) : undefined,
      headers: response.headers,
      text: response.payload,
    }
  }
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body = {}, headers) => send('POST', path, body, headers),
    put: (path, body = {}, headers) => send('PUT', path, body, headers),
    patch: (path, body = {}, headers) => send('PATCH', path, body, headers),
    delete: (path, body, headers) => send('DELETE', path, body, headers),
  }
}

/** The error checks of each application. */
const errorChecks = new WeakMap<App, ReturnType<typeof registerErrorChecks>>()

/** The check of an operation's responses. */
type Check = { validator: ReturnType<typeof Compile>; isEnvelope: boolean }

/** Checks by the source of the response schema: a resource with the kind of operation, or a schema. Services in one process share them. */
const checks = new WeakMap<object, Map<string, Check | null>>()

/** Returns the check of an operation's responses; null when they have no body. */
function getCheck(operation: Operation, hasNumericMoney: boolean): Check | null {
  const { resource, kind: ownKind = '', response: responseSchema } = operation
  const kind = hasNumericMoney ? `${ownKind} with numeric money` : ownKind
  const cacheKey = ownKind && resource ? resource : responseSchema
  if (!cacheKey) return null
  const existing = checks.get(cacheKey) ?? new Map<string, Check | null>()
  checks.set(cacheKey, existing)
  if (!existing.has(kind)) {
    const ownSchema = getResponseSchema(operation) as TSchema | undefined
    const schema = hasNumericMoney && ownSchema ? toNumericMoney(ownSchema) : ownSchema
    const isEnvelope = 'results' in ((schema as { properties?: object } | undefined)?.properties ?? {})
    existing.set(kind, schema ? { validator: Compile(schema), isEnvelope } : null)
  }
  return existing.get(kind) ?? null
}

/** The documented error statuses of an operation. */
const failures = new WeakMap<Operation, Set<number>>()

function isDocumentedStatus(operation: Operation, status: number): boolean {
  const existing = failures.get(operation) ?? new Set(Object.keys(buildErrorResponses(operation, {})).map(Number))
  failures.set(operation, existing)
  return existing.has(status)
}

/**
 * Checks that a response has a status that its operation documents, that it matches the published schema if it is successful, that it is
 * not a failure of the service, and that no cache stores a cookie in it.
 */
function checkResponse(app: App, method: string, path: string, response: LightMyRequestResponse): void {
  const isFailure = response.statusCode >= 500 && ![503, 507].includes(response.statusCode)
  assert.ok(!isFailure, `${method} ${path}: ${response.statusCode} ${response.payload.slice(0, 500)}`)
  if (response.cookies.some(({ value }) => value !== ''))
    assert.equal(response.headers['cache-control'], 'no-store', `${method} ${path} sets a cookie, and must not be cached`)
  const operation = findOperation(app.routes.operations, method, path.split('?', 1)[0] as string)
  // a URL that does not support the method is not an operation, even if its path matches another one
  const isUnsupportedMethod = response.statusCode === 405 && 'allow' in response.headers
  if (operation && !isUnsupportedMethod && response.statusCode >= 300 && response.statusCode !== operation.status)
    assert.ok(isDocumentedStatus(operation, response.statusCode), `${method} ${path}: ${response.statusCode} is not documented`)
  if (response.statusCode >= 300 || response.statusCode === 204) return
  // a file, such as a PDF
  if (!String(response.headers['content-type'] ?? 'json').includes('json')) return
  if (!operation) return
  if (response.statusCode === 202 && operation.asyncResponse) {
    assert.ok(Compile(operation.asyncResponse).Check(JSON.parse(response.payload)), `${method} ${path}: ${response.payload}`)
    return
  }
  const check = getCheck(operation, app.routes.services.config.wire.numericMoney)
  if (!check) return
  const { validator, isEnvelope } = check
  const body: unknown = JSON.parse(response.payload)
  const subject = isEnvelope ? wrapInEnvelope(body) : body
  if (validator.Check(subject)) return
  const [first] = validator.Errors(subject)
  assert.fail(`${method} ${path} does not match its schema: ${JSON.stringify(first)} in ${response.payload.slice(0, 800)}`)
}

/** Removes the prices of parts from a body, as a job can compute them at any time. */
const removePrices = (body: string): Record<string, unknown> =>
  JSON.parse(body, (name, value) => (name.startsWith('pricing_') ? undefined : value))

/**
 * Checks that the response of a creation equals that of GET: it is read from the insert, before later triggers run. Other requests may
 * change referenced objects in between, unless no other write was in progress.
 */
async function checkCreated(
  app: App,
  path: string,
  response: LightMyRequestResponse,
  credentials: Headers,
  isOnlyWrite: () => boolean,
): Promise<void> {
  const listUrl = path.split('?', 1)[0] as string
  const detail = app.routes.operations.some(({ method, path: existing }) => method === 'GET' && existing === `${listUrl}{id}/`)
  if (!detail || response.headers['idempotency-replayed']) return
  const body = removePrices(response.payload)
  const detailResponse = await app.inject({ method: 'GET', url: `${listUrl}${body.pk}/`, headers: credentials })
  // another version was written by another request
  if (detailResponse.statusCode !== 200 || response.headers.etag !== detailResponse.headers.etag) return
  const current = removePrices(detailResponse.payload)
  const isOwn = (name: string) => isOnlyWrite() || !name.endsWith('_detail')
  for (const name of Object.keys(body).filter((key) => key in current && isOwn(key)))
    assert.deepEqual(body[name], current[name], `${path}: ${name}`)
}

/** Wraps a response with `WIRE_FORM=inventree`, which sends a bare array or object, in an envelope. */
function wrapInEnvelope(body: unknown): unknown {
  if (typeof body === 'object' && body !== null && 'results' in body) return body
  const results = Array.isArray(body) ? body : [body]
  return { count: results.length, next: null, previous: null, results }
}

function findOperation(operations: readonly Operation[], method: string, path: string): Operation | undefined {
  const matches = (operation: Operation) => operation.method === method && getPattern(operation).test(path)
  return operations.find((operation) => operation.method === method && operation.path === path) ?? operations.find(matches)
}

const patterns = new WeakMap<Operation, RegExp>()

/** Returns the pattern of an operation's paths. */
function getPattern(operation: Operation): RegExp {
  const pattern = patterns.get(operation) ?? new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  patterns.set(operation, pattern)
  return pattern
}

/**
 * Calls an operation as every caller. Those in `permitted` may call it; the others get 401 (anonymous) or 403, and must not change
 * anything, which is checked by calling `readState` before and after.
 */
export async function assertCallers(
  service: TestService,
  sendRequest: (client: Client) => Promise<TestResponse>,
  permitted: readonly CallerName[],
  readState?: () => Promise<unknown>,
): Promise<void> {
  const before = await readState?.()
  for (const name of CALLERS.filter((caller) => !permitted.includes(caller))) {
    const { status, text } = await sendRequest(service[name])
    assert.equal(status, name === 'anonymous' ? 401 : 403, `${name}: ${status} ${text}`)
  }
  if (readState) assert.deepEqual(await readState(), before, 'a rejected request changed something')
  for (const name of permitted) {
    const { status, text } = await sendRequest(service[name])
    assert.ok(status !== 401 && status !== 403, `${name}: ${status} ${text}`)
  }
}
