import type { Shape } from './fields.ts'
import type { Account, Body, Headers, World } from './world.ts'

/** What a call stands on: the object in its address, a body that is taken, and whose call it is. */
export type Given = { path?: Record<string, string | number>; body?: Body; as?: Account }

/** What an operation answers: the status of success, and the object, a page of it, an array of it, the body's own fields, or nothing. */
export type Answer = {
  status: number
  form: 'object' | 'page' | 'array' | 'echo' | 'none'
  shape?: Shape
  /** Further fields that other sources name: the descriptions of the existing system, or a decision. */
  besides?: readonly string[]
}

/** A query parameter: values of it, each with the rows of the scene that are found by it. */
export type Parameter = { type: 'boolean' | 'integer' | 'string'; finds: (scene: Scene) => [value: unknown, names: string[]][] }

/** What stands in a list while its parameters are tried: the keys of rows by name, and other values. */
export type Scene = { rows: Record<string, unknown>; values?: Record<string, string | number> }

/** A row of the tables in the section "Endpoints". The columns are those of the tables; what follows is what trying it needs. */
export type Row = {
  /** Methods and address: `GET, PATCH, PUT, DELETE /api/report/asset/{id}/` are four operations. */
  operation: string
  parameters?: Record<string, Parameter>
  /** Names to order a list by; a list with any takes `ordering`. */
  ordering?: readonly string[]
  body?: Shape
  answer: Answer
  /** Who may call it: `member` has every role, and `account` none; `anonymous` needs no account. */
  by?: 'anonymous' | 'account' | 'member' | 'staff' | 'superuser'
  /** Called before each call. */
  given?: (world: World) => Promise<Given>
  /** Other calls that succeed. */
  also?: readonly ((world: World) => Promise<Given>)[]
  /** What the table says of the effect, after a call with these credentials. */
  effect?: (world: World, headers: Headers, given: Given) => Promise<void>
  scene?: (world: World) => Promise<Scene>
  /** The field by which rows of a list are known. */
  key?: string
  /** Fields of the body that must hold the same. */
  alike?: readonly string[]
}

/** One method of a row. */
export type Operation = Row & { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }

export const ok = (shape: Shape, besides?: readonly string[]): Answer => ({ status: 200, form: 'object', shape, besides })
export const created = (shape: Shape, besides?: readonly string[]): Answer => ({ status: 201, form: 'object', shape, besides })
export const page = (shape: Shape, besides?: readonly string[]): Answer => ({ status: 200, form: 'page', shape, besides })
export const array = (shape: Shape): Answer => ({ status: 200, form: 'array', shape })
/** `echo of the body`: what was found stands beside it (decisions 20 and 28). */
export const echo: Answer = { status: 201, form: 'echo' }
/** `none`: no schema of a body. decisions 13, 19 and 29 say what there is. */
export const none: Answer = { status: 200, form: 'none' }

/**
 * The operations of a row, by the general conventions: only POST, PUT and PATCH have a body, and DELETE answers 204 with none.
 */
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

/** A boolean parameter: what is true of these rows of the scene, and of no other. */
export const flag = (...names: string[]): Parameter => ({
  type: 'boolean',
  finds: ({ rows }) => [
    ['true', names],
    ['false', Object.keys(rows).filter((name) => !names.includes(name))],
  ],
})

/** An integer parameter: the value of that name in the scene finds these rows. */
export const reference = (value: string, ...names: string[]): Parameter => ({
  type: 'integer',
  finds: ({ values = {} }) => [[values[value], names]],
})

/** A text parameter: texts, each with the rows that it finds. */
export const text = (finds: (values: any) => [text: string, ...names: string[]][]): Parameter => ({
  type: 'string',
  finds: ({ values = {} }) => finds(values).map(([value, ...names]) => [value, names]),
})

/** Metadata of what another call stands on. */
export const metadataOf =
  (given: (world: World) => Promise<Given>) =>
  async (world: World): Promise<Given> => ({ ...(await given(world)), body: { metadata: { any: ['value'] } } })

/** A call on a new object: made at `path` with the body, and addressed by its key. */
export const onNew =
  (path: string, body: (world: World) => Promise<Body>) =>
  async (world: World): Promise<Given> => {
    const given = await body(world)
    return { path: { id: await world.create(path, given) }, body: given }
  }

/** A call with a new body. */
export const withBody =
  (body: (world: World) => Promise<Body>) =>
  async (world: World): Promise<Given> => ({ body: await body(world) })
