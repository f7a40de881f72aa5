import type { TSchema } from 'typebox'
import type { Access, Caller, Right } from './caller.ts'
import type { Query } from './filter.ts'
import type { Shape, ValuesOf } from './input.ts'
import type { Services } from './services.ts'
import type { Tx } from './tx.ts'

type Contract<S extends Shape> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The address, `/api/order/po/{id}/receive/`. `{id}` is a primary key, other names are texts. */
  path: string
  /** One line for the OpenAPI document. */
  summary: string
  access: Access
  /** The right that is asked for; by default the one that goes with the method. */
  right?: Right
  /** The fields of the body. */
  body?: S
  /** PATCH: the fields of the body that are absent are left out. */
  partial?: boolean
  /** `run` reads the body itself, out of `raw`. */
  readsBody?: boolean
  /** Query parameters, for the OpenAPI document. */
  query?: Record<string, string>
  status?: number
  /** The schema of the answer; without one there is no body. */
  answer?: TSchema
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
}

/** What an action answers: a value that becomes JSON, or JSON text as it is. */
export type Answer = unknown | Json

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
export type Action<S extends Shape = Shape> = Contract<S> & {
  run: (request: Request<S> & { tx: Tx }) => Promise<Answer> | Answer
  read?: never
}

/** An answer that is no plain list or detail. It reads, and changes nothing. */
export type View<S extends Shape = Shape> = Contract<S> & { read: (request: Request<S>) => Promise<Answer> | Answer; run?: never }

export const action = <S extends Shape>(definition: Omit<Action<S>, 'read'>): Action => definition as unknown as Action

export const view = (definition: Omit<View, 'run' | 'method'>): View => ({ ...definition, method: 'GET' }) as View
