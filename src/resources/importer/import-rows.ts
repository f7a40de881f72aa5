import { readShape } from '../../kit/definition/input.ts'
import type { Body, WriteRequest } from '../../kit/definition/resource.ts'
import { type Errors, type FieldErrorJson, listMessages } from '../../kit/request/errors.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { ErrorMessage } from '../../kit/values/message.ts'
import type { CreatedReference } from './create-references.ts'
import { replaceReferences } from './find-references.ts'
import { getImportModel, getImportShape, type ImportModel } from './import-models.ts'
import { importerErrors } from './importer-errors.ts'
import { findMatches, type MatchSettings } from './match-objects.ts'
import { buildRowBody, type ImportSettings, type Mapping } from './row-values.ts'
import { type ObjectWrite, type Written, writeObjects } from './write-objects.ts'

/** A session, as the processing of its rows needs it. */
export type SessionRow = ImportSettings &
  MatchSettings & {
    pk: number
    status: number
    model_type: string
    update_records: boolean
    data_file: string
    sheet: string | null
    heading_row: number
    separator: string | null
    encoding: string | null
    user: number | null
    columns: readonly string[]
    run: string | null
  }

export type ImportAction = 'create' | 'update' | 'skip'

/** What became of a row: the object that it wrote or found, or its errors. */
export type RowOutcome = {
  action: ImportAction
  object: number | null
  previous: Body | null
  errors: unknown
  fieldErrors: readonly FieldErrorJson[]
  /** The objects that are created because it names them. */
  created: readonly CreatedReference[]
}

type Context = Omit<WriteRequest, 'body' | 'ifMatch'>

const SESSION_COLUMNS = `pk, status, model_type, update_records, data_file, available_fields, field_defaults, field_overrides, decimal_separator,
  match_field, on_match, on_missing, sheet, heading_row, separator, encoding, "user", columns, run`

/** Reads a session. @param lock of its row, `for key share` so that it is not deleted */
export async function readSession(tx: Tx, pk: number, lock = 'for key share'): Promise<SessionRow | undefined> {
  return tx.first<SessionRow>(`select ${SESSION_COLUMNS} from import_session where pk = $1 ${lock}`, [pk])
}

/** The fields of a session with their columns. */
export const readMappings = (tx: Tx, session: number): Promise<Mapping[]> =>
  tx.query<Mapping>(
    'select field, "column", lookup_field, create_missing from import_column_mapping where session = $1 order by pk',
    [session],
  )

/**
 * Writes the objects of rows, as the POST or PATCH of each would; a rejected one changes nothing.
 * @param rows the values of each row, by field
 */
export async function writeRows(
  context: Context,
  session: SessionRow,
  mappings: readonly Mapping[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<RowOutcome[]> {
  const { tx } = context
  const model = getImportModel(session.model_type)
  if (mappings.some(({ create_missing }) => create_missing)) tx.lockExclusive()
  const mapped = new Set(mappings.flatMap(({ field, column }) => (column ? [field] : [])))
  const matches = session.update_records ? undefined : await findMatches(tx, model, session, rows)
  const plans = rows.map((data, index) => {
    const match = matches?.[index]
    const isUpdate = session.update_records || match?.key !== undefined
    const { body, id } = buildRowBody(data, session, mapped, isUpdate)
    const action: ImportAction = match?.action ?? (isUpdate ? 'update' : 'create')
    return { action, body, ...(session.update_records ? readKey(id) : { key: match?.key, error: match?.error }) }
  })
  const references = await replaceReferences(
    context,
    session.available_fields,
    mappings,
    plans.map(({ body }) => body),
  )
  const errors = plans.map(({ action, body, error }, index) => {
    const own: Errors = { ...references.errors[index], ...error }
    return Object.keys(own).length > 0 ? { ...findFieldErrors(model, context.services, body, action), ...own } : undefined
  })
  const writes = plans.flatMap(({ action, key, body }, index): (ObjectWrite & { index: number })[] =>
    errors[index] || action === 'skip' ? [] : [{ key, body, index }],
  )
  const results = await writeObjects(model, context, session.available_fields, writes)
  const byIndex = new Map(writes.map(({ index }, position) => [index, results[position] as Written | Problem]))
  return plans.map(({ action, key = null }, index) =>
    toOutcome(
      { action, object: key, created: references.created[index] ?? [] },
      byIndex.get(index) ?? (errors[index] ? new Problem('invalid', errors[index]) : undefined),
    ),
  )
}

/** Rolls back what rows wrote, because objects were created for rows that were rejected. */
class UnusedReferences extends Error {
  readonly rejected: ReadonlyMap<number, RowOutcome>

  constructor(rejected: ReadonlyMap<number, RowOutcome>) {
    super('objects were created for rejected rows only')
    this.rejected = rejected
  }
}

/** Writes the objects of rows; none is created for a row that is rejected, even if the row names it. */
export async function writeRowsOnly(
  context: Context,
  session: SessionRow,
  mappings: readonly Mapping[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<RowOutcome[]> {
  if (!mappings.some(({ create_missing }) => create_missing)) return writeRows(context, session, mappings, rows)
  const rejected = new Map<number, RowOutcome>()
  for (;;) {
    const open = [...rows.keys()].filter((index) => !rejected.has(index))
    try {
      const outcomes = await context.tx.savepoint(async () => {
        const results = await writeRows(
          context,
          session,
          mappings,
          open.map((index) => rows[index] as Readonly<Record<string, unknown>>),
        )
        const used = new Set(results.flatMap(({ errors, created }) => (errors === null ? created.map(({ pk }) => pk) : [])))
        const unused = results.flatMap((result, position): [number, RowOutcome][] =>
          result.errors !== null && result.created.some(({ pk }) => !used.has(pk)) ? [[open[position] as number, result]] : [],
        )
        if (unused.length > 0) throw new UnusedReferences(new Map(unused))
        return results
      })
      const byIndex = new Map(open.map((index, position) => [index, outcomes[position] as RowOutcome]))
      return [...rows.keys()].map((index) => byIndex.get(index) ?? { ...(rejected.get(index) as RowOutcome), created: [] })
    } catch (error) {
      if (!(error instanceof UnusedReferences)) throw error
      for (const [index, outcome] of error.rejected) rejected.set(index, outcome)
    }
  }
}

/** The other errors of a row that cannot be written, so that all are shown together. */
function findFieldErrors(model: ImportModel, services: Services, body: Body, action: ImportAction): Errors {
  const reading = { references: [], services }
  const { aliases = {} } = model.resource
  const renamed = Object.fromEntries(Object.entries(body).map(([name, value]) => [aliases[name] ?? name, value]))
  return readShape(getImportShape(model), renamed, reading, { partial: action !== 'create' }).errors
}

function readKey(id: unknown): { key: number | undefined; error?: Errors } {
  const key = typeof id === 'string' && /^\s*\d{1,9}\s*$/.test(id) ? Number(id) : id
  if (typeof key === 'number' && Number.isInteger(key) && key > 0) return { key }
  const error: Errors =
    id === undefined || id === null || id === ''
      ? { id: [importerErrors.import_key_required] }
      : { non_field_errors: [importerErrors.import_object_missing({ key: String(id).slice(0, 100) })] }
  return { key: undefined, error }
}

function toOutcome(row: Pick<RowOutcome, 'action' | 'object' | 'created'>, result: Written | Problem | undefined): RowOutcome {
  if (!(result instanceof Problem)) {
    const { key = row.object, previous = null } = result ?? {}
    return { ...row, object: key, previous, errors: null, fieldErrors: [] }
  }
  const { body } = result
  const isByField = typeof body === 'object' && body !== null && !Array.isArray(body) && !ErrorMessage.is(body)
  const { detail, ...fields } = (isByField ? body : { detail: body }) as Record<string, unknown>
  const errors = detail === undefined ? fields : { ...fields, non_field_errors: [detail].flat() }
  return { ...row, previous: null, errors, fieldErrors: listMessages(errors) }
}

/** Ends a trial: everything that was written is rolled back. */
class TrialEnd extends Error {
  readonly outcomes: readonly RowOutcome[]

  constructor(outcomes: readonly RowOutcome[]) {
    super('a trial ended')
    this.outcomes = outcomes
  }
}

/** Runs a trial, and returns what would become of its rows. */
async function endTrial(trial: Promise<never>): Promise<readonly RowOutcome[]> {
  try {
    return await trial
  } catch (error) {
    if (error instanceof TrialEnd) return error.outcomes
    throw error
  }
}

/** What writing rows would do, in a transaction that is rolled back. */
export const tryRows = (
  { services, caller, exchange }: Omit<Context, 'tx' | 'flags'>,
  session: SessionRow,
  mappings: readonly Mapping[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly RowOutcome[]> =>
  endTrial(
    services.database.transaction<never>(async (tx) => {
      const context = { tx, services, caller, exchange, flags: new Set<string>() }
      throw new TrialEnd(await writeRows(context, session, mappings, rows))
    }, caller.pk),
  )

/** The same inside a transaction, which continues. */
export const tryRowsWithin = (
  context: Context,
  session: SessionRow,
  mappings: readonly Mapping[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly RowOutcome[]> =>
  endTrial(
    context.tx.savepoint<never>(async () => {
      throw new TrialEnd(await writeRows(context, session, mappings, rows))
    }),
  )
