import { Type } from 'typebox'
import { procedure, type Request } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { readDetail } from '../../../kit/reading/detail.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { unknownReference } from '../../../kit/request/errors.ts'
import { invalid, notFound } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { IMPORT_BOUNDS } from '../data-file.ts'
import { finishSessions } from '../finish-session.ts'
import { getImportModel, type ImportModel, requireModelRight } from '../import-models.ts'
import { type RowOutcome, readMappings, readSession, type SessionRow, tryRows, writeRowsOnly } from '../import-rows.ts'
import { COMPLETE, PROCESSING } from '../import-status.ts'
import { importerErrors } from '../importer-errors.ts'
import { listRights } from '../list-rights.ts'
import { toRowJson } from '../row/import-row.resource.ts'
import type { Mapping } from '../row-values.ts'
import { getBatchSize, lockWrites } from '../write-objects.ts'
import { digestSql } from '../written-objects.ts'
import { importSession } from './import-session.resource.ts'

type Context = Request<input.Shape>
type Row = { pk: number; data: Record<string, unknown> }

/** Maximum number of rows that are checked again because they name objects that the request may have created. */
const MAX_RECHECKED = 1_000

export const acceptImportRows = procedure({
  method: 'POST',
  path: '/api/importer/session/{id}/accept_rows/',
  summary: 'Accept rows of an import',
  description:
    'Writes the object of each row as its POST or PATCH would, with the permissions of the caller, in the order of the file and in batches that are stored one by one. A row is written once, whatever is repeated or sent at the same time: one that another request accepts meanwhile counts as accepted. A row that is rejected keeps its errors and is listed in `rejected`; the others are written. Rows that name an object which did not exist yet are checked again.',
  errors: {
    invalid:
      'A row does not exist, belongs to another import or has errors; every row was accepted already; or the columns were not accepted yet. Nothing is written.',
    permission_denied: 'The caller may not add or change objects of the type.',
  },
  example: { params: { id: 1 }, body: { rows: [1] } },
  access: signedIn,
  right: 'change',
  body: {
    rows: input.list(input.integer({ min: 0 }), {
      default: [],
      max: IMPORT_BOUNDS.rows,
      label: 'Rows',
      help: 'The rows; required unless all of them are accepted.',
    }),
    all: input.boolean({
      default: false,
      label: 'All',
      help: 'Whether to accept every row without errors, instead of those listed.',
    }),
  },
  repeatable: true,
  status: 201,
  response: Type.Object({
    rows: Type.Array(Type.Integer(), { description: 'The keys of the rows, as sent; with `all`, those that were open.' }),
    accepted: Type.Array(Type.Integer(), { description: 'The rows whose objects are stored.' }),
    rejected: Type.Array(Type.Integer(), { description: 'The rows that got errors.' }),
  }),
  async handle(request) {
    const { database, caller, pk, body } = request
    const { session, mappings, rows } = await database.transaction((tx) => prepare(tx, request), caller.pk)
    const kind = { type: session.model_type, updates: session.update_records || session.match_field !== '' }
    const size = getBatchSize(getImportModel(kind.type), request, kind.updates)
    const accepted: number[] = []
    for (let first = 0; first < rows.length; first += size) {
      const batch = rows.slice(first, first + size)
      accepted.push(...(await database.transaction((tx) => acceptBatch(tx, request, mappings, kind, batch), caller.pk)))
    }
    await recheck(request, session, mappings)
    await database.transaction((tx) => finishSessions(tx, [pk]), caller.pk)
    const done = new Set(accepted)
    const sent = body.all ? rows : [...new Set(body.rows)]
    return {
      rows: body.all ? rows : body.rows,
      accepted: sent.filter((row) => done.has(row)),
      rejected: sent.filter((row) => !done.has(row)),
    }
  },
})

type AcceptRequest = Request<input.Shape> & { body: { rows: number[]; all: boolean } }

/** The rows without errors that are open; for a repeated request, also those that were accepted. */
async function listValidRows(tx: Tx, session: number, isRepeated = false): Promise<number[]> {
  const rows = await tx.query<{ pk: number }>('select pk from import_row where session = $1 and valid and (not complete or $2)', [
    session,
    isRepeated,
  ])
  return rows.map(({ pk }) => pk)
}

/** Checks the request. Returns the keys of the rows in the order of the file. */
async function prepare(tx: Tx, request: AcceptRequest): Promise<{ session: SessionRow; mappings: Mapping[]; rows: number[] }> {
  const { caller, pk, body } = request
  if (!('rows' in request.raw) && !body.all) throw invalid({ rows: [valueErrors.required] })
  await readDetail(importSession, pk, new Set(), { caller, services: request, executor: tx })
  const session = await readSession(tx, pk)
  if (!session) throw notFound()
  for (const right of listRights(session)) requireModelRight(getImportModel(session.model_type), caller, right)
  if (body.all && body.rows.length > 0) throw invalid({ non_field_errors: [importerErrors.import_rows_or_all] })
  const keys = body.all ? await listValidRows(tx, pk, request.isRepeated) : body.rows
  if (keys.length === 0) throw invalid({ rows: [importerErrors.import_rows_required] })
  const found = await tx.query<{ pk: number; session: number; valid: boolean; complete: boolean }>(
    'select pk, session, valid, complete from import_row where pk = any($1::integer[]) order by row_index, pk',
    [keys],
  )
  const byKey = new Map(found.map((row) => [row.pk, row]))
  for (const key of keys) {
    const row = byKey.get(key)
    if (!row) throw invalid({ rows: [unknownReference(key)] })
    if (row.session !== pk) throw invalid({ rows: [importerErrors.import_row_of_other_session({ row: key })] })
    if (!row.valid && !row.complete) throw invalid({ rows: [importerErrors.import_row_invalid({ row: key })] })
  }
  const [first] = found
  // a request whose response was lost gets that response
  if (first && !request.isRepeated && found.every(({ complete }) => complete))
    throw invalid({ rows: [importerErrors.import_row_complete({ row: first.pk })] })
  if (session.status !== PROCESSING && session.status !== COMPLETE)
    throw invalid({ non_field_errors: [importerErrors.import_columns_open] })
  return { session, mappings: await readMappings(tx, pk), rows: found.map((row) => row.pk) }
}

/** Writes the objects of rows that are still open. Returns the rows that are accepted now, by this or another request. */
async function acceptBatch(
  tx: Tx,
  request: Context,
  mappings: readonly Mapping[],
  kind: { type: string; updates: boolean },
  keys: readonly number[],
): Promise<number[]> {
  const { caller, exchange, pk } = request
  const { type, updates } = kind
  // the lock of all writes comes before those of rows
  if (mappings.some(({ create_missing }) => create_missing)) tx.lockExclusive()
  lockWrites(tx, getImportModel(type), request, updates, keys.length)
  const session = await readSession(tx, pk)
  if (!session) throw notFound()
  const rows = await tx.query<Row & { complete: boolean; row_index: number }>(
    `select pk, data, complete, row_index from import_row where pk = any($1::integer[]) order by pk for no key update`,
    [keys],
  )
  const open = rows.filter(({ complete }) => !complete).toSorted((one, other) => one.row_index - other.row_index)
  const context = { tx, services: request, caller, exchange, flags: new Set<string>() }
  const outcomes = await writeRowsOnly(
    context,
    session,
    mappings,
    open.map(({ data }) => data ?? {}),
  )
  await storeOutcomes(tx, getImportModel(type), open, outcomes, true)
  const rejected = new Set(open.flatMap(({ pk: row }, index) => (outcomes[index]?.errors === null ? [] : [row])))
  return rows.flatMap(({ pk: row }) => (rejected.has(row) ? [] : [row]))
}

/** Stores what became of rows. @param isWritten whether their objects are stored, and the rows without errors accepted */
async function storeOutcomes(
  tx: Tx,
  model: ImportModel,
  rows: readonly Row[],
  outcomes: readonly RowOutcome[],
  isWritten: boolean,
): Promise<void> {
  const values = rows.map(({ pk }, index) => {
    const outcome = outcomes[index] as RowOutcome
    const complete = isWritten && outcome.errors === null
    const { object, created } = outcome
    return { pk, ...toRowJson(outcome), complete, ...(complete && { object, created: created.length > 0 ? created : null }) }
  })
  await tx.query(
    `update import_row r set valid = entry.valid, errors = entry.errors, field_errors = entry.field_errors, action = entry.action,
       object = entry.object, complete = entry.complete, previous = entry.previous, created = entry.created,
       accepted = case when entry.complete then now() end, written = case when entry.complete then ${digestSql(model, 'entry.object')} end
     from json_to_recordset($1::json) as entry (pk integer, valid boolean, errors json, field_errors json, action text, object integer,
       complete boolean, previous json, created json)
     where r.pk = entry.pk`,
    [JSON.stringify(values)],
  )
}

/** Checks open rows again that name an object which did not exist when they were checked. */
async function recheck(request: Context, session: SessionRow, mappings: readonly Mapping[]): Promise<void> {
  const { database, caller, exchange } = request
  const rows = await database.read<Row>({
    text: `select pk, data from import_row
      where session = $1 and not complete and not valid and field_errors::text like '%"import_reference_not_found"%'
      order by row_index, pk limit $2`,
    values: [session.pk, MAX_RECHECKED],
  })
  const size = getBatchSize(getImportModel(session.model_type), request, true)
  for (let first = 0; first < rows.length; first += size) {
    const batch = rows.slice(first, first + size)
    const outcomes = await tryRows(
      { services: request, caller, exchange },
      session,
      mappings,
      batch.map(({ data }) => data ?? {}),
    )
    await database.transaction(async (tx) => {
      const open = await tx.query<Row>(
        `select pk, data from import_row where pk = any($1::integer[]) and not complete order by pk for no key update`,
        [batch.map(({ pk }) => pk)],
      )
      const positions = new Map(batch.map(({ pk }, index) => [pk, index]))
      const current = open.map(({ pk }) => outcomes[positions.get(pk) as number] as RowOutcome)
      await storeOutcomes(tx, getImportModel(session.model_type), open, current, false)
    }, caller.pk)
  }
}
