import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { orNull } from '../../../kit/definition/input.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { FieldError } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { isObject } from '../../../kit/values/json.ts'
import { finishSessions } from '../finish-session.ts'
import { getImportModel, requireModelRight } from '../import-models.ts'
import { type RowOutcome, readMappings, readSession, tryRowsWithin } from '../import-rows.ts'
import { importerErrors } from '../importer-errors.ts'
import { listRights } from '../list-rights.ts'
import { lockSessions } from '../lock-sessions.ts'
import { importRow as table } from './import-row.table.ts'

const jsonInput = f.column(table.data).input as NonNullable<f.Field['input']>

export const importRow = resource({
  path: '/api/importer/row/',
  name: 'Import row',
  description:
    'A row of the file of an import session, with the values of its fields and their errors. An account sees its own, staff see all.',
  remarks: {
    update:
      'Checks the row with the new values, and with objects that were created in the meantime. An accepted row cannot be changed.',
    delete: 'An object that the row created remains.',
  },
  example: {
    pk: 1,
    hasNoObject: true,
    replace: { data: { name: 'Resistor 27 kΩ' } },
    change: { data: { name: 'Resistor 27 kΩ' } },
  },
  model: 'dataimportrow',
  table,
  access: signedIn,
  rows: () => ({ sql: '({session.user} = {@caller} or {@staff})', values: [] }),
  without: ['create'],
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    session: f.ref(table.session, {
      readonly: true,
      filter: true,
      model: 'dataimportsession',
      apiUrl: '/api/importer/session/',
      label: 'Import Session',
      help: 'The import session.',
    }),
    row_index: f.readonly(table.row_index, {
      order: true,
      label: 'Row Index',
      help: 'Its position below the heading row, from 0.',
    }),
    row_data: f.readonly(table.row_data, { label: 'Original row data', help: 'The cells of the file, by column.' }),
    data: {
      ...f.column(table.data, { help: 'The values to write, by field; they replace all earlier ones.' }),
      input: {
        ...jsonInput,
        help: 'The values to write, by field; they replace all earlier ones.',
        read(value, reading, fail) {
          if (!isObject(value)) throw new FieldError(importerErrors.import_object_expected)
          return jsonInput.read(value, reading, fail)
        },
      },
    },
    errors: f.readonly(table.errors, { help: 'Its errors, as a list of sentences by field; null for none.' }),
    field_errors: f.computed(Type.Any(), `coalesce({field_errors}, '[]'::json)`, {
      type: 'field',
      help: 'The same errors with their codes and parameters.',
    }),
    valid: f.readonly(table.valid, { filter: true, order: true, help: 'Whether it can be accepted.' }),
    complete: f.readonly(table.complete, { filter: true, help: 'Whether it was accepted.' }),
    action: f.readonly(table.action, { filter: true, help: '`create`, `update` or `skip`: what accepting it does, or did.' }),
    object: f.computed(orNull(Type.Integer()), '{object}', {
      type: 'integer',
      help: 'The key of the object that it changes, changed or created; null for none yet.',
    }),
    previous: f.computed(Type.Any(), '{previous}', {
      type: 'field',
      help: 'The former values, by field, of what it changes or changed; null for a new object, empty if nothing differs.',
    }),
    created: f.computed(Type.Any(), `coalesce({created}, '[]'::json)`, {
      type: 'field',
      help: 'The objects that are created because the row names them, each with its field, model and name.',
    }),
  },
  search: ['{row_data}::text'],
  order: { pk: ['{pk}'] },
  defaultOrder: ['row_index'],
  locksFirst: lockSessions('import_row'),
  rules: checkRow,
  async afterDelete({ tx }, rows) {
    await finishSessions(tx, [...new Set(rows.map(({ session }) => session as number))])
  },
})

/** Checks what accepting the row would do. */
async function checkRow({ tx, caller, exchange, before, values, hidden, ...services }: Write): Promise<void> {
  if (!before) return
  if (before.complete) throw invalid({ non_field_errors: [importerErrors.import_accepted_row_changed] })
  const session = await readSession(tx, before.session as number)
  if (!session) return
  for (const right of listRights(session)) requireModelRight(getImportModel(session.model_type), caller, right)
  const data = (typeof values.data === 'string' ? JSON.parse(values.data) : values.data === null ? {} : before.data) ?? {}
  const context = { tx, caller, exchange, services, flags: new Set<string>() }
  const [outcome] = await tryRowsWithin(context, session, await readMappings(tx, session.pk), [data])
  Object.assign(hidden, toRowColumns(outcome as RowOutcome))
}

/** What is stored of the check of a row. */
export const toRowJson = ({ action, object, previous, created, errors, fieldErrors }: RowOutcome) => ({
  valid: errors === null,
  errors,
  field_errors: errors === null ? null : fieldErrors,
  action,
  // the keys of new objects that were rolled back
  object: action === 'create' ? null : object,
  previous,
  created: created.length > 0 ? created.map(({ pk: _, ...reference }) => reference) : null,
})

/** The same as columns of the row. */
const toRowColumns = (outcome: RowOutcome) =>
  Object.fromEntries(
    Object.entries(toRowJson(outcome)).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  )
