// Over 400 lines: mounts all types of operations and sends their responses, so that all of them behave alike.
import { getTableName } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { TSchema } from 'typebox'
import type { Config } from '../../config.ts'
import { API_VERSION_HEADER, API_VERSIONS, readWire } from '../../wire.ts'
import { type ActionResult, Bytes, type Endpoint, FileStream, Json, Reply, type Request } from '../definition/action.ts'
import * as input from '../definition/input.ts'
import type { Resource, WriteRequest } from '../definition/resource.ts'
import { readDetail } from '../reading/detail.ts'
import { findConditions, readListRequest, readListWindow, runList } from '../reading/list.ts'
import { readDetailFlags, readWriteFlags } from '../reading/select.ts'
import { type Caller, type Right, requireAccess } from '../request/caller.ts'
import { translateDatabaseError } from '../request/constraint.ts'
import { notFound, Problem } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import { queryThrough } from '../sql/run-query.ts'
import { quote } from '../sql/sql.ts'
import type { Tx } from '../sql/tx.ts'
import { writeJson } from '../values/json.ts'
import { rejectAll } from '../writing/bulk.ts'
import {
  beginKey,
  claimKey,
  type KeyedRequest,
  readKeyedRequest,
  releaseKey,
  type StoredResponse,
  storeResponse,
  toComparableText,
} from '../writing/idempotency.ts'
import { parseBody, parseBodyWithin } from '../writing/read-body.ts'
import { updateMany } from '../writing/update-many.ts'
import { create, deleteMany, getWriteShape, readMetadata, remove, update, writeMetadata } from '../writing/write.ts'
import {
  buildCursorLinks,
  buildPageLinks,
  createExchange,
  getAnonymousBodyLimit,
  getSite,
  methodNotAllowed,
  preventStorage,
  ROUTED_METHODS,
  readBody,
  readHeader,
  readPathKey,
  readQuery,
  sendJson,
  toFastifyPath,
} from './http.ts'
import { LargeBodies } from './large-bodies.ts'
import { buildListFileName, LIST_FILES, readListFileKind, writeListFile } from './list-file.ts'
import { formatDisposition } from './media.ts'
import { pluralize, toNoun, withArticle } from './nouns.ts'
import { acceptsFiles, getBodyShape, getExample, type Operation } from './operation.ts'
import { type Describe, describeAction, describeResource } from './options.ts'
import { narrowToParent } from './parent.ts'
import { withFiles } from './request-files.ts'

/** The configurations for requests that name an API version. Without existing clients, there is only one. */
function createVersionConfigs(config: Config): ReadonlyMap<string, Config> {
  if (!config.wire.namesInvenTree) return new Map()
  return new Map(API_VERSIONS.map((version) => [version, { ...config, wire: readWire('inventree', version) }]))
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const RIGHTS: Record<string, Right> = {
  GET: 'view',
  HEAD: 'view',
  OPTIONS: 'view',
  POST: 'add',
  PUT: 'change',
  PATCH: 'change',
  DELETE: 'delete',
}

const METADATA_VERBS: Record<string, string> = { GET: 'Get', PUT: 'Replace', PATCH: 'Change' }

/**
 * The route table of the service. Resources and actions are added to it; `mount` then registers each path with Fastify, with OPTIONS, and
 * 405 for missing methods.
 */
export class Routes {
  readonly operations: Operation[] = []
  readonly services: Services
  readonly #paths = new Map<string, Map<string, { operation: Operation; handler: Handler }>>()
  readonly #describers = new Map<string, Describe>()
  /** The configuration by the API version that a request names. */
  readonly #configs: ReadonlyMap<string, Config>
  /** Resources whose URLs take another key than the primary one, too. */
  readonly #named: Resource[] = []

  constructor(services: Services) {
    this.services = services
    this.#configs = createVersionConfigs(services.config)
  }

  /** Adds one operation: its handler runs after the caller's permission has been checked. */
  #add(operation: Operation, handler: Handler): void {
    const methods = this.#paths.get(operation.path) ?? new Map()
    if (methods.has(operation.method)) throw new Error(`${operation.method} ${operation.path} is defined twice`)
    methods.set(operation.method, { operation, handler })
    this.#paths.set(operation.path, methods)
    this.operations.push(operation)
  }

  addResource(resource: Resource): void {
    const { access, path, parent, without = [] } = resource
    if (resource.keyColumn) this.#named.push(resource)
    const detail = `${path}{id}/`
    const bulkDeletion = ({ wire }: Config) => (wire.reportsDeleted ? 200 : 204)
    /** `run` gets the resource within the object in the path, if it belongs to one. */
    const add = (
      method: Operation['method'],
      operationPath: string,
      kind: NonNullable<Operation['kind']>,
      summary: string,
      run: (own: Resource, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
    ) =>
      this.#add(
        {
          method,
          path: operationPath,
          access,
          right: RIGHTS[method] as Right,
          resource,
          kind,
          summary,
          status:
            kind === 'bulk-delete'
              ? bulkDeletion(this.services.config)
              : method === 'DELETE'
                ? 204
                : kind === 'create'
                  ? 201
                  : 200,
          versioned: kind === 'update' || kind === 'delete',
          keyed: kind === 'create',
          params: parent && { [parent.name]: resource.fields[parent.name]?.help ?? '' },
          errors: resource.errors?.[kind],
          example: getExample(resource, kind, method),
        },
        async (request, reply) => {
          const params = request.params as Record<string, string>
          return run(await narrowToParent(resource, params, this.#servicesFor(request)), request, reply)
        },
      )
    const noun = toNoun(resource.name)
    const one = withArticle(noun)
    const many = pluralize(noun)
    add('GET', path, 'list', `List ${many}`, (own, request, reply) => this.#list(own, request, reply))
    if (!without.includes('detail'))
      add('GET', detail, 'detail', `Get ${one}`, (own, request, reply) => this.#detail(own, request, reply))
    if (!without.includes('create')) {
      add('POST', path, 'create', `Create ${one}`, (own, request, reply) =>
        this.#write(request, reply, 201, async (write) => {
          const created = await create(own, { ...write, flags: this.#flags(own, request) })
          return { body: created.body, version: created.version }
        }),
      )
    }
    if (!without.includes('update')) {
      for (const method of ['PUT', 'PATCH'] as const) {
        add(method, detail, 'update', `${method === 'PUT' ? 'Replace' : 'Change'} ${one}`, (own, request, reply) =>
          this.#write(request, reply, 200, (write) =>
            update(own, this.#pk(request), { ...write, flags: this.#flags(own, request) }, method === 'PATCH'),
          ),
        )
      }
    }
    if (!without.includes('delete')) {
      add('DELETE', detail, 'delete', `Delete ${one}`, (own, request, reply) =>
        this.#write(request, reply, 204, async (write) => {
          await remove(own, this.#pk(request), write)
          return { body: '' }
        }),
      )
    }
    if (resource.bulkUpdate) {
      for (const method of ['PUT', 'PATCH'] as const) {
        add(method, path, 'bulk-update', `Change several ${many}`, (own, request, reply) => {
          rejectAll(readQuery(request))
          return this.#write(request, reply, 200, async (write) => {
            return { body: await updateMany(own, { ...write, flags: this.#flags(own, request) }) }
          })
        })
      }
    }
    if (resource.bulkDelete) {
      add('DELETE', path, 'bulk-delete', `Delete several ${many}`, (own, request, reply) => {
        rejectAll(readQuery(request))
        const status = bulkDeletion(this.#servicesFor(request).config)
        return this.#write(request, reply, status, async (write) => {
          await deleteMany(own, write)
          return { body: status === 200 ? '{"success":"Deleted the objects"}' : '' }
        })
      })
    }
    if ('metadata' in resource.table && !without.includes('metadata')) this.#metadata(resource, `${detail}metadata/`)
    this.#describers.set(path, describeResource(resource, 'POST'))
    this.#describers.set(detail, describeResource(resource, 'PUT'))
  }

  #metadata(resource: Resource, path: string): void {
    const value = input.json({ required: true, nullable: true })
    const add = (method: Operation['method'], handler: Handler) =>
      this.#add(
        {
          method,
          path,
          access: resource.access,
          right: RIGHTS[method] as Right,
          kind: 'metadata',
          resource,
          summary: `${METADATA_VERBS[method]} the metadata of ${withArticle(toNoun(resource.name))}`,
          status: 200,
          versioned: method !== 'GET',
          example: getExample(resource, 'metadata', method),
        },
        handler,
      )
    add('GET', async (request, reply) => {
      const pk = this.#pk(request)
      const services = this.#servicesFor(request)
      const { database } = services
      if (resource.rows) await readDetail(resource, pk, new Set(), { caller: request.caller, services, executor: database })
      return sendJson(reply, 200, await readMetadata(resource, pk, queryThrough({ database })))
    })
    for (const method of ['PUT', 'PATCH'] as const) {
      add(method, (request, reply) =>
        this.#write(request, reply, 200, async (write) => ({
          body: await writeMetadata(resource, this.#pk(request), write, value, method === 'PATCH'),
        })),
      )
    }
    this.#describers.set(path, describeAction({ metadata: value }))
  }

  addAction(definition: Endpoint): void {
    const {
      method,
      path,
      right = RIGHTS[method] as Right,
      status: ownStatus = method === 'POST' ? 201 : 200,
      writes,
    } = definition
    const { summary, description, access, params, query, errors, throttled, versioned, example } = definition
    const { unsafe, worksOnFullDisk, containsSecret, files, asyncResponse, api530 } = definition
    const body = writes ? getWriteShape(writes) : definition.body
    const { status, response } = { status: ownStatus, response: definition.response, ...this.#getChanged(definition) }
    const keyed = method === 'POST' && (definition.run !== undefined || definition.repeatable === true) && !containsSecret
    const docs = { method, path, summary, description, access, right, status, body, response, api530, params, query }
    const traits = {
      errors,
      throttled,
      versioned,
      keyed,
      unsafe,
      worksOnFullDisk,
      containsSecret,
      files,
      asyncResponse,
      example,
    }
    this.#add({ ...docs, ...traits }, async (request, reply) => {
      const base = {
        params: request.params as Record<string, string>,
        query: readQuery(request),
        url: this.#buildUrl(request),
        caller: request.caller as Caller,
        ifMatch: readHeader(request, 'if-match'),
        exchange: createExchange(request, reply),
      }
      const pk = 'id' in base.params ? this.#pk(request) : 0
      const services = this.#servicesFor(request)
      // not inside another request: it writes a file, which is slow; or uses the database by itself, and may store something elsewhere; or
      // returns a secret, which must be requested directly
      if (request.reader && (files || definition.handle || unsafe || containsSecret)) throw new Problem('permission_denied')
      if (definition.read)
        return this.#respond(reply, ownStatus, await definition.read({ ...services, ...base, pk, body: {}, raw: {} }))
      if (definition.handle) {
        const { handle, readsBody, partial } = definition
        const { result } = await withFiles(this.services, request, readBody(request), async (raw) => {
          const read = readsBody ? {} : await parseBody(this.services, body ?? {}, raw, partial)
          const work = (isRepeated?: boolean) => handle({ ...services, ...base, pk, body: read, raw, isRepeated })
          const result = definition.repeatable ? await this.#repeatable(request, reply, ownStatus, work) : await work()
          return { result, replayed: false }
        })
        return this.#respond(reply, ownStatus, result)
      }
      const prepared = await definition.prepare?.({ ...services, ...base, pk, body: {}, raw: readBody(request) })
      let actionRequest: Request<input.Shape> | undefined
      try {
        const changes = services.config.wire.changedResponses ? api530 : undefined
        const status = changes?.status ?? ownStatus
        return await this.#write(request, reply, status, async (write) => {
          const { tx, body: raw, services } = write
          if (method !== 'GET') tx.lockShared()
          actionRequest = { ...services, ...base, pk, raw, body: {} }
          if (!definition.readsBody && !writes)
            actionRequest.body = await parseBodyWithin(
              tx,
              write.services,
              body ?? {},
              changes?.defaults ? { ...changes.defaults, ...raw } : raw,
              definition.partial,
            )
          const result = await definition.run({ ...actionRequest, tx, prepared })
          return toWriteResult(changes && 'result' in changes ? changes.result : result, status)
        })
      } catch (error) {
        const problem = definition.rejected && translateDatabaseError(error)
        if (actionRequest && problem instanceof Problem) await definition.rejected?.(actionRequest, problem)
        throw error
      }
    })
    if (!body || method === 'DELETE' || this.#describers.has(path)) return
    this.#describers.set(path, writes ? describeResource(writes, 'PUT') : describeAction(body, definition))
  }

  /** Registers every path with Fastify. Unauthorized callers are rejected before any part of the body is read. */
  mount(app: FastifyInstance): void {
    const largeBodies = new LargeBodies(this.services.config.bodyLimit)
    for (const [path, methods] of this.#paths) {
      const named = this.#named.find((resource) => path.startsWith(`${resource.path}{id}/`))
      const url = named ? path.replaceAll(/\{(\w+)\}/g, ':$1') : toFastifyPath(path)
      const config = { path }
      const allowed = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS']
      for (const [method, { operation, handler }] of methods) {
        const { access, right, unsafe, keyed, worksOnFullDisk, containsSecret } = operation
        const hasFiles = acceptsFiles(operation)
        const needsDiskSpace = method !== 'GET' && !worksOnFullDisk
        app.route({
          method: method as HTTPMethods,
          url,
          config: { path, unsafe, keyed, form: getBodyShape(operation), acceptsFiles: hasFiles },
          exposeHeadRoute: method === 'GET',
          ...(containsSecret && { onSend: preventStorage }),
          bodyLimit: getBodyLimit(operation, this.services.config),
          onRequest: (request, reply, done) => {
            requireAccess(access, request.caller, right)
            if (needsDiskSpace && this.services.disk.isLow) throw new Problem('insufficient_storage')
            if (hasFiles) largeBodies.enter(request, reply)
            done()
          },
          ...(named && { preHandler: (request: FastifyRequest) => this.#findByKey(named, request) }),
          handler,
        })
      }
      const reader = (methods.get('GET') ?? [...methods.values()][0])?.operation
      const requireReader = ({ caller }: FastifyRequest) => reader && requireAccess(reader.access, caller, reader.right)
      app.route({
        method: 'OPTIONS',
        url,
        config,
        bodyLimit: getAnonymousBodyLimit(this.services.config),
        onRequest: (request, _reply, done) => {
          requireReader(request)
          done()
        },
        handler: async (request, reply) => {
          const isAllowed = (method: string) => {
            const operation = methods.get(method)?.operation
            return operation?.access(request.caller, operation.right) ?? false
          }
          const describe = this.#describers.get(path) ?? describeAction({})
          const services = { ...this.#servicesFor(request), caller: request.caller as Caller }
          const described = await describe([...methods.keys()].filter(isAllowed), services, methods.get('GET')?.operation)
          return sendJson(reply.header('allow', allowed.join(', ')), 200, JSON.stringify(described))
        },
      })
      const rejectMethod = (request: FastifyRequest) => {
        if (request.method !== 'TRACE') requireReader(request)
        throw methodNotAllowed(request.method, allowed)
      }
      const unsupportedMethods = ROUTED_METHODS.filter((method) => !allowed.includes(method))
      app.route({ method: unsupportedMethods, url, config, onRequest: rejectMethod, handler: rejectMethod })
    }
  }

  /** Writes pending data that lists have to show. */
  async flushPendingData(): Promise<void> {
    for (const { resource, kind } of this.operations) if (kind === 'list') await resource?.flush?.(this.services)
  }

  /** Replaces another key in the path by the primary key. @throws Problem 404 */
  async #findByKey({ table, keyColumn }: Resource, request: FastifyRequest): Promise<void> {
    const params = request.params as { id: string }
    if (/^\d+$/.test(params.id)) return
    const text = `select pk from ${quote(getTableName(table))} where ${quote(keyColumn?.name ?? 'pk')} = $1`
    const [row] = await this.#servicesFor(request).database.read<{ pk: number }>({ text, values: [params.id] })
    if (!row) throw notFound()
    params.id = String(row.pk)
  }

  #pk(request: FastifyRequest): number {
    return readPathKey((request.params as { id: string }).id)
  }

  /** The flags of the response to a write. */
  #flags(resource: Resource, request: FastifyRequest) {
    return readWriteFlags(resource, readQuery(request), this.#servicesFor(request).config.wire)
  }

  /**
   * The services for a handler. A request inside a write reads from the write's transaction; one that names an API version gets responses in
   * the form of that.
   */
  #servicesFor(request: FastifyRequest): Services {
    const { reader } = request
    const services = reader ? { ...this.services, database: reader } : this.services
    const config = this.#configs.get(readHeader(request, API_VERSION_HEADER) ?? '')
    return config ? { ...services, config } : services
  }

  /** The status and the response of an operation that clients of the configured API version expect, if they differ. */
  #getChanged({ api530 }: Endpoint): { status?: number; response?: TSchema } {
    if (!api530 || !this.services.config.wire.changedResponses) return {}
    const { status, response } = api530
    return { ...(status && { status }), ...(response && { response }) }
  }

  #buildUrl(request: FastifyRequest): string {
    return `${getSite(request)}${request.url.split('?', 1)[0]}`
  }

  async #list(resource: Resource, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const services = this.#servicesFor(request)
    // a request inside another one holds a connection, and must not wait for a second one
    if (!request.reader) await resource.flush?.(services)
    const query = readQuery(request)
    const kind = readListFileKind(query)
    if (kind) {
      const file = await writeListFile(resource, kind, query, request.caller, services)
      return reply
        .header('content-type', LIST_FILES[kind])
        .header('content-disposition', formatDisposition('attachment', buildListFileName(resource, kind, services)))
        .send(Buffer.from(file))
    }
    const isLimitOptional = services.config.wire.bareLists
    const window = readListWindow(query, services.config.maxPageSize, isLimitOptional)
    const result = await findConditions(resource, query, services)
    const listRequest = readListRequest(resource, query, request.caller, window, services, result)
    const page = await runList(resource, listRequest, request.caller, services)
    if (window.limit === undefined) return sendJson(reply, 200, page.rows)
    const url = this.#buildUrl(request)
    const { next, previous } =
      'offset' in window
        ? buildPageLinks(url, query, window.limit, window.offset, page.count)
        : buildCursorLinks(url, query, window.limit, page.cursor)
    return sendJson(
      reply,
      200,
      `{"count":${page.count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":${page.rows}}`,
    )
  }

  async #detail(resource: Resource, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const services = this.#servicesFor(request)
    const result = await readDetail(
      resource,
      this.#pk(request),
      readDetailFlags(resource, readQuery(request), this.#servicesFor(request).config.wire),
      {
        caller: request.caller,
        services,
        executor: services.database,
      },
    )
    return sendJson(reply.header('etag', `"${result.version}"`), 200, result.body)
  }

  #respond(reply: FastifyReply, status: number, result: unknown): FastifyReply {
    if (result instanceof Json) return sendJson(reply.headers(result.headers), status, result.text)
    if (result instanceof Bytes)
      return reply.headers(result.headers).header('content-type', result.type).code(status).send(Buffer.from(result.bytes))
    if (result instanceof FileStream)
      return reply.headers(result.headers).header('content-type', result.type).code(status).send(result.stream)
    if (result instanceof Reply) {
      reply.headers(result.headers)
      if (result.value === undefined) return reply.code(result.status).send()
      return sendJson(reply, result.status, writeJson(result.value))
    }
    return sendJson(reply, status, JSON.stringify(result ?? {}))
  }

  /** The Idempotency-Key of a request to an operation that supports it. */
  #readKeyed(request: FastifyRequest): KeyedRequest | undefined {
    const key = readHeader(request, 'idempotency-key')
    const { caller, routeOptions } = request
    if (!routeOptions.config.keyed || key === undefined || !caller) return undefined
    const { secrets } = this.services
    const bodyHash = secrets.digest('idempotency', toComparableText(readBody(request)))
    return readKeyedRequest(key, caller.pk, request.method, request.url, bodyHash)
  }

  /** Runs work that has transactions of its own; repeating it with an Idempotency-Key returns the first response, if it has ended. */
  async #repeatable(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    work: (isRepeated: boolean) => Promise<ActionResult> | ActionResult,
  ): Promise<ActionResult> {
    const keyed = this.#readKeyed(request)
    if (!keyed) return work(false)
    const { database } = this.#servicesFor(request)
    const begun = await database.transaction((tx) => beginKey(tx, keyed))
    if (!('isRepeated' in begun)) {
      reply.header('idempotency-replayed', 'true')
      return new Reply(begun.status, JSON.parse(begun.body))
    }
    try {
      const result = await work(begun.isRepeated)
      const body = result instanceof Json ? result.text : JSON.stringify(result ?? {})
      await database.transaction((tx) => storeResponse(tx, keyed, { status, body }))
      return result
    } catch (error) {
      if (error instanceof Problem && error.status < 500) await database.transaction((tx) => releaseKey(tx, keyed))
      throw error
    }
  }

  /** Runs a write in one transaction; repeating a POST with an Idempotency-Key returns the first response. */
  async #write(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    work: (write: WriteRequest) => Promise<WriteResult>,
  ): Promise<FastifyReply> {
    const services = this.#servicesFor(request)
    const body = readBody(request)
    const caller = request.caller as Caller
    const exchange = createExchange(request, reply)
    const keyed = this.#readKeyed(request)
    const outcome = await withFiles(this.services, request, body, (body) =>
      services.database.transaction(async (tx: Tx) => {
        const replayed: StoredResponse | undefined = keyed && (await claimKey(tx, keyed))
        if (replayed) return { ...replayed, replayed: true, version: undefined, headers: undefined }
        const result = await work({
          tx,
          caller,
          services,
          exchange,
          body,
          flags: new Set(),
          ifMatch: readHeader(request, 'if-match'),
        })
        const storedResponse = { status, ...result }
        if (keyed) await storeResponse(tx, keyed, storedResponse)
        return { ...storedResponse, replayed: false }
      }, caller?.pk),
    )
    if (outcome.replayed) reply.header('idempotency-replayed', 'true')
    if (outcome.version) reply.header('etag', `"${outcome.version}"`)
    if (outcome.headers) reply.headers(outcome.headers)
    return outcome.body === '' ? reply.code(outcome.status).send() : sendJson(reply, outcome.status, outcome.body)
  }
}

/** The response of a write: its body, and its status if that is not the operation's. */
type WriteResult = { body: string; status?: number; version?: string; headers?: Record<string, string> }

/** The response of an action, as it is sent and stored. */
function toWriteResult(result: unknown, status: number): WriteResult {
  if (result instanceof Json) return { body: result.text, headers: result.headers }
  if (result instanceof Reply)
    return { status: result.status, body: result.value === undefined ? '' : writeJson(result.value), headers: result.headers }
  return { body: status === 204 ? '' : JSON.stringify(result ?? {}) }
}

/** The maximum body size of an operation, in bytes; undefined for the default. A file in JSON takes four characters for three bytes. */
function getBodyLimit(operation: Operation, config: Config): number | undefined {
  if (operation.access(undefined, operation.right)) return getAnonymousBodyLimit(config)
  return acceptsFiles(operation) ? config.bodyLimit + Math.ceil((config.maxFileBytes * 4) / 3) : undefined
}
