import { randomUUID } from 'node:crypto'
import { procedure, type Request } from '../../../kit/definition/action.ts'
import type { Shape } from '../../../kit/definition/input.ts'
import { responseSchema } from '../../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../../kit/reading/detail.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { FieldError } from '../../../kit/request/errors.ts'
import { invalid, notFound, Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import type { Table } from '../../../spreadsheets/read-table.ts'
import { isTextFile, readDataFile } from '../data-file.ts'
import { ID_FIELD } from '../import-fields.ts'
import { storeHeadings } from '../import-headings.ts'
import { getImportModel, requireModelRight } from '../import-models.ts'
import { type RowOutcome, readMappings, readSession, type SessionRow, tryRows } from '../import-rows.ts'
import { IMPORTING, MAPPING, PROCESSING } from '../import-status.ts'
import { importerErrors } from '../importer-errors.ts'
import { listRights } from '../list-rights.ts'
import { toRowJson } from '../row/import-row.resource.ts'
import { type Mapping, type ReadRow, readRowValues } from '../row-values.ts'
import { getTableChoices } from '../table-choices.ts'
import { getBatchSize } from '../write-objects.ts'
import { importSession } from './import-session.resource.ts'

type Context = Request<Shape>

/** The rows of a file that are read, with their positions below the heading row. */
type IndexedRow = ReadRow & { row_index: number }

export const acceptImportFields = procedure({
  method: 'POST',
  path: '/api/importer/session/{id}/accept_fields/',
  summary: 'Accept the column mapping of an import',
  description:
    'Reads the rows of the file with the columns of each field, and checks each as if it were accepted, without storing an object. Reading again replaces rows that were read before; rejected once a row was accepted. Takes about a second for 1,000 rows; if the request is interrupted, send it again.',
  errors: {
    invalid:
      'A required field has neither a column nor a default or an override, the file cannot be read, or a row was accepted.',
    permission_denied: 'The caller may not add or change objects of the type.',
    conflict: 'Another request reads the rows again.',
  },
  example: { params: { id: 1 } },
  access: signedIn,
  right: 'change',
  repeatable: true,
  status: 200,
  get response() {
    return responseSchema(importSession)
  },
  async handle(request) {
    const { database, caller, pk } = request
    const { session } = await database.transaction((tx) => prepare(tx, request), caller.pk)
    const table = await readDataFile(request, session.data_file, {
      model: getImportModel(session.model_type),
      choices: getTableChoices(session),
      account: caller.pk,
    }).catch((error) => {
      if (!(error instanceof FieldError)) throw error
      throw invalid({ data_file: error.entry as ErrorMessage[] })
    })
    const run = randomUUID()
    const { mappings } = await database.transaction((tx) => start(tx, request, session, run), caller.pk)
    try {
      await storeRows(request, { ...session, run }, mappings, readRows(session, mappings, table))
    } catch (error) {
      // so that it can be repeated, unless another request has begun to
      const text = 'update import_session set status = $3, run = null where pk = $1 and run = $2'
      await database.transaction((tx) => tx.query(text, [pk, run, MAPPING]), caller.pk)
      throw error
    }
    const detail = await readDetail(importSession, pk, new Set(), { caller, services: request, executor: database })
    return toDetailJson(detail)
  },
})

/** Locks the session, and checks that its rows can be read. */
async function prepare(tx: Tx, { caller, pk, ifMatch }: Context): Promise<{ session: SessionRow; mappings: Mapping[] }> {
  await lockRow(importSession, pk, { tx, caller, ifMatch })
  const session = await readSession(tx, pk)
  if (!session) throw notFound()
  const model = getImportModel(session.model_type)
  for (const right of listRights(session)) requireModelRight(model, caller, right)
  const accepted = await tx.first('select from import_row where session = $1 and complete limit 1', [pk])
  if (accepted) throw invalid({ non_field_errors: [importerErrors.import_rows_accepted] })
  const mappings = await readMappings(tx, pk)
  requireMapped(session, mappings)
  return { session, mappings }
}

/**
 * Checks that each required field has a column, a default or an override: those of new objects or, if the rows only change objects, the one
 * that finds them.
 */
function requireMapped(session: SessionRow, mappings: readonly Mapping[]): void {
  const { available_fields, field_defaults, field_overrides } = session
  const mapped = new Set(mappings.flatMap(({ field, column }) => (column ? [field] : [])))
  const missing = listRequiredFields(session).filter(
    (name) =>
      name in available_fields && !mapped.has(name) && !(field_overrides && name in field_overrides) && !field_defaults?.[name],
  )
  if (missing.length > 0) throw invalid({ non_field_errors: [importerErrors.import_fields_not_mapped({ fields: missing })] })
}

function listRequiredFields({ available_fields, update_records, match_field, on_missing }: SessionRow): string[] {
  if (update_records) return [ID_FIELD]
  const required = Object.entries(available_fields).flatMap(([name, field]) => (field.required ? [name] : []))
  if (!match_field) return required
  return on_missing === 'skip' ? [match_field] : [...new Set([match_field, ...required])]
}

/** Begins to read the rows again. @throws Problem 409 if the session has another file by now */
async function start(tx: Tx, request: Context, before: SessionRow, run: string): Promise<{ mappings: Mapping[] }> {
  const { session, mappings } = await prepare(tx, { ...request, ifMatch: undefined })
  if (
    session.data_file !== before.data_file ||
    session.heading_row !== before.heading_row ||
    session.sheet !== before.sheet ||
    session.separator !== before.separator ||
    session.encoding !== before.encoding
  )
    throw new Problem('conflict', importerErrors.import_superseded)
  await tx.query('update import_session set status = $2, run = $3 where pk = $1', [session.pk, IMPORTING, run])
  await tx.query('delete from import_row where session = $1', [session.pk])
  if (session.user === request.caller.pk)
    await storeHeadings(tx, session.user, getImportModel(session.model_type), {
      fields: session.available_fields,
      headings: session.columns,
      mappings: new Map(mappings.flatMap(({ field, column }) => (column ? [[column, field]] : []))),
    })
  return { mappings }
}

function readRows(session: SessionRow, mappings: readonly Mapping[], table: Table): IndexedRow[] {
  return readRowValues(table, mappings, session, isTextFile(session.data_file)).map((row, index) => ({
    ...row,
    row_index: (table.rowNumbers[index] as number) - table.headingRow - 1,
  }))
}

/** Checks and stores the rows, in batches. */
async function storeRows(
  request: Context,
  session: SessionRow,
  mappings: readonly Mapping[],
  rows: readonly IndexedRow[],
): Promise<void> {
  const { database, caller, exchange } = request
  const size = getBatchSize(getImportModel(session.model_type), request, session.update_records || session.match_field !== '')
  for (let first = 0; first < rows.length; first += size) {
    const batch = rows.slice(first, first + size)
    const outcomes = await tryRows(
      { services: request, caller, exchange },
      session,
      mappings,
      batch.map(({ data }) => data),
    )
    await database.transaction((tx) => insertRows(tx, session, batch, outcomes), caller.pk)
  }
  await database.transaction(async (tx) => {
    await requireRun(tx, session)
    await tx.query('update import_session set status = $2 where pk = $1', [session.pk, PROCESSING])
  }, caller.pk)
}

/** Keeps another request from beginning to read the rows at the same time. @throws Problem 409 if one has begun */
async function requireRun(tx: Tx, { pk, run }: SessionRow): Promise<void> {
  const current = await tx.first('select from import_session where pk = $1 and run = $2 for share', [pk, run])
  if (!current) throw new Problem('conflict', importerErrors.import_superseded)
}

async function insertRows(
  tx: Tx,
  session: SessionRow,
  rows: readonly IndexedRow[],
  outcomes: readonly RowOutcome[],
): Promise<void> {
  await requireRun(tx, session)
  const values = rows.map((row, index) => {
    return { ...row, ...toRowJson(outcomes[index] as RowOutcome) }
  })
  await tx.query(
    `insert into import_row (session, row_index, row_data, data, valid, errors, field_errors, action, object, previous, created)
     select $1, row_index, row_data, data, valid, errors, field_errors, action, object, previous, created
     from json_to_recordset($2::json) as entry (row_index integer, row_data json, data json, valid boolean, errors json, field_errors json,
       action text, object integer, previous json, created json)
     order by row_index`,
    [session.pk, JSON.stringify(values)],
  )
}
