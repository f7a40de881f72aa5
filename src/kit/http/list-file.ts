import { Type } from 'typebox'
import { entryUrl } from '../../paths.ts'
import { computed, type Field } from '../definition/field.ts'
import type { Query } from '../definition/filter.ts'
import { type LegacyFile, type Resource, rowSchema } from '../definition/resource.ts'
import { findConditions, readListRequest, runList } from '../reading/list.ts'
import type { Caller } from '../request/caller.ts'
import { invalidQuery, Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import { runInThread } from '../services/in-thread.ts'
import { Semaphore } from '../services/semaphore.ts'
import type { Services } from '../services/services.ts'
import { queryErrors } from '../values/value-errors.ts'

/** File types of an export, by extension, each with its media type. */
export const LIST_FILES = {
  csv: 'text/csv; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

type Kind = keyof typeof LIST_FILES

/** The input of the worker: the rows as JSON, and the headings for when there are no rows. */
export type ListFile = { rows: string; headings: readonly string[]; kind: Kind }

/** Maximum number of rows in a file. The old workbook format (xls) allows 65,536. */
const MAX_ROWS = 50_000

/** Maximum time to write a file, in milliseconds. */
const TIME_LIMIT_MS = 60_000

/** One file of an account at a time, and two in total: the maximum number of rows takes up to three quarters of a gigabyte while it is written. */
const exportSlots = new Semaphore(2, TIME_LIMIT_MS, requestErrors.too_many_exports, 20, 1)

/** The requested file type of a list; undefined if none. @throws Problem 400 for any other type */
export function readListFileKind({ export: kind }: Query): Kind | undefined {
  if (!kind) return undefined
  if (!Object.hasOwn(LIST_FILES, kind))
    throw invalidQuery({ export: [queryErrors.unknown_export_format({ formats: Object.keys(LIST_FILES) })] })
  return kind as Kind
}

/** Resources with the columns of the files that existing clients know instead of their fields, each built once. */
const legacyResources = new WeakMap<Resource, Resource>()

/** A column of a file for existing clients: 1 or 0 for a boolean field. */
function createLegacyColumn({ fields }: Resource, expression: string): Field {
  const field = fields[expression]
  if (!field) return computed(Type.Any(), expression)
  const isBoolean = (field.schema as { type?: string }).type === 'boolean'
  return { ...field, flag: undefined, ...(isBoolean ? { sql: `(${field.sql})::integer` } : {}) }
}

/** The resource with the columns of its file instead of its fields. */
function withLegacyColumns(resource: Resource, { columns }: LegacyFile): Resource {
  const legacy = legacyResources.get(resource)
  if (legacy) return legacy
  const fields = Object.fromEntries(
    Object.entries(columns).map(([heading, expression]) => [heading, createLegacyColumn(resource, expression)]),
  )
  const legacyResource = { ...resource, fields }
  legacyResources.set(resource, legacyResource)
  return legacyResource
}

/** The file of a list that existing clients know, if their wire form is configured. */
const getLegacyFile = ({ formerFile }: Resource, { config }: Services): LegacyFile | undefined =>
  config.wire.formerExportFiles ? formerFile : undefined

/**
 * Writes every row of a list that matches its filters, in the requested order, as a table: a column for each field, or those that existing
 * clients know.
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
    const window = { limit: MAX_ROWS, offset: 0 }
    const conditions = await findConditions(resource, query, services)
    const listRequest = readListRequest(resource, query, caller, window, services, conditions)
    const legacy = getLegacyFile(resource, services)
    const page = await runList(legacy ? withLegacyColumns(resource, legacy) : resource, listRequest, caller, services)
    if (page.count > MAX_ROWS)
      throw invalidQuery({ export: [queryErrors.too_many_rows_to_export({ count: page.count, max_rows: MAX_ROWS })] })
    const headings = legacy ? Object.keys(legacy.columns) : (rowSchema(resource).required ?? [])
    const file: ListFile = { rows: page.rows, headings, kind }
    return runInThread<Uint8Array>(entryUrl('kit/http/list-file-worker'), file, {
      timeLimit: TIME_LIMIT_MS,
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
      timeoutError: () => new Problem('unavailable', requestErrors.export_too_large),
    })
  }
  return exportSlots.run(write, { account: caller?.pk })
}

/** The file name of a list's export. */
export function buildListFileName(resource: Resource, kind: Kind, services: Services): string {
  const { model, path } = resource
  const defaultName = `Stockroom_${model ?? path.split('/').at(-2)}_${new Date().toISOString().slice(0, 10)}`
  return `${getLegacyFile(resource, services)?.name ?? defaultName}.${kind}`
}
