import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type TObject, type TSchema, Type } from 'typebox'
import type { Access, Caller } from '../request/caller.ts'
import type { Errors } from '../request/errors.ts'
import type { Exchange } from '../request/exchange.ts'
import type { ProblemCode } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import type { Expression } from '../sql/sql.ts'
import type { Tx } from '../sql/tx.ts'
import type { Field, Fields, Flags } from './field.ts'
import type { Condition, Filter, Query } from './filter.ts'
import { type ReferredColumns, withDescription } from './input.ts'

/** A row as the database returns it: column name to value; decimals, dates and timestamps as strings. */
export type Row = Record<string, unknown> & { pk: number }

/** The body of a request, not yet read. */
export type Body = Record<string, unknown>

/** Data of a request that a write needs. */
export type WriteRequest = {
  tx: Tx
  caller: Caller
  services: Services
  exchange: Exchange
  body: Body
  flags: Flags
  ifMatch?: string
}

/** A write in progress: the data that the resource's rules may read and change before anything is stored. */
export type Write = Services & {
  tx: Tx
  caller: Caller
  exchange: Exchange
  /** The locked row before an update; undefined on creation. */
  before: Row | undefined
  /** The values to write, by field name; rules may change them. Only rules use fields without a column. */
  values: Record<string, unknown>
  /** Data of the objects that the body refers to, by field: the columns that the field keeps. */
  referred: ReferredColumns
  /** Columns that are not fields of the resource, set by rules. */
  hidden: Record<string, unknown>
  /** Rules add their errors here; the write is rejected if there are any. */
  errors: Errors
  /** The value of a field after the write: the one being written, otherwise the current one. */
  after: (name: string) => unknown
}

/** Context of a deletion. `body` is the JSON body of the request, if there was one. */
export type Deletion = Services & {
  tx: Tx
  caller: Caller
  exchange: Exchange
  row: Row
  body: Record<string, unknown>
  /** Whether several objects are deleted by one request. */
  isBulk?: boolean
}

/** The kind of an operation of a resource. */
export type OperationKind = 'list' | 'detail' | 'create' | 'update' | 'delete' | 'bulk-update' | 'bulk-delete' | 'metadata'

/** The export file of a list, as existing clients know it. */
export type LegacyFile = {
  /** Its name, without its extension. */
  name: string
  /** Its columns by heading, in order: each a field of the resource, or an expression over its table. */
  columns: Record<string, string>
}

/** Requests to the demo workshop (`src/demo/`), whose keys are the same each time it is created. */
export type ResourceExample = {
  /** The key of an object, for its detail and its changes. */
  pk: number
  /** The key of the object in its path (`parent`). */
  parent?: number
  /** The body of a POST; with `replace`, of a PUT also. */
  create?: Body
  /** The body of a PUT, if it differs from that of a POST. */
  replace?: Body
  /** The body of a PATCH. */
  change?: Body
  /** The key of an object that can be deleted; without it no deletion is shown. */
  deletable?: number
  /** The demo workshop has no such object: its key returns 404. */
  hasNoObject?: true
  /** Every POST is rejected with 400 in the demo workshop: such objects are created automatically, or need a plugin that it does not have. */
  cannotBeCreated?: true
}

/**
 * One kind of object. Routes, schemas, statements, filters, search, ordering, permissions, metadata, OPTIONS and the
 * OpenAPI document all follow from this definition.
 */
export type Resource = {
  /** The URL of the list, `/api/order/po/`; a detail is below it. */
  path: string
  /** In words, singular: `Purchase order`. */
  name: string
  /** A sentence or two about the object, for the OpenAPI document and OPTIONS. */
  description?: string
  /** Special effects and errors of its operations: sentences for the OpenAPI document, by kind. */
  remarks?: Partial<Record<OperationKind, string>>
  /** Errors of its operations that others of their kind do not have, by kind: problems by code, each with its condition. */
  errors?: Partial<Record<OperationKind, Partial<Record<ProblemCode, string>>>>
  /** Requests to an object of the demo workshop that the OpenAPI document shows and a test sends. */
  example?: ResourceExample
  /** The short name that existing clients know from OPTIONS: `purchaseorder`. */
  model: string
  table: PgTable
  access: Access
  fields: Fields
  /** Filters that belong to no single field. */
  filters?: Record<string, Filter>
  /** Further expressions to search, in addition to searchable fields; an expression, or a condition that holds `{@value}` (a LIKE pattern). */
  search?: Expression[]
  /** Further expressions that only searches by clients of API 530 include (`searchesMore`). */
  searchedBy530?: Expression[]
  /** The lowest API version whose clients can search the list; `search` of others is ignored (`searchesAllLists` in wire.ts). */
  searchMinApiVersion?: 530
  /** Further names to order by, which belong to no single field. */
  order?: Record<string, Expression[]>
  /** The expressions for names to order by that contain a key, so that they cannot be listed. They include the direction. */
  orderFamily?: (name: string, direction: 'asc' | 'desc') => Expression[] | undefined
  /** Names to order by if the request has none; the primary key always comes last. */
  defaultOrder?: string[]
  /**
   * The number of rows that refer to an object, by the referring column: an expression over the object's table, maintained exactly in each
   * transaction. Deep pages in an order that begins with a column of such objects skip all rows of an object together
   * (`kit/reading/skip-objects.ts`).
   */
  rowsOf?: Record<string, Expression>
  /**
   * Conditions that many rows meet, each with the number of such rows, maintained exactly in each transaction (`count_by` in a migration). A list with only
   * one of them as its filter takes its count from there. `of`: the number of these rows that refer to an object, like `rowsOf`.
   */
  storedCounts?: Record<Expression, { rows: Expression; of?: Record<string, Expression> }>
  /**
   * The column that refers to the object in the path, for a path such as `/api/selection/{list}/entry/`; the column has the name of the
   * placeholder. Only rows of that object are found, and new ones belong to it.
   */
  parent?: PgColumn
  /** A text column whose values stand for the primary key in URLs, as in `/api/plugins/{id}/`. No value consists of digits alone. */
  keyColumn?: PgColumn
  /** Narrows every list, detail and write to the rows that the caller can access. */
  rows?: (caller: Caller | undefined) => Condition | undefined
  /** Writes pending data that a list has to show. */
  flush?: (services: Services) => Promise<void>
  /**
   * Values of `{@name}` in the expressions, computed for each request. Some are always available (`requestValues`). `query`: the query
   * parameters of a list; empty for anything else.
   */
  parameters?: Record<string, (context: Services, query: Query) => unknown>
  /** Operations that are not offered. Metadata exists if the table has such a column. */
  without?: readonly ('detail' | 'create' | 'update' | 'delete' | 'metadata')[]
  bulkDelete?: boolean
  /** PUT and PATCH on the list change several objects. */
  bulkUpdate?: boolean
  /** The export file of the list as existing clients know it; without it, the file has a column for each field, as for all other lists. */
  formerFile?: LegacyFile
  /** Values that OPTIONS suggests for a new object, by field. */
  suggestValues?: (services: Services & { caller: Caller }) => Promise<Record<string, unknown>>
  /** Error texts for violated constraints, by the constraint's name, and for sums that are too large (`tooLarge`). */
  constraints?: Record<string, Errors>
  /** Names of fields in API 530, each with the name in API 196: bodies may use either. Responses have both. */
  aliases?: Readonly<Record<string, string>>
  /** Fills in, before the body of a POST is read, fields that existing clients may omit. Returns the body. */
  completeBody?: (request: WriteRequest) => Body | Promise<Body>
  /**
   * Review of a write by external code, such as plugins: returns a function that calls it and adds its errors to `write.errors`; undefined
   * if there is none. It is called before anything is locked, and a second time if the object has changed since.
   */
  reviewWrites?: (services: Services) => ((write: Write) => Promise<void>) | undefined
  /** A deletion takes the lock of all writes exclusively (`Tx.lockExclusive`): other objects refer to this one. */
  deletesExclusively?: true
  /**
   * Before a creation, update or deletion locks its rows: takes the locks that must always be taken first, so that two requests cannot
   * deadlock (docs/locks.md). `pks` is empty for a creation, `body` for a deletion.
   */
  locksFirst?: (tx: Tx, pks: readonly number[], body: Body) => unknown
  /** Checks and completes a write, in its transaction, once every field has been read without an error. */
  rules?: (write: Write) => unknown
  /** Stores a new object in another way than one plain insert; returns its primary key, or nothing if a plain insert is enough. */
  insert?: (write: Write) => Promise<number | undefined>
  /** Runs after a creation in its transaction. Without it a new object is stored and read in one statement. */
  afterCreate?: (write: Write, pk: number) => unknown
  /** `rules` and `afterCreate` for several new objects together (`createMany`); without it, they run for each object separately. */
  batch?: {
    rules: (writes: readonly Write[]) => unknown
    afterCreate: (writes: readonly Write[], pks: readonly number[]) => unknown
  }
  /** Runs after an update in its transaction. */
  afterUpdate?: (write: Write, pk: number) => unknown
  /** Runs before a deletion in its transaction; may reject it, or adjust rows that refer to the row. */
  beforeDelete?: (deletion: Deletion) => unknown
  /** The same for several objects together; without it, `beforeDelete` runs for each. */
  beforeDeleteMany?: (context: Omit<Deletion, 'row'>, rows: readonly Row[]) => unknown
  /** Runs once after a deletion of one or many rows. */
  afterDelete?: (context: Omit<Deletion, 'row'>, rows: readonly Row[]) => unknown
}

/** Whether locks are taken for a deletion, which has no body. */
export const isDeletion = (body: Body): boolean => Object.keys(body).length === 0

/** Defines a resource. A test runs every filter, order and flag of each, so that a wrong path in an expression fails the build. */
export const resource = (definition: Resource): Resource => definition

/** The schema of one object in responses. Fields that depend on a query parameter may be absent, and so may those that one wire form omits. */
export function responseSchema(definition: Pick<Resource, 'fields'>): TObject {
  const properties: Record<string, TSchema> = {}
  for (const [name, field] of Object.entries(definition.fields)) {
    if (!field.sql && !field.nested && !field.rows) continue
    const ownSchema = valueSchema(field)
    const changes = field.api530?.value
    const changedSchema = changes && valueSchema({ schema: field.schema, ...changes })
    const schema = changedSchema && changedSchema !== ownSchema ? Type.Union([ownSchema, changedSchema]) : ownSchema
    const documentedSchema = withDescription({ schema, help: field.help })
    properties[name] = field.flag || field.isOmittedWhenNull ? Type.Optional(documentedSchema) : documentedSchema
  }
  return Type.Object(properties, { additionalProperties: false })
}

/** The schema of the value of a field. */
const valueSchema = ({ nested, rows, schema }: Pick<Field, 'nested' | 'rows' | 'schema'>): TSchema =>
  nested
    ? Type.Union([responseSchema(nested.getShape()), Type.Null()])
    : rows
      ? Type.Array(responseSchema(rows.getShape()))
      : schema

/** Whether an object has a URL of its own, and therefore a version as its ETag. */
export const hasDetail = ({ without = [] }: Resource): boolean => !without.includes('detail')

/** The query parameter of a list that adds the ETag of its object to each row, and the name of that property. */
export const ETAG = 'etag'

/** The schema of one object in a list: as its detail shows it, and with its ETag if requested. */
export function rowSchema(definition: Resource): TObject {
  const schema = responseSchema(definition)
  if (!hasDetail(definition)) return schema
  const etag = Type.String({
    description: 'The version of the object, for `If-Match`; only in lists with `etag`.',
  })
  return Type.Object({ ...schema.properties, [ETAG]: Type.Optional(etag) }, { additionalProperties: false })
}

/** The schema of a list of these objects: the envelope with count, next and previous. */
export const envelopeSchema = (item: TSchema): TObject =>
  Type.Object({
    count: Type.Integer(),
    next: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
    previous: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
    results: Type.Array(item),
  })
