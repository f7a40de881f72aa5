import type { Shape } from './fields.ts'
import type { Account, Body, Headers, World } from './world.ts'

/** Input of a call: the object in its URL, a valid body, and the caller. */
export type Given = { path?: Record<string, string | number>; body?: Body; as?: Account }

/** Response of an operation: the success status, and the object, a page of objects, an array of them, the body's own fields, or nothing. */
export type Answer = {
  status: number
  form: 'object' | 'page' | 'array' | 'echo' | 'none'
  shape?: Shape
  /** Further fields from other sources: the descriptions of the existing system, or a decision. */
  besides?: readonly string[]
}

/** A query parameter: test values, each with the rows of the scene that it selects. */
export type Parameter = { type: 'boolean' | 'integer' | 'string'; finds: (scene: Scene) => [value: unknown, names: string[]][] }

/** Contents of a list while its parameters are tested: the keys of rows by name, and other values. */
export type Scene = { rows: Record<string, unknown>; values?: Record<string, string | number> }

/** A row of the tables in the section "Endpoints". First the columns of the tables, then the data needed for testing. */
export type Row = {
  /** Methods and path: `GET, PATCH, PUT, DELETE /api/report/asset/{id}/` are four operations. */
  operation: string
  parameters?: Record<string, Parameter>
  /** Fields that a list can be sorted by; a list with any accepts `ordering`. */
  ordering?: readonly string[]
  body?: Shape
  answer: Answer
  /** The required caller: `member` has every role, and `account` none; `anonymous` needs no account. */
  by?: 'anonymous' | 'account' | 'member' | 'staff' | 'superuser'
  /** Called before each call. */
  given?: (world: World) => Promise<Given>
  /** Other calls that must succeed. */
  also?: readonly ((world: World) => Promise<Given>)[]
  /** Asserts the effect described in the table, after a call with these credentials. */
  effect?: (world: World, headers: Headers, given: Given) => Promise<void>
  scene?: (world: World) => Promise<Scene>
  /** The field that identifies the rows of a list. */
  key?: string
  /** Body fields that must have the same value. */
  alike?: readonly string[]
}

/** One method of a row. */
export type Operation = Row & { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }

export const ok = (shape: Shape, besides?: readonly string[]): Answer => ({ status: 200, form: 'object', shape, besides })
export const created = (shape: Shape, besides?: readonly string[]): Answer => ({ status: 201, form: 'object', shape, besides })
export const page = (shape: Shape, besides?: readonly string[]): Answer => ({ status: 200, form: 'page', shape, besides })
export const array = (shape: Shape): Answer => ({ status: 200, form: 'array', shape })
/** `echo of the body`: the result is added to it (decisions 20 and 28). */
export const echo: Answer = { status: 201, form: 'echo' }
/** `none`: no body schema. decisions 13, 19 and 29 define the contents. */
export const none: Answer = { status: 200, form: 'none' }

/** Splits a row into operations, by the general conventions: only POST, PUT and PATCH have a body, and DELETE returns 204 without one. */
export function operationsOf(row: Row): Operation[] {
  const [, methods = '', path = ''] = /^([A-Z, ]+) (\/.*\/)$/.exec(row.operation) ?? []
  return methods.split(', ').map((method) => ({
    ...row,
    method: method as Operation['method'],
    path,
    ...(method === 'GET' || method === 'DELETE' ? { body: undefined } : {}),
    ...(method === 'DELETE' ? { answer: { status: 204, form: 'none' } } : {}),
  }))
}

/** A boolean parameter that is true for these rows of the scene, and false for all others. */
export const flag = (...names: string[]): Parameter => ({
  type: 'boolean',
  finds: ({ rows }) => [
    ['true', names],
    ['false', Object.keys(rows).filter((name) => !names.includes(name))],
  ],
})

/** An integer parameter: the scene's value with that name selects these rows. */
export const reference = (value: string, ...names: string[]): Parameter => ({
  type: 'integer',
  finds: ({ values = {} }) => [[values[value], names]],
})

/** A text parameter: texts, each with the rows that it selects. */
export const text = (finds: (values: any) => [text: string, ...names: string[]][]): Parameter => ({
  type: 'string',
  finds: ({ values = {} }) => finds(values).map(([value, ...names]) => [value, names]),
})

/** Sets metadata of the object that another call uses. */
export const metadataOf =
  (given: (world: World) => Promise<Given>) =>
  async (world: World): Promise<Given> => ({ ...(await given(world)), body: { metadata: { any: ['value'] } } })

/** Calls an operation on a new object: created at `path` with the body, and addressed by its key. */
export const onNew =
  (path: string, body: (world: World) => Promise<Body>) =>
  async (world: World): Promise<Given> => {
    const given = await body(world)
    return { path: { id: await world.create(path, given) }, body: given }
  }

/** Calls an operation with a new body. */
export const withBody =
  (body: (world: World) => Promise<Body>) =>
  async (world: World): Promise<Given> => ({ body: await body(world) })
