import type { Shape } from './fields.ts'
import type { Account, Body, Fixture, Headers } from './test-data.ts'

/** Input of a call: the object in its URL, a valid body, and the caller. */
export type RequestSetup = { path?: Record<string, string | number>; body?: Body; as?: Account }

/** Response of an operation: the success status, and the object, a page of objects, an array of them, the body's own fields, or nothing. */
export type ResponseSpec = {
  status: number
  form: 'object' | 'page' | 'array' | 'echo' | 'none'
  shape?: Shape
  /** Further fields from other sources: InvenTree's API descriptions, or docs/decisions.md. */
  extraFields?: readonly string[]
}

/** A query parameter: test values, each with the names of the rows that it selects. */
export type Parameter = {
  type: 'boolean' | 'integer' | 'string'
  getCases: (testData: TestData) => [value: unknown, names: string[]][]
}

/** Contents of a list while its parameters are tested: the keys of rows by name, and other values. */
export type TestData = { rows: Record<string, unknown>; values?: Record<string, string | number> }

/** A row of the tables in the section "Endpoints": first the columns of the tables, then what the tests need. */
export type Row = {
  /** Methods and path: `GET, PATCH, PUT, DELETE /api/report/asset/{id}/` are four operations. */
  operation: string
  parameters?: Record<string, Parameter>
  /** Fields that a list can be sorted by; a list with any accepts `ordering`. */
  ordering?: readonly string[]
  body?: Shape
  response: ResponseSpec
  /** The required caller: `member` has every role, and `account` none; `anonymous` needs no account. */
  caller?: 'anonymous' | 'account' | 'member' | 'staff' | 'superuser'
  /** Creates the input of a call; called before each call. */
  setup?: (fixture: Fixture) => Promise<RequestSetup>
  /** Inputs of other calls that must succeed. */
  otherSetups?: readonly ((fixture: Fixture) => Promise<RequestSetup>)[]
  /** Asserts the effect described in the table, after a call with these credentials. */
  effect?: (fixture: Fixture, headers: Headers, setup: RequestSetup) => Promise<void>
  testData?: (fixture: Fixture) => Promise<TestData>
  /** The field that identifies the rows of a list. */
  key?: string
  /** Body fields that must have the same value. */
  equalFields?: readonly string[]
}

/** One method of a row. */
export type Operation = Row & { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }

export const ok = (shape: Shape, extraFields?: readonly string[]): ResponseSpec => ({
  status: 200,
  form: 'object',
  shape,
  extraFields,
})
export const created = (shape: Shape, extraFields?: readonly string[]): ResponseSpec => ({
  status: 201,
  form: 'object',
  shape,
  extraFields,
})
export const page = (shape: Shape, extraFields?: readonly string[]): ResponseSpec => ({
  status: 200,
  form: 'page',
  shape,
  extraFields,
})
export const array = (shape: Shape): ResponseSpec => ({ status: 200, form: 'array', shape })
/** `echo of the body`: the result is added to it (docs/decisions.md#responses-of-barcode-operations). */
export const echo: ResponseSpec = { status: 201, form: 'echo' }
/** `none`: no body schema. The specification leaves the contents open; docs/decisions.md defines them. */
export const none: ResponseSpec = { status: 200, form: 'none' }

/** Splits a row into operations, by the general conventions: only POST, PUT and PATCH have a body, and DELETE returns 204 without one. */
export function splitRow(row: Row): Operation[] {
  const [, methods = '', path = ''] = /^([A-Z, ]+) (\/.*\/)$/.exec(row.operation) ?? []
  return methods.split(', ').map((method) => ({
    ...row,
    method: method as Operation['method'],
    path,
    ...(method === 'GET' || method === 'DELETE' ? { body: undefined } : {}),
    ...(method === 'DELETE' ? { response: { status: 204, form: 'none' } } : {}),
  }))
}

/** A boolean parameter that is true for these rows of the test data, and false for all others. */
export const flag = (...names: string[]): Parameter => ({
  type: 'boolean',
  getCases: ({ rows }) => [
    ['true', names],
    ['false', Object.keys(rows).filter((name) => !names.includes(name))],
  ],
})

/** An integer parameter: the value with that name in the test data selects these rows. */
export const reference = (value: string, ...names: string[]): Parameter => ({
  type: 'integer',
  getCases: ({ values = {} }) => [[values[value], names]],
})

/** A string parameter: strings, each with the rows that it selects. */
export const text = (getTexts: (values: any) => [text: string, ...names: string[]][]): Parameter => ({
  type: 'string',
  getCases: ({ values = {} }) => getTexts(values).map(([value, ...names]) => [value, names]),
})

/** Calls an operation on the object of another setup, with metadata as the body. */
export const withMetadata =
  (setup: (fixture: Fixture) => Promise<RequestSetup>) =>
  async (fixture: Fixture): Promise<RequestSetup> => ({ ...(await setup(fixture)), body: { metadata: { any: ['value'] } } })

/** Calls an operation on a new object: created at `path` with the body, and addressed by its key. */
export const withNewObject =
  (path: string, body: (fixture: Fixture) => Promise<Body>) =>
  async (fixture: Fixture): Promise<RequestSetup> => {
    const setup = await body(fixture)
    return { path: { id: await fixture.create(path, setup) }, body: setup }
  }

/** Calls an operation with a new body. */
export const withBody =
  (body: (fixture: Fixture) => Promise<Body>) =>
  async (fixture: Fixture): Promise<RequestSetup> => ({ body: await body(fixture) })
