import * as f from '../../../kit/definition/field.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { getReferenceModel } from '../create-references.ts'
import type { ImportFields } from '../import-fields.ts'
import { requireModelRight } from '../import-models.ts'
import { MAPPING } from '../import-status.ts'
import { importerErrors } from '../importer-errors.ts'
import { lockSessions } from '../lock-sessions.ts'
import { columnMapping as table } from './column-mapping.table.ts'

export const columnMapping = resource({
  path: '/api/importer/column-mapping/',
  name: 'Import column mapping',
  description:
    'A field of the objects of an import session, and the column of the file with its values. An account sees its own, staff see all.',
  remarks: {
    update:
      'A column belongs to one field. Accepting the fields again reads the rows with the new mapping; rejected once a row was accepted.',
  },
  example: { pk: 1, hasNoObject: true, replace: { column: '' }, change: { column: 'name' } },
  model: 'dataimportcolumnmap',
  table,
  access: signedIn,
  rows: () => ({ sql: '({session.user} = {@caller} or {@staff})', values: [] }),
  without: ['create', 'delete'],
  fields: {
    pk: f.pk(table.pk),
    session: f.ref(table.session, {
      readonly: true,
      filter: true,
      model: 'dataimportsession',
      apiUrl: '/api/importer/session/',
      api530: { metadata: { type: 'field' } },
      label: 'Import Session',
      help: 'The import session.',
    }),
    column: f.column(table.column, {
      search: true,
      order: true,
      label: 'Column',
      help: 'The heading of the column; empty for none.',
    }),
    field: f.readonly(table.field, { search: true, order: true, label: 'Field', help: 'The name of the field.' }),
    label: f.readonly(table.label, { search: true, label: 'Label', help: 'The heading of the field.' }),
    description: f.readonly(table.description, { label: 'Description', help: 'What the field means.' }),
    lookup_field: f.column(table.lookup_field, {
      label: 'Lookup Field',
      help: 'The value by which rows name the objects of a reference, such as the name; empty to try each.',
    }),
    create_missing: f.column(table.create_missing, {
      label: 'Create Missing',
      help: 'Whether the objects of a reference that do not exist are created: categories and locations by their paths, companies, and components of a BOM. Requires the permission to add such objects.',
    }),
  },
  order: { pk: ['{pk}'] },
  defaultOrder: ['pk'],
  locksFirst: lockSessions('import_column_mapping'),
  rules: checkMapping,
  async afterUpdate({ tx, before }) {
    const session = before?.session
    // rows that were read with another mapping are read again
    await tx.query('update import_session set status = $2, run = null where pk = $1 and status <> $2', [session, MAPPING])
    await tx.query('delete from import_row where session = $1', [session])
  },
})

/** Checks that the file has the column, that no other field has it, and that the field can look up objects as asked. */
async function checkMapping({ tx, caller, before, values, errors }: Write): Promise<void> {
  const session = await tx.first<{ columns: string[]; available_fields: ImportFields; has_accepted: boolean }>(
    `select columns, available_fields, exists (select from import_row where session = $1 and complete) as has_accepted
     from import_session where pk = $1`,
    [before?.session],
  )
  if (!session || !before) return
  if (session.has_accepted) throw invalid({ non_field_errors: [importerErrors.import_rows_accepted] })
  const column = values.column as string | undefined
  if (column && !session.columns.includes(column)) errors.column = [importerErrors.import_column_missing({ column })]
  else if (column) {
    const other = await tx.first<{ field: string }>(
      'select field from import_column_mapping where session = $1 and "column" = $2 and pk <> $3',
      [before.session, column, before.pk],
    )
    if (other) errors.column = [importerErrors.import_column_taken({ column, field: other.field })]
  }
  const name = values.lookup_field as string | null | undefined
  const names = session.available_fields[String(before.field)]?.lookup_fields ?? []
  if (values.create_missing) {
    const field = String(before.field)
    if (!session.available_fields[field]?.can_create) errors.create_missing = [importerErrors.import_creation_not_possible]
    else requireModelRight(getReferenceModel(session.available_fields, field), caller, 'add')
  }
  if (name && !names.includes(name)) errors.lookup_field = [importerErrors.import_lookup_field_unknown({ name, names })]
}

/** A mapping inside its session. */
export const columnMappingBrief = f.brief(
  () => columnMapping,
  ['pk', 'session', 'column', 'field', 'label', 'description', 'lookup_field', 'create_missing'],
)
