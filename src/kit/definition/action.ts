import type { Readable } from 'node:stream'
import type { TSchema } from 'typebox'
import type { Access, Caller, Right } from '../request/caller.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Problem, ProblemCode } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import type { Tx } from '../sql/tx.ts'
import type { Query } from './filter.ts'
import type { Api530Metadata, Shape, ValuesOf } from './input.ts'
import type { Resource } from './resource.ts'

/** A request to the demo workshop (`src/demo/`), and the status of its response, if it cannot be the success status. */
export type Example = {
  /** Values of the URL parameters. */
  params?: Readonly<Record<string, string | number>>
  query?: Query
  body?: Readonly<Record<string, unknown>>
  status?: number
  /** The account that sends it, if not `demo`. */
  username?: string
}

/** How an operation differs for clients of API 530 (docs/configuration.md#api-version). */
type EndpointChanges = {
  /** The status and the schema of the response, and the result if it is always the same (`changedResponses`). */
  status?: number
  response?: TSchema
  result?: unknown
  /** Values of fields of the body that they may omit. */
  defaults?: Readonly<Record<string, unknown>>
  /** Metadata in OPTIONS of the fields of a GET response, by name. */
  metadata?: Readonly<Record<string, Api530Metadata>>
}

type Contract<S extends Shape> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, `/api/order/po/{id}/receive/`. `{id}` is a primary key, other parameters are strings. */
  path: string
  /** One line for the OpenAPI document. */
  summary: string
  /** The effect and the errors, in sentences for the OpenAPI document. Required permissions are added from `access`. */
  description?: string
  /** The operation's own errors, by code, each with its condition; without those that follow from its other properties. */
  errors?: Partial<Record<ProblemCode, string>>
  /** Whether its requests are counted, and rejected with 429 if there are too many. */
  throttled?: boolean
  /** Whether it changes an object whose version If-Match may name. */
  versioned?: boolean
  /** A request to the demo workshop that the OpenAPI document shows and a test sends. */
  example?: Example
  access: Access
  /** The required permission; by default the one for the method. */
  right?: Right
  /** The fields of the body. */
  body?: S
  /** Values that OPTIONS suggests, by field of the body. */
  suggested?: (services: Services & { caller: Caller }) => Promise<Record<string, unknown>>
  /** PATCH: absent fields of the body stay absent. */
  partial?: boolean
  /** `run`, or `handle`, reads the body itself, from `raw`. */
  readsBody?: boolean
  api530?: EndpointChanges
  /** A change of an object of this resource under a separate URL: the resource reads the body, and OPTIONS shows its fields. */
  writes?: Resource
  /** URL parameters other than `{id}`, with their descriptions. */
  params?: Record<string, string>
  /** Query parameters, for the OpenAPI document. */
  query?: Record<string, string>
  status?: number
  /** The schema of the response; without one it has no body, or is a file. */
  response?: TSchema
  /** The schema of the 202 response, sent when the work is done in the background (`Prefer: respond-async`). */
  asyncResponse?: TSchema
  /** Media types of the files that it may return in addition to `response`. */
  files?: readonly string[]
  /** A GET that changes something: from another site's page it is rejected like an unsafe method. */
  unsafe?: true
  /** Stores almost nothing: it still works while other changes are rejected because the disk is nearly full. */
  worksOnFullDisk?: true
  /** The response holds a secret, or signs a browser in: it is stored nowhere, neither in caches nor for an Idempotency-Key. */
  containsSecret?: true
  /** A procedure that changes everything once, however often it runs: its JSON response is stored for an Idempotency-Key once it has ended. */
  repeatable?: true
}

export type Request<S extends Shape> = Services & {
  caller: Caller
  pk: number
  params: Record<string, string>
  query: Query
  body: ValuesOf<S>
  /** The body as received. */
  raw: Readonly<Record<string, unknown>>
  /** The absolute URL of the request's path, for links. */
  url: string
  ifMatch?: string
  exchange: Exchange
  /** Of a `repeatable` procedure: whether a request with the same Idempotency-Key began before, and did not end. */
  isRepeated?: boolean
}

/** The result of an action: a value that becomes JSON, JSON text as it is, a file, or a reply with a status of its own. */
export type ActionResult = unknown | Json | Bytes | FileStream | Reply

/** A response with another status than the operation's, or with headers, such as a redirect. Without a value it has no body. */
export class Reply {
  readonly status: number
  readonly value: unknown
  readonly headers: Record<string, string>

  constructor(status: number, value?: unknown, headers: Record<string, string> = {}) {
    this.status = status
    this.value = value
    this.headers = headers
  }
}

/** A file, sent as it is. */
export class Bytes {
  readonly type: string
  readonly bytes: Uint8Array
  readonly headers: Record<string, string>

  /** @param type its media type, such as `application/pdf` */
  constructor(type: string, bytes: Uint8Array, headers: Record<string, string> = {}) {
    this.type = type
    this.bytes = bytes
    this.headers = headers
  }
}

/** A file of any size, sent while it is read. If reading it fails, the connection is closed, so that the client does not take a part for the whole. */
export class FileStream {
  readonly type: string
  readonly stream: Readable
  readonly headers: Record<string, string>

  /** @param type its media type, such as `application/x-tar` */
  constructor(type: string, stream: Readable, headers: Record<string, string> = {}) {
    this.type = type
    this.stream = stream
    this.headers = headers
  }
}

/** JSON text from the database, sent as it is. */
export class Json {
  readonly text: string
  readonly headers: Record<string, string>

  constructor(text: string, headers: Record<string, string> = {}) {
    this.text = text
    this.headers = headers
  }
}

/** A change other than the plain writes of a resource. It runs in one transaction. */
export type Action<S extends Shape = Shape, Prepared = unknown> = Contract<S> & {
  /**
   * Calls external code, such as plugins, before the transaction begins, so that the transaction does not wait for it. The body has not been
   * read yet. Only `run` may reject the request; it is not called for a request that repeats an earlier one.
   */
  prepare?: (request: Request<Shape>) => Promise<Prepared>
  run: (request: Request<S> & { tx: Tx; prepared: Prepared }) => Promise<ActionResult> | ActionResult
  /** Runs after a request was rejected and rolled back. Its body is empty if it could not be read. Repeated requests do not count. */
  rejected?: (request: Request<S>, problem: Problem) => Promise<void>
  read?: never
  handle?: never
}

/** An operation that only reads, and returns neither a plain list nor a detail. */
export type View<S extends Shape = Shape> = Contract<S> & {
  read: (request: Request<S>) => Promise<ActionResult> | ActionResult
  run?: never
  handle?: never
}

/**
 * An operation that opens its own transactions: because it does work that must not hold a connection, such as hashing a password, or
 * because it has to store something even if it fails. It supports Idempotency-Key only if it is `repeatable`.
 */
export type Procedure<S extends Shape = Shape> = Contract<S> & {
  handle: (request: Request<S>) => Promise<ActionResult> | ActionResult
  run?: never
  read?: never
}

/** Any of the three types of operation. */
export type Endpoint = Action | View | Procedure

export const action = <S extends Shape, Prepared>(definition: Omit<Action<S, Prepared>, 'read' | 'handle'>): Action =>
  definition as unknown as Action

export const view = (definition: Omit<View, 'run' | 'handle' | 'method'>): View => ({ ...definition, method: 'GET' }) as View

export const procedure = <S extends Shape>(definition: Omit<Procedure<S>, 'run' | 'read'>): Procedure =>
  definition as unknown as Procedure
