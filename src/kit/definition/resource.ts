import type { PgTable } from 'drizzle-orm/pg-core'
import { type TObject, type TSchema, Type } from 'typebox'
import type { Access, Caller } from '../request/caller.ts'
import type { Errors } from '../request/errors.ts'
import type { Exchange } from '../request/exchange.ts'
import type { ProblemCode } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import type { Expression } from '../sql/sql.ts'
import type { Tx } from '../sql/tx.ts'
import type { Fields, Flags } from './field.ts'
import type { Condition, Filter, Query } from './filter.ts'
import { explained, type Referred } from './input.ts'

/** A row as the database gives it: column name to value; decimals, dates and moments as text. */
export type Row = Record<string, unknown> & { pk: number }

/** The body of a request, not yet read. */
export type Body = Record<string, unknown>

/** What a write needs to know of its request. */
export type WriteRequest = {
  tx: Tx
  caller: Caller
  services: Services
  exchange: Exchange
  body: Body
  flags: Flags
  ifMatch?: string
}

/** A write on its way: what the resource's rules see and may change before anything is stored. */
export type Write = Services & {
  tx: Tx
  caller: Caller
  exchange: Exchange
  /** The locked row before an update; undefined on creation. */
  before: Row | undefined
  /** What will be written, by field name; rules may change it. Fields without a column are here for the rules alone. */
  values: Record<string, unknown>
  /** What is known of the objects the body refers to, by field: the columns that the field keeps. */
  referred: Referred
  /** Columns that are no fields of the resource, set by rules. */
  hidden: Record<string, unknown>
  /** Rules put what is wrong here; the write is refused if anything is. */
  errors: Errors
  /** The value a field will have afterwards: the one being written, else the one before. */
  after: (name: string) => unknown
}

/** What a deletion may look at. `body` is the JSON body of the request, if there was one. */
export type Deletion = Services & {
  tx: Tx
  caller: Caller
  exchange: Exchange
  row: Row
  body: Record<string, unknown>
}

/** What an operation of a resource does. */
export type OperationKind = 'list' | 'detail' | 'create' | 'update' | 'delete' | 'bulk-delete' | 'metadata'

/** The file that a list is given as, as existing clients know it. */
export type FormerFile = {
  /** What it is called, without its ending. */
  name: string
  /** Its columns by their headings, in their order: each a field of the resource, or an expression over its table. */
  columns: Record<string, string>
}

/** Requests to the demo workshop (`src/demo/`), where keys are the same each time it is made. */
export type ResourceExample = {
  /** The key of an object, for its detail and its changes. */
  pk: number
  /** The body of a POST; with `replace`, of a PUT also. */
  create?: Body
  /** The body of a PUT, where it cannot be that of a POST. */
  replace?: Body
  /** The body of a PATCH. */
  change?: Body
  /** The key of an object that can be deleted; without it no deletion is shown. */
  deletable?: number
  /** The demo workshop has no such object and lets none be made: it answers 404 to its key, and 400 to a POST. */
  absent?: true
  /** Every POST is refused with 400: such objects come to be by themselves. */
  isNotMade?: true
}

/**
 * One kind of object. Routes, schemas, statements, filters, search, ordering, rights, metadata, OPTIONS and the
 * OpenAPI document all follow from this definition.
 */
export type Resource = {
  /** The address of the list, `/api/order/po/`; a detail is below it. */
  path: string
  /** In words, singular: `Purchase order`. */
  name: string
  /** What such an object is, in a sentence or two, for the OpenAPI document and OPTIONS. */
  description?: string
  /** What its operations do beyond the usual, and what they refuse: sentences for the OpenAPI document, by kind. */
  remarks?: Partial<Record<OperationKind, string>>
  /** What its operations refuse that others of their kind do not, by kind: problems by code, each with when it happens. */
  refuses?: Partial<Record<OperationKind, Partial<Record<ProblemCode, string>>>>
  /** Requests to an object of the demo workshop that the OpenAPI document shows and a test sends. */
  example?: ResourceExample
  /** The short name existing clients know from OPTIONS: `purchaseorder`. */
  model: string
  table: PgTable
  access: Access
  fields: Fields
  /** Filters that are not one field's own. */
  filters?: Record<string, Filter>
  /** Further things to search, besides fields marked so; an expression, or a condition that holds `{@value}` (a LIKE pattern). */
  search?: Expression[]
  /** Names to order by that are not one field's own. */
  order?: Record<string, Expression[]>
  /** What names to order by mean that hold a key, and can therefore not be listed; with the direction, which stands in what it gives. */
  orderFamily?: (name: string, direction: 'asc' | 'desc') => Expression[] | undefined
  /** Names to order by when the request names none; the primary key always comes last. */
  defaultOrder?: string[]
  /**
   * How many rows refer to an object, by the column that refers: an expression over the object's table, kept exactly in each transaction.
   * Deep pages in an order that begins with a column of such objects skip all rows of one at once (`kit/reading/skip-objects.ts`).
   */
  rowsOf?: Record<string, Expression>
  /**
   * Conditions that many rows fulfil, each with how many do, where that is kept exactly in each transaction (`tally`): a list that is
   * narrowed by one of them alone is not counted. `of`: how many of these refer to an object, as `rowsOf`.
   */
  tallied?: Record<Expression, { rows: Expression; of?: Record<string, Expression> }>
  /** Narrows every list, detail and write to the rows the caller may reach. */
  rows?: (caller: Caller | undefined) => Condition | undefined
  /** Writes what a list has to show and is only flush so far. */
  flush?: (services: Services) => Promise<void>
  /**
   * Values of `{@name}` in the expressions, asked at each request. Some are always there (`requestValues`). `query`: the query parameters
   * of a list; none of anything else.
   */
  parameters?: Record<string, (context: Services, query: Query) => unknown>
  /** What is not offered. Metadata exists where the table has such a column. */
  without?: readonly ('detail' | 'create' | 'update' | 'delete' | 'metadata')[]
  bulkDelete?: boolean
  /** The file that existing clients know of the list; without it, theirs is that of all others: a column for each field. */
  formerFile?: FormerFile
  /** Values that OPTIONS suggests for a new object, by field. */
  suggested?: (services: Services & { caller: Caller }) => Promise<Record<string, unknown>>
  /** Texts for broken constraints, by the constraint's name, and for sums that are too large (`tooLarge`). */
  constraints?: Record<string, Errors>
  /** Fills in, before the body of a POST is read, what existing clients may leave out of it. Gives the body. */
  completed?: (request: WriteRequest) => Body | Promise<Body>
  /**
   * Who outside the service has a word in a write, such as plugins: gives what asks them, and puts what they object to into
   * `write.errors`; undefined where there is nobody. They are asked before anything is locked, and again where the object changed
   * meanwhile.
   */
  consult?: (services: Services) => ((write: Write) => Promise<void>) | undefined
  /** A deletion takes the lock of all writes for itself (`Tx.lockExclusive`): other objects refer to this one. */
  deletesExclusively?: true
  /**
   * Before a creation, update or deletion locks its rows: takes the locks that always have to be taken before these, so that two
   * requests cannot wait for each other (docs/locks.md). `pks` is empty for a creation, `body` for a deletion.
   */
  locksFirst?: (tx: Tx, pks: readonly number[], body: Body) => unknown
  /** Checks and completes a write, in its transaction, when every field has been read without an error. */
  rules?: (write: Write) => unknown
  /** Stores a new object in another way than one plain insert; gives its primary key, or nothing where plain will do. */
  insert?: (write: Write) => Promise<number | undefined>
  /** Follows a creation in its transaction. Without it a new object is stored and read in one statement. */
  created?: (write: Write, pk: number) => unknown
  /** `rules` and `created` of several new objects at once (`createMany`); without it, each of them is asked about by itself. */
  several?: { rules: (writes: readonly Write[]) => unknown; created: (writes: readonly Write[]) => unknown }
  /** Follows an update in its transaction. */
  updated?: (write: Write, pk: number) => unknown
  /** Precedes a deletion in its transaction; may refuse it, or put things right that refer to the row. */
  deleting?: (deletion: Deletion) => unknown
  /** Follows a deletion once, however many rows went with it. */
  deletedAll?: (context: Omit<Deletion, 'row'>, rows: readonly Row[]) => unknown
}

/** Whether what is to be locked for is a deletion: it has no body. */
export const isDeletion = (body: Body): boolean => Object.keys(body).length === 0

/** Defines a resource. A test runs every filter, order and flag of each, so a wrong path in an expression does not land. */
export const resource = (definition: Resource): Resource => definition

/** The schema of one object in answers. Fields that depend on a query parameter may be absent, and those that are left out in one wire form. */
export function answerSchema(definition: Pick<Resource, 'fields'>): TObject {
  const properties: Record<string, TSchema> = {}
  for (const [name, field] of Object.entries(definition.fields)) {
    if (!field.sql && !field.nested && !field.rows) continue
    const schema = field.nested
      ? Type.Union([answerSchema(field.nested.of()), Type.Null()])
      : field.rows
        ? Type.Array(answerSchema(field.rows.of()))
        : field.schema
    const told = explained({ schema, help: field.help })
    properties[name] = field.flag || field.isLeftOut ? Type.Optional(told) : told
  }
  return Type.Object(properties, { additionalProperties: false })
}

/** Whether an object has an address of its own, and so a version that its ETag shows. */
export const hasDetail = ({ without = [] }: Resource): boolean => !without.includes('detail')

/** The query parameter of a list with which each row shows the ETag of its object, and the name under which it does. */
export const ETAG = 'etag'

/** The schema of one object in a list: as its detail shows it, and with its ETag where that is asked for. */
export function rowSchema(definition: Resource): TObject {
  const schema = answerSchema(definition)
  if (!hasDetail(definition)) return schema
  const etag = Type.String({
    description: 'The version of the object, for `If-Match`; only in lists with `etag`.',
  })
  return Type.Object({ ...schema.properties, [ETAG]: Type.Optional(etag) }, { additionalProperties: false })
}

/** The schema of a list of such objects: the envelope with count, next and previous. */
export const envelopeSchema = (item: TSchema): TObject =>
  Type.Object({
    count: Type.Integer(),
    next: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
    previous: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
    results: Type.Array(item),
  })
