import type { Query } from '../definition/filter.ts'
import { type Resource, rowSchema } from '../definition/resource.ts'
import { findConditions, readListRequest, runList } from '../reading/list.ts'
import type { Caller } from '../request/caller.ts'
import { invalid, Problem } from '../request/problem.ts'
import { inThread } from '../services/in-thread.ts'
import { Semaphore } from '../services/semaphore.ts'
import type { Services } from '../services/services.ts'

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

/** One at a time: the most rows take up to three quarters of a gigabyte while they are written. */
const turns = new Semaphore(1, TIME_LIMIT, 'Too many lists are being made into files at this moment; try again.', 20)

/** The kind of file that a list is asked for as; undefined where it is not. @throws Problem 400 for any other kind */
export function listFileKind({ export: kind }: Query): Kind | undefined {
  if (!kind) return undefined
  if (!Object.hasOwn(LIST_FILES, kind))
    throw invalid({ export: [`A list is exported as ${Object.keys(LIST_FILES).join(', ')}.`] })
  return kind as Kind
}

/**
 * Every row of a list that fits its filters, in the order that is asked for, as a table: a column for each field.
 * @throws Problem 400 when there are too many of them
 */
export async function writeListFile(
  resource: Resource,
  kind: Kind,
  { limit: _, offset: __, cursor: ___, ...query }: Query,
  caller: Caller | undefined,
  services: Services,
): Promise<Uint8Array> {
  return turns.run(async () => {
    const window = { limit: MOST_ROWS, offset: 0 }
    const found = await findConditions(resource, query, services)
    const page = await runList(resource, readListRequest(resource, query, caller, window, services, found), caller, services)
    if (page.count > MOST_ROWS)
      throw invalid({ export: [`${page.count} rows fit, and a file has ${MOST_ROWS} at most: filter them.`] })
    const file: ListFile = { rows: page.rows, headings: rowSchema(resource).required ?? [], kind }
    return inThread<Uint8Array>(new URL('./list-file-worker.ts', import.meta.url), file, {
      timeLimit: TIME_LIMIT,
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
      refusal: () => new Problem('unavailable', 'The file could not be made: it takes too long or too much; filter the list.'),
    })
  })
}

/** What the file of a list is called. */
export const listFileName = ({ model, path }: Resource, kind: Kind): string =>
  `Stockroom_${model ?? path.split('/').at(-2)}_${new Date().toISOString().slice(0, 10)}.${kind}`
