import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { file } from '../../../kit/definition/file.ts'
import type { UploadContext } from '../../../kit/definition/input.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { listStatusChoices } from '../../../kit/definition/status.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { FieldError } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Upload } from '../../../kit/services/uploads.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { fileErrors } from '../../../kit/values/value-errors.ts'
import { TABLE_KINDS, type Table } from '../../../spreadsheets/read-table.ts'
import { userBrief } from '../../user/user.resource.ts'
import { columnMappingBrief } from '../column-mapping/column-mapping.resource.ts'
import { columnMapping } from '../column-mapping/column-mapping.table.ts'
import { IMPORT_BOUNDS, MAX_IMPORT_BYTES, readDataFile } from '../data-file.ts'
import { describeImportFields, ID_FIELD, type ImportFields, listDefaults } from '../import-fields.ts'
import { canUpdate, getImportModel, importModels, requireModelRight } from '../import-models.ts'
import { importStatus, MAPPING } from '../import-status.ts'
import { importerErrors } from '../importer-errors.ts'
import { listRights } from '../list-rights.ts'
import { listMatchFields } from '../match-objects.ts'
import { replaceMappings } from '../replace-mappings.ts'
import { importSession as table } from './import-session.table.ts'

/** What is known of a file that a request sent: its headings, how it was read, and its first rows and their number. */
type FileHead = Omit<Table, 'rows' | 'rowNumbers'> & { rowCount: number; sample: (string | null)[][] }

/** The rows of a file that a session shows before they are read, and the length of their cells in characters. */
const SAMPLE_ROWS = 5
const SAMPLE_LENGTH = 100

/** The files that the latest requests sent, by path, read before the transaction of each. */
const heads = new LRUCache<string, FileHead>({ max: 100 })

export const toHead = ({ rows, rowNumbers: _, ...head }: Table): FileHead => ({
  ...head,
  rowCount: rows.length,
  sample: rows.slice(0, SAMPLE_ROWS).map((row) => row.map((cell) => cell?.slice(0, SAMPLE_LENGTH) ?? null)),
})

/** Reads the table in an uploaded file. */
async function readUpload(upload: Upload, { services, caller, body, current }: UploadContext): Promise<Upload> {
  if (upload.size > MAX_IMPORT_BYTES) throw new FieldError(fileErrors.max_file_bytes({ max_bytes: MAX_IMPORT_BYTES }))
  const type = body.model_type ?? (await current(table.model_type))
  const model = importModels.find((entry) => entry.type === type)
  heads.set(upload.path, toHead(await readDataFile(services, upload.path, { model, account: caller?.pk })))
  return upload
}

async function getHead(services: Services, path: string, modelType: string, account: number): Promise<FileHead> {
  const head = heads.get(path)
  heads.delete(path)
  return head ?? toHead(await readDataFile(services, path, { model: getImportModel(modelType), account }))
}

const MATCHED = [
  { value: 'update', label: 'Update' },
  { value: 'skip', label: 'Skip' },
]
const MISSING = [
  { value: 'create', label: 'Create' },
  { value: 'skip', label: 'Skip' },
]

const count = (condition: string, help: string) =>
  f.computed(Type.Integer(), `(select count(*)::integer {from import_row} r where r.session = {pk}${condition})`, { help })

/** A JSON object with a value by field; clients that send forms send it as text. */
function jsonByField(column: Parameters<typeof f.column>[0], label: string, help: string): f.Field {
  const field = f.column(column, { label, help })
  const input = field.input as NonNullable<f.Field['input']>
  return {
    ...field,
    input: {
      ...input,
      read(value, reading, fail) {
        const object = typeof value === 'string' ? parseObject(value) : value
        if (typeof object !== 'object' || object === null || Array.isArray(object))
          throw new FieldError(importerErrors.import_object_expected)
        return input.read(object, reading, fail)
      },
    },
  }
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const importSession = resource({
  path: '/api/importer/session/',
  name: 'Import session',
  description:
    'A file whose rows become objects of one type, in steps: upload it, map its columns to fields, accept the mapping, correct rows, accept rows. An account sees its own, staff see all. A session is deleted 30 days after its file was sent.',
  remarks: {
    create: `Reads the headings of the file and maps those that name a field, in ten languages. The file is CSV, TSV, TXT, XLSX, XLS, ODS or an XML workbook of Excel 2003, with at most ${IMPORT_BOUNDS.rows} rows, ${IMPORT_BOUNDS.columns} columns and ${MAX_IMPORT_BYTES / 1024 / 1024} MiB. Requires the permission to add objects of the type or, for updates, to change them.`,
    update:
      'A new file or type maps the columns again. That, and another way to find existing objects, deletes rows that were read; rejected once a row was accepted.',
    delete: 'Deletes its rows and its file. Objects that it created remain.',
  },
  errors: {
    create: { permission_denied: 'The caller may neither add nor change objects of the type.' },
    update: { permission_denied: 'The caller may neither add nor change objects of the type.' },
  },
  example: {
    pk: 1,
    hasNoObject: true,
    create: {
      data_file: 'data:text/csv;name=parts.csv;base64,bmFtZSxJUE4sY2F0ZWdvcnkKUmVzaXN0b3IgMjcga09obSxSLTI3SyxSZXNpc3RvcnMK',
      model_type: 'part',
    },
    change: { update_records: false },
  },
  model: 'dataimportsession',
  table,
  access: signedIn,
  rows: () => ({ sql: '({user} = {@caller} or {@staff})', values: [] }),
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    timestamp: f.readonly(table.timestamp, { order: true, help: 'When the file was sent.' }),
    data_file: file(table.data_file, {
      folder: 'import',
      required: true,
      extensions: TABLE_KINDS,
      label: 'Data File',
      help: 'The file; its file name extension gives its type.',
      prepare: readUpload,
    }),
    update_records: f.column(table.update_records, {
      label: 'Update Existing Records',
      help: 'Whether rows change existing objects, whose keys they have.',
    }),
    model_type: f.column(table.model_type, {
      required: true,
      search: true,
      filter: true,
      order: true,
      choices: () => importModels.map(({ type, title }) => ({ value: type, label: title })),
      label: 'Model Type',
      help: 'The type of the objects.',
    }),
    available_fields: f.readonly(table.available_fields, {
      label: 'Available fields',
      help: 'The fields that columns can be mapped to, each with its type, limits and the values by which a reference finds its object.',
    }),
    status: f.column(table.status, {
      readonly: true,
      filter: true,
      order: true,
      choices: () => listStatusChoices(importStatus.codes),
      api530: { metadata: { type: 'choice', default: 0 } },
      help: '10: columns can be mapped; 20: rows are being read; 30: rows can be accepted; 40: every row was accepted.',
    }),
    user: f.ref(table.user, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      api530: { metadata: { type: 'field' } },
      help: 'The account that sent the file.',
    }),
    user_detail: f.nested(table.user, () => userBrief(), { help: 'The account.' }),
    columns: f.readonly(table.columns, { help: 'The headings of the file.' }),
    column_mappings: f.rows(columnMapping.session, () => columnMappingBrief(), {
      label: 'Column mappings',
      help: 'The fields with their columns.',
    }),
    field_defaults: jsonByField(
      table.field_defaults,
      'Field Defaults',
      'Values by field for rows that have none; at first those that new objects have anyway.',
    ),
    field_overrides: jsonByField(
      table.field_overrides,
      'Field Overrides',
      'Values by field for all rows, whatever the file has.',
    ),
    field_filters: jsonByField(
      table.field_filters,
      'Field Filters',
      'Query parameters by field, with which forms narrow the objects that a reference offers.',
    ),
    file_row_count: f.readonly(table.file_row_count, { help: 'The number of rows in the file; null if it is not known.' }),
    sample_rows: f.readonly(table.sample_rows, {
      help: `The cells of the first rows of the file, in the order of its columns, each with at most ${SAMPLE_LENGTH} characters.`,
    }),
    row_count: count('', 'The number of rows that were read.'),
    completed_row_count: count(' and r.complete', 'The number of accepted rows.'),
    completed_row_count_history: f.column(table.completed_row_count_history, {
      min: 0,
      label: 'Completed Row Count History',
      help: 'A number of accepted rows that a client keeps; empty for none.',
    }),
    row_count_history: f.column(table.row_count_history, {
      min: 0,
      label: 'Row Count History',
      help: 'A number of rows that a client keeps; empty for none.',
    }),
    sheet: f.readonly(table.sheet, { help: 'The sheet of the workbook that is read; null for a text file.' }),
    sheets: f.readonly(table.sheets, { help: 'The sheets of the workbook.' }),
    heading_row: f.readonly(table.heading_row, { help: 'The number of the heading row in the file, from 1; 0 for none.' }),
    separator: f.readonly(table.separator, { help: 'The column separator of a text file; null for a workbook.' }),
    encoding: f.readonly(table.encoding, { help: 'The encoding of a text file; null for a workbook.' }),
    decimal_separator: f.column(table.decimal_separator, {
      choices: () => [
        { value: '.', label: 'Point' },
        { value: ',', label: 'Comma' },
      ],
      blank: true,
      label: 'Decimal Separator',
      help: 'The decimal separator of columns whose numbers do not show it; empty for a point.',
    }),
    match_field: f.column(table.match_field, {
      label: 'Match Field',
      help: 'The field whose value finds existing objects, such as the IPN; empty to create an object for each row.',
    }),
    on_match: f.column(table.on_match, {
      choices: () => MATCHED,
      label: 'On Match',
      help: 'Whether a row that finds an object by the match field updates it or is skipped.',
    }),
    on_missing: f.column(table.on_missing, {
      choices: () => MISSING,
      label: 'On Missing',
      help: 'Whether a row that finds no object by the match field creates one or is skipped.',
    }),
  },
  search: ['{data_file}', '{user.username}'],
  defaultOrder: ['-timestamp'],
  rules: checkSession,
  async afterCreate({ tx, values, hidden }, pk) {
    await replaceMappings(tx, {
      pk,
      model: getImportModel(values.model_type as string),
      hidden,
      overrides: values.field_overrides,
      user: hidden.user as number,
    })
  },
  async afterUpdate(write, pk) {
    const { tx, before, hidden, after } = write
    // only if the rows that were read are no longer those of the session
    if (hidden.status === undefined) return
    await tx.query('delete from import_row where session = $1', [pk])
    if (hidden.available_fields === undefined) return
    await replaceMappings(tx, {
      pk,
      model: getImportModel(after('model_type') as string),
      hidden,
      columns: before?.columns,
      keepsColumns: hidden.columns === undefined && !changes(write, 'model_type'),
      overrides: after('field_overrides'),
      user: (before?.user ?? null) as number | null,
    })
  },
})

/** What a session stores of how its file was read. */
export const toHeadColumns = (head: FileHead) => ({
  columns: JSON.stringify(head.columns),
  sheet: head.sheet ?? null,
  sheets: JSON.stringify(head.sheets ?? []),
  heading_row: head.headingRow,
  separator: head.separator ?? null,
  encoding: head.encoding ?? null,
  file_row_count: head.rowCount,
  sample_rows: JSON.stringify(head.sample),
})

/** Whether a write gives a field another value. */
const changes = ({ before, values }: Write, name: string): boolean =>
  values[name] !== undefined && values[name] !== (before?.[name] ?? null)

/** Checks the right on the type, reads a new file, and describes the fields if another file or type has others. */
async function checkSession(write: Write): Promise<void> {
  const { tx, caller, before, values, hidden, errors, after } = write
  const type = after('model_type') as string
  const model = getImportModel(type)
  const updates = after('update_records') === true
  for (const right of listRights({
    update_records: updates,
    match_field: String(after('match_field') ?? ''),
    on_match: String(after('on_match') ?? 'update'),
    on_missing: String(after('on_missing') ?? 'create'),
  }))
    requireModelRight(model, caller, right)
  if (updates && !canUpdate(model)) errors.update_records = [importerErrors.import_type_not_updatable]
  const matchField = String(after('match_field') ?? '')
  if (matchField && !listMatchFields(model).includes(matchField))
    errors.match_field = [importerErrors.import_field_unknown({ field: matchField })]
  if (!before) hidden.user = caller.pk
  const isNewFile = changes(write, 'data_file')
  const hasOtherFields = !before || isNewFile || changes(write, 'model_type') || changes(write, 'update_records')
  const findsOthers = ['match_field', 'on_match', 'on_missing', 'decimal_separator'].some((name) => changes(write, name))
  if (before && (hasOtherFields || findsOthers)) {
    const accepted = await tx.first('select from import_row where session = $1 and complete limit 1', [before.pk])
    if (accepted) throw invalid({ non_field_errors: [importerErrors.import_rows_accepted] })
  }
  if (isNewFile) {
    const head = await getHead(write, values.data_file as string, type, caller.pk).catch((error) => {
      if (!(error instanceof FieldError)) throw error
      throw invalid({ data_file: error.entry as ErrorMessage[] })
    })
    Object.assign(hidden, toHeadColumns(head))
  }
  if (!hasOtherFields && !findsOthers) return
  Object.assign(hidden, { status: MAPPING, run: null })
  if (!hasOtherFields) return
  const fields = describeImportFields(model, write, updates)
  hidden.available_fields = JSON.stringify(fields)
  values.field_defaults = completeDefaults(write, fields)
}

/** The defaults that the request or the session has for fields of this type, and those that new objects have anyway. */
function completeDefaults({ before, values }: Write, fields: ImportFields): string {
  const given =
    (typeof values.field_defaults === 'string' ? JSON.parse(values.field_defaults) : (before?.field_defaults ?? {})) ?? {}
  const known = Object.entries(given).filter(([name]) => name in fields && name !== ID_FIELD)
  return JSON.stringify({ ...listDefaults(fields), ...Object.fromEntries(known) })
}
