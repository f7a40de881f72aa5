import { procedure, type Request } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { responseSchema } from '../../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../../kit/reading/detail.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { FieldError } from '../../../kit/request/errors.ts'
import { invalid, notFound, Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { readDataFile } from '../data-file.ts'
import { getImportModel, requireModelRight } from '../import-models.ts'
import { readSession, type SessionRow } from '../import-rows.ts'
import { MAPPING } from '../import-status.ts'
import { importerErrors } from '../importer-errors.ts'
import { listRights } from '../list-rights.ts'
import { readingInputs } from '../reading-inputs.ts'
import { replaceMappings } from '../replace-mappings.ts'
import { importSession, toHead, toHeadColumns } from './import-session.resource.ts'

const DECIMAL_SEPARATORS = [
  { value: '.', label: 'Point' },
  { value: ',', label: 'Comma' },
] as const

export const readImportFile = procedure({
  method: 'POST',
  path: '/api/importer/session/{id}/read_file/',
  summary: 'Read the file of an import in another way',
  description:
    'Reads the file again with another sheet, heading row, separator or encoding, maps its columns again, and deletes rows that were read before. What the body omits is detected. Rejected once a row was accepted.',
  errors: {
    invalid: 'The file cannot be read like that, or a row was accepted.',
    permission_denied: 'The caller may neither add nor change objects of the type.',
    conflict: 'The session has another file by now.',
  },
  versioned: true,
  example: { params: { id: 1 }, body: { heading_row: 1 } },
  access: signedIn,
  right: 'change',
  body: {
    ...readingInputs,
    decimal_separator: input.optional(
      input.choice<string>(() => [...DECIMAL_SEPARATORS], {
        blank: true,
        label: 'Decimal Separator',
        help: 'The decimal separator of columns whose numbers do not show it; without it, that of the session stays.',
      }),
    ),
  },
  status: 200,
  get response() {
    return responseSchema(importSession)
  },
  async handle(request) {
    const { database, caller, pk, body, ifMatch } = request
    const before = await database.transaction((tx) => lockOpenSession(tx, request, ifMatch), caller.pk)
    const model = getImportModel(before.model_type)
    const { decimal_separator, heading_row: headingRow, sheet, separator, encoding } = body
    const choices = { headingRow, sheet, separator, encoding }
    const table = await readDataFile(request, before.data_file, { model, choices, account: caller.pk }).catch((error) => {
      if (!(error instanceof FieldError)) throw error
      const { entry } = error
      throw invalid(Array.isArray(entry) ? { data_file: entry as ErrorMessage[] } : (entry as Record<string, ErrorMessage[]>))
    })
    await database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, request, undefined)
      if (session.data_file !== before.data_file) throw new Problem('conflict', importerErrors.import_superseded)
      const head = toHeadColumns(toHead(table))
      await tx.query(
        `update import_session set columns = $2, sheet = $3, sheets = $4, heading_row = $5, separator = $6, encoding = $7,
           file_row_count = $8, sample_rows = $9, decimal_separator = coalesce($10, decimal_separator), status = ${MAPPING}, run = null
         where pk = $1`,
        [
          pk,
          head.columns,
          head.sheet,
          head.sheets,
          head.heading_row,
          head.separator,
          head.encoding,
          head.file_row_count,
          head.sample_rows,
          decimal_separator ?? null,
        ],
      )
      await tx.query('delete from import_row where session = $1', [pk])
      await replaceMappings(tx, {
        pk,
        model,
        hidden: { available_fields: session.available_fields, columns: head.columns },
        overrides: session.field_overrides,
        user: session.user,
      })
    }, caller.pk)
    return toDetailJson(await readDetail(importSession, pk, new Set(), { caller, services: request, executor: database }))
  },
})

/** Locks a session of which no row was accepted. */
async function lockOpenSession(tx: Tx, { caller, pk }: Request<input.Shape>, ifMatch: string | undefined): Promise<SessionRow> {
  await lockRow(importSession, pk, { tx, caller, ifMatch })
  const session = await readSession(tx, pk)
  if (!session) throw notFound()
  for (const right of listRights(session)) requireModelRight(getImportModel(session.model_type), caller, right)
  const accepted = await tx.first('select from import_row where session = $1 and complete limit 1', [pk])
  if (accepted) throw invalid({ non_field_errors: [importerErrors.import_rows_accepted] })
  return session
}
