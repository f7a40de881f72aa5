import { action, type Request } from '../../../kit/definition/action.ts'
import type { Shape } from '../../../kit/definition/input.ts'
import { type Body, responseSchema } from '../../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../../kit/reading/detail.ts'
import { requireAccess, signedIn } from '../../../kit/request/caller.ts'
import { invalid, notFound, Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { ErrorMessage } from '../../../kit/values/message.ts'
import { deleteMany, lockRow, update } from '../../../kit/writing/write.ts'
import type { CreatedReference } from '../create-references.ts'
import { canDelete, findUses, type Use } from '../find-uses.ts'
import { getImportModel, type ImportModel } from '../import-models.ts'
import { readSession } from '../import-rows.ts'
import { PROCESSING } from '../import-status.ts'
import { importerErrors } from '../importer-errors.ts'
import { readDigests } from '../written-objects.ts'
import { importSession } from './import-session.resource.ts'

type Context = Request<Shape> & { tx: Tx }

/** An accepted row that wrote something. */
type AcceptedRow = {
  pk: number
  row_index: number
  action: 'create' | 'update'
  object: number
  previous: Body | null
  created: CreatedReference[] | null
  written: string | null
  accepted: string | null
}

/** Maximum number of rows that an error names. */
const MAX_NAMED_ROWS = 20

/** Objects that are deleted by one statement. */
const DELETED_TOGETHER = 500

export const undoImport = action({
  method: 'POST',
  path: '/api/importer/session/{id}/undo/',
  summary: 'Undo an import',
  description:
    'Deletes the objects that the import created, the last one first, with those that were created because rows named them, and restores the former values of those that it changed: all or nothing. Deletions and changes have the history and events of any others. The rows can be accepted again afterwards.',
  errors: {
    invalid:
      'No row was accepted; an object has changed or was deleted since; another object refers to one that the import created; or an object cannot be deleted or changed. The errors name the rows by their numbers in the file.',
    permission_denied: 'The caller may not delete or change objects of the type.',
  },
  versioned: true,
  example: { params: { id: 1 } },
  access: signedIn,
  right: 'change',
  status: 200,
  get response() {
    return responseSchema(importSession)
  },
  async run(request) {
    const { tx, caller, pk, ifMatch } = request
    tx.lockExclusive()
    await lockRow(importSession, pk, { tx, caller, ifMatch })
    const session = await readSession(tx, pk)
    if (!session) throw notFound()
    const model = getImportModel(session.model_type)
    const rows = await tx.query<AcceptedRow>(
      `select pk, row_index, action, object, previous, created, written, accepted from import_row
       where session = $1 and complete and action <> 'skip' order by row_index desc, pk desc for no key update`,
      [pk],
    )
    const isAccepted = rows.length > 0 || (await tx.first('select from import_row where session = $1 and complete limit 1', [pk]))
    if (!isAccepted) throw invalid({ non_field_errors: [importerErrors.import_not_accepted] })
    const toNumber = ({ row_index }: AcceptedRow) => row_index + session.heading_row + 1
    const references = listReferences(rows)
    requireRights(request, model, rows, references)
    await requireUntouched(tx, model, rows, references, toNumber)
    await restoreRows(request, model, rows, toNumber)
    await removeReferences(request, references, toNumber)
    await tx.query(
      `update import_row set complete = false, written = null, accepted = null,
         object = case when action = 'create' then null else object end where session = $1 and complete`,
      [pk],
    )
    await tx.query('update import_session set status = $2 where pk = $1', [pk, PROCESSING])
    return toDetailJson(await readDetail(importSession, pk, new Set(), { caller, services: request, executor: tx }))
  },
})

/** The objects that were created because rows named them, each once, with the first row that did. */
const listReferences = (rows: readonly AcceptedRow[]): Map<string, CreatedReference & { row: AcceptedRow }> =>
  new Map(
    rows.flatMap((row) =>
      (row.created ?? []).map((reference) => [`${reference.model} ${reference.pk}`, { ...reference, row }] as const),
    ),
  )

function requireRights(
  { caller }: Context,
  model: ImportModel,
  rows: readonly AcceptedRow[],
  references: ReadonlyMap<string, CreatedReference>,
): void {
  const hasCreated = rows.some(({ action: made }) => made === 'create')
  if (hasCreated && !canDelete(model)) throw invalid({ non_field_errors: [importerErrors.import_undo_not_possible] })
  if (hasCreated) requireAccess(model.resource.access, caller, 'delete')
  if (rows.some(({ action: made }) => made === 'update')) requireAccess(model.resource.access, caller, 'change')
  for (const type of new Set([...references.values()].map((reference) => reference.model)))
    requireAccess(getImportModel(type).resource.access, caller, 'delete')
}

/** Names rows by their numbers in the file. */
function nameRows(rows: readonly AcceptedRow[], toNumber: (row: AcceptedRow) => number): string[] {
  const numbers = [...new Set(rows.map(toNumber))].toSorted((one, other) => one - other).map(String)
  return numbers.length > MAX_NAMED_ROWS ? [...numbers.slice(0, MAX_NAMED_ROWS), '…'] : numbers
}

/** @throws Problem 400 if an object of the import has changed since, or something refers to one that it created */
async function requireUntouched(
  tx: Tx,
  model: ImportModel,
  rows: readonly AcceptedRow[],
  references: ReadonlyMap<string, CreatedReference & { row: AcceptedRow }>,
  toNumber: (row: AcceptedRow) => number,
): Promise<void> {
  const problems: ErrorMessage[] = []
  // of several rows that wrote an object, the last one says how it was left
  const latest = [...Map.groupBy(rows, ({ object }) => object).values()].map((same) => same[0] as AcceptedRow)
  const digests = await readDigests(
    tx,
    model,
    latest.map(({ object }) => object),
  )
  const missing = latest.filter(({ object }) => !digests.has(object))
  const changed = latest.filter(({ object, written }) => digests.has(object) && digests.get(object) !== written)
  if (missing.length > 0) problems.push(importerErrors.import_undo_missing({ rows: nameRows(missing, toNumber) }))
  if (changed.length > 0) problems.push(importerErrors.import_undo_changed({ rows: nameRows(changed, toNumber) }))
  const created = rows.filter(({ action: made }) => made === 'create')
  const since = rows.map(({ accepted }) => accepted).reduce((last, time) => ((time ?? '') > (last ?? '') ? time : last), null)
  const own = new Map<string, number[]>([[model.type, rows.map(({ object }) => object)]])
  for (const { model: type, pk } of references.values()) own.set(type, [...(own.get(type) ?? []), pk])
  const uses: (Use & { row: AcceptedRow })[] = []
  const byObject = new Map(created.map((row) => [row.object, row]))
  for (const use of await findUses(tx, model, [...byObject.keys()], own, since))
    uses.push({ ...use, row: byObject.get(use.pk) as AcceptedRow })
  for (const [type, group] of Map.groupBy(references.values(), (reference) => reference.model)) {
    const byKey = new Map(group.map((reference) => [reference.pk, reference.row]))
    for (const use of await findUses(tx, getImportModel(type), [...byKey.keys()], own, since))
      uses.push({ ...use, row: byKey.get(use.pk) as AcceptedRow })
  }
  if (uses.length > 0)
    problems.push(
      importerErrors.import_undo_referenced({
        used_by: [...new Set(uses.map(({ table }) => table))],
        rows: nameRows(
          uses.map(({ row }) => row),
          toNumber,
        ),
      }),
    )
  if (problems.length > 0) throw invalid({ non_field_errors: problems })
}

/** Undoes what rows did, the last one first. */
async function restoreRows(
  request: Context,
  model: ImportModel,
  rows: readonly AcceptedRow[],
  toNumber: (row: AcceptedRow) => number,
): Promise<void> {
  for (let start = 0; start < rows.length; ) {
    const row = rows[start] as AcceptedRow
    if (row.action === 'update') {
      const { previous } = row
      if (previous && Object.keys(previous).length > 0)
        await explain(toNumber(row), () => update(model.resource, row.object, toWrite(request, previous), true))
      start++
      continue
    }
    const end = rows.findIndex(
      ({ action: made }, index) => index > start && (made !== 'create' || index - start >= DELETED_TOGETHER),
    )
    const group = rows.slice(start, end < 0 ? rows.length : end)
    await removeObjects(
      request,
      model,
      group.map(({ object }) => object),
      toNumber(row),
    )
    start += group.length
  }
}

/** Deletes the objects that were created because rows named them, those below others first. */
async function removeReferences(
  request: Context,
  references: ReadonlyMap<string, CreatedReference & { row: AcceptedRow }>,
  toNumber: (row: AcceptedRow) => number,
): Promise<void> {
  for (const [type, group] of Map.groupBy(references.values(), ({ model }) => model))
    for (const { pk, row } of [...group].toSorted((one, other) => other.pk - one.pk))
      await removeObjects(request, getImportModel(type), [pk], toNumber(row))
}

async function removeObjects(request: Context, model: ImportModel, items: readonly number[], row: number): Promise<void> {
  await explain(row, async () => {
    // an active part cannot be deleted
    if (model.type === 'part') await request.tx.query('update part set active = false where pk = any($1::integer[])', [items])
    await deleteMany(model.resource, toWrite(request, { items }))
  })
}

const toWrite = (request: Context, body: Body) => ({
  ...request,
  ifMatch: undefined,
  services: request,
  body,
  flags: new Set<string>(),
})

/** Names the row whose object cannot be deleted or restored. */
async function explain(row: number, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || error.status === 409 || error.status === 403) throw error
    throw invalid({ non_field_errors: [importerErrors.import_undo_rejected({ row, reasons: listReasons(error.body) })] })
  }
}

const listReasons = (body: unknown): ErrorMessage[] => {
  if (ErrorMessage.is(body)) return [body]
  if (Array.isArray(body)) return body.flatMap(listReasons)
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(listReasons) : []
}
