import type { TSchema } from 'typebox'
import type { Access, Caller, Right } from '../request/caller.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Problem, ProblemCode } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import type { Tx } from '../sql/tx.ts'
import type { Query } from './filter.ts'
import type { Shape, ValuesOf } from './input.ts'
import type { Resource } from './resource.ts'

/** A request to the demo workshop (`src/demo/`), and the status that it is answered with, if it cannot be the good one. */
export type Example = {
  /** Values of the places in the address. */
  params?: Readonly<Record<string, string | number>>
  query?: Query
  body?: Readonly<Record<string, unknown>>
  status?: number
  /** The account that sends it, where that is not `demo`. */
  as?: string
}

type Contract<S extends Shape> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The address, `/api/order/po/{id}/receive/`. `{id}` is a primary key, other names are texts. */
  path: string
  /** One line for the OpenAPI document. */
  summary: string
  /** What it does and what it refuses, in sentences for the OpenAPI document. Who may is added from `access`. */
  description?: string
  /** Refusals of its own, by code, each with when it happens; those that follow from its form are known. */
  refuses?: Partial<Record<ProblemCode, string>>
  /** Counted, and refused with 429 when it is asked too often. */
  throttled?: boolean
  /** Changes an object whose version If-Match may name. */
  versioned?: boolean
  /** A request to the demo workshop that the OpenAPI document shows and a test sends. */
  example?: Example
  access: Access
  /** The right that is asked for; by default the one that goes with the method. */
  right?: Right
  /** The fields of the body. */
  body?: S
  /** Values that OPTIONS suggests, by field of the body. */
  suggested?: (services: Services & { caller: Caller }) => Promise<Record<string, unknown>>
  /** PATCH: the fields of the body that are absent are left out. */
  partial?: boolean
  /** `run`, or `handle`, reads the body itself, out of `raw`. */
  readsBody?: boolean
  /** A change of an object of this resource under an address of its own: the resource reads the body, and OPTIONS tells its fields. */
  writes?: Resource
  /** The places in the address other than `{id}`, each with what stands there. */
  params?: Record<string, string>
  /** Query parameters, for the OpenAPI document. */
  query?: Record<string, string>
  status?: number
  /** The schema of the answer; without one there is no body, or a file. */
  answer?: TSchema
  /** The schema of the answer 202, with which something is begun that is done in the background (`Prefer: respond-async`). */
  later?: TSchema
  /** The media types of the files that it answers, beside `answer`. */
  files?: readonly string[]
  /** A GET that changes something: from another site's page it is refused like an unsafe method (decision 35). */
  unsafe?: true
  /** Stores next to nothing: it goes on while other changes are refused because the disk is nearly full. */
  needsNoRoom?: true
  /** The answer holds a secret, or lets a browser in: it is kept nowhere, on its way or for an Idempotency-Key (decision 39). */
  holdsSecret?: true
}

export type Request<S extends Shape> = Services & {
  caller: Caller
  pk: number
  params: Record<string, string>
  query: Query
  body: ValuesOf<S>
  /** The body as it came. */
  raw: Readonly<Record<string, unknown>>
  /** The absolute address of the request's path, for links. */
  url: string
  ifMatch?: string
  exchange: Exchange
}

/** What an action answers: a value that becomes JSON, JSON text as it is, a file, or a reply with a status of its own. */
export type Answer = unknown | Json | Bytes | Reply

/** An answer with another status than the operation's, or with headers, such as a redirect. Without a value it has no body. */
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

  /** @param type its media type, as `application/pdf` */
  constructor(type: string, bytes: Uint8Array, headers: Record<string, string> = {}) {
    this.type = type
    this.bytes = bytes
    this.headers = headers
  }
}

/** JSON text made by the database, sent as it is. */
export class Json {
  readonly text: string
  readonly headers: Record<string, string>

  constructor(text: string, headers: Record<string, string> = {}) {
    this.text = text
    this.headers = headers
  }
}

/** A change other than the plain writes of a resource. It runs in one transaction; its head is its contract. */
export type Action<S extends Shape = Shape, Asked = unknown> = Contract<S> & {
  /**
   * Asks others, such as plugins, what it has to know, before the transaction begins, which would wait for them. Nothing is read of the body yet.
   * It leaves it to `run` to reject the request, which is not called for one that repeats an earlier one.
   */
  ask?: (request: Request<Shape>) => Promise<Asked>
  run: (request: Request<S> & { tx: Tx; asked: Asked }) => Promise<Answer> | Answer
  /** Runs after a request was rejected and rolled back. Its body is empty where it could not be read. Repeated requests do not count. */
  rejected?: (request: Request<S>, problem: Problem) => Promise<void>
  read?: never
  handle?: never
}

/** An answer that is no plain list or detail. It reads, and changes nothing. */
export type View<S extends Shape = Shape> = Contract<S> & {
  read: (request: Request<S>) => Promise<Answer> | Answer
  run?: never
  handle?: never
}

/**
 * An operation that opens its own transactions: because it does work that must not hold a connection meanwhile, such as
 * hashing a password, or because a refusal has to leave something behind. It knows no Idempotency-Key.
 */
export type Procedure<S extends Shape = Shape> = Contract<S> & {
  handle: (request: Request<S>) => Promise<Answer> | Answer
  run?: never
  read?: never
}

/** Any of the three. */
export type Endpoint = Action | View | Procedure

export const action = <S extends Shape, Asked>(definition: Omit<Action<S, Asked>, 'read' | 'handle'>): Action =>
  definition as unknown as Action

export const view = (definition: Omit<View, 'run' | 'handle' | 'method'>): View => ({ ...definition, method: 'GET' }) as View

export const procedure = <S extends Shape>(definition: Omit<Procedure<S>, 'run' | 'read'>): Procedure =>
  definition as unknown as Procedure
