import { Type } from 'typebox'
import { entryUrl } from '../../paths.ts'
import { computed, type Field } from '../definition/field.ts'
import type { Query } from '../definition/filter.ts'
import { type FormerFile, type Resource, rowSchema } from '../definition/resource.ts'
import { findConditions, readListRequest, runList } from '../reading/list.ts'
import type { Caller } from '../request/caller.ts'
import { invalidQuery, Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import { inThread } from '../services/in-thread.ts'
import { Semaphore } from '../services/semaphore.ts'
import type { Services } from '../services/services.ts'
import { queryErrors } from '../values/value-errors.ts'

/** The kinds of files that a list is given as, by their endings, each with its media type. */
export const LIST_FILES = {
  csv: 'text/csv; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

type Kind = keyof typeof LIST_FILES

/** What the thread is asked to write: the rows as JSON, and the headings where there are none. */
export type ListFile = { rows: string; headings: readonly string[]; kind: Kind }

/** The most rows of a file; the old form of workbooks holds 65,536. */
const MOST_ROWS = 50_000

/** Milliseconds that writing a file may take. */
const TIME_LIMIT = 60_000

/** One file of an account at a time, and two in all: the most rows take up to three quarters of a gigabyte while they are written. */
const turns = new Semaphore(2, TIME_LIMIT, requestErrors.too_many_exports, 20, 1)

/** The kind of file that a list is asked for as; undefined where it is not. @throws Problem 400 for any other kind */
export function listFileKind({ export: kind }: Query): Kind | undefined {
  if (!kind) return undefined
  if (!Object.hasOwn(LIST_FILES, kind))
    throw invalidQuery({ export: [queryErrors.unknown_export_format({ formats: Object.keys(LIST_FILES) })] })
  return kind as Kind
}

/** Resources with the columns of the files that existing clients know in place of their fields: each is made once. */
const former = new WeakMap<Resource, Resource>()

/** The column of a former file: of a field that says whether, it holds 1 or 0. */
function formerColumn({ fields }: Resource, of: string): Field {
  const field = fields[of]
  if (!field) return computed(Type.Any(), of)
  const isBoolean = (field.schema as { type?: string }).type === 'boolean'
  return { ...field, flag: undefined, ...(isBoolean ? { sql: `(${field.sql})::integer` } : {}) }
}

/** What a list is read as for its file. */
function inColumns(resource: Resource, { columns }: FormerFile): Resource {
  const known = former.get(resource)
  if (known) return known
  const fields = Object.fromEntries(Object.entries(columns).map(([heading, of]) => [heading, formerColumn(resource, of)]))
  const made = { ...resource, fields }
  former.set(resource, made)
  return made
}

/** The file that existing clients know of a list, where they are answered in their form. */
const formerFileOf = ({ formerFile }: Resource, { config }: Services): FormerFile | undefined =>
  config.wireForm === 'inventree' ? formerFile : undefined

/**
 * Every row of a list that fits its filters, in the order that is asked for, as a table: a column for each field, or those that
 * existing clients know.
 * @throws Problem 400 when there are too many of them
 */
export async function writeListFile(
  resource: Resource,
  kind: Kind,
  { limit: _, offset: __, cursor: ___, ...query }: Query,
  caller: Caller | undefined,
  services: Services,
): Promise<Uint8Array> {
  const write = async () => {
    const window = { limit: MOST_ROWS, offset: 0 }
    const found = await findConditions(resource, query, services)
    const asked = readListRequest(resource, query, caller, window, services, found)
    const known = formerFileOf(resource, services)
    const page = await runList(known ? inColumns(resource, known) : resource, asked, caller, services)
    if (page.count > MOST_ROWS)
      throw invalidQuery({ export: [queryErrors.too_many_rows_to_export({ count: page.count, max_rows: MOST_ROWS })] })
    const headings = known ? Object.keys(known.columns) : (rowSchema(resource).required ?? [])
    const file: ListFile = { rows: page.rows, headings, kind }
    return inThread<Uint8Array>(entryUrl('kit/http/list-file-worker'), file, {
      timeLimit: TIME_LIMIT,
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
      refusal: () => new Problem('unavailable', requestErrors.export_too_large),
    })
  }
  return turns.run(write, { account: caller?.pk })
}

/** What the file of a list is called. */
export function listFileName(resource: Resource, kind: Kind, services: Services): string {
  const { model, path } = resource
  const own = `Stockroom_${model ?? path.split('/').at(-2)}_${new Date().toISOString().slice(0, 10)}`
  return `${formerFileOf(resource, services)?.name ?? own}.${kind}`
}
