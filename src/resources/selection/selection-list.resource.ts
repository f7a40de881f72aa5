import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import { resource, type Write } from '../../kit/definition/resource.ts'
import { invalid } from '../../kit/request/problem.ts'
import { parameterErrors } from '../parameter/parameter-errors.ts'
import { entryFields } from './entry/selection-entry.fields.ts'
import { selectionEntry } from './entry/selection-entry.table.ts'
import { selectionList as table } from './selection-list.table.ts'
import { canUnlock, selectionAccess } from './selection-rules.ts'

const entryShape = f.brief(() => ({ table: selectionEntry, fields: entryFields }), Object.keys(entryFields))
const entryReference = input.reference(() => selectionEntry, { nullable: true })

const lockRule = 'Rejected while the list is locked; staff can unlock it.'

export const selectionList = resource({
  path: '/api/selection/',
  name: 'Selection list',
  description: 'A list of values that parameter templates offer instead of choices of their own.',
  remarks: {
    update: lockRule,
    delete: 'Rejected while the list is locked. Deletes its entries; templates remain, without a list.',
  },
  example: {
    pk: 1,
    create: { name: 'Sizes', description: 'From S to L' },
    replace: { name: 'Case finishes', description: 'Finishes of cases' },
    change: { description: 'Finishes of cases and knobs' },
    deletable: 2,
  },
  model: 'selectionlist',
  table,
  access: selectionAccess,
  deletesExclusively: true,
  fields: {
    pk: f.pk(table.pk),
    name: f.column(table.name, { required: true, search: true, order: true, help: 'The unique name of the list.' }),
    description: f.column(table.description, { search: true, help: 'A short description; empty for none.' }),
    active: f.column(table.active, {
      filter: true,
      order: true,
      help: 'Whether the list is in use. Lists can be filtered by it; it restricts nothing.',
    }),
    locked: f.column(table.locked, {
      filter: true,
      help: 'Whether the list and its entries cannot be changed. Only staff can unlock it.',
    }),
    source_plugin: f.ref(table.source_plugin, {
      model: 'pluginconfig',
      apiUrl: '/api/plugins/',
      label: 'Source Plugin',
      help: 'The plugin that the entries come from; empty for none.',
    }),
    source_string: f.column(table.source_string, {
      label: 'Source String',
      help: 'What the plugin calls the list; empty for none.',
    }),
    default: {
      ...f.nested(table.default, entryShape, { help: 'The entry that forms suggest; empty for none.' }),
      column: table.default,
      // a client may return the entry as GET shows it
      input: {
        ...entryReference,
        read: (value, reading, fail) => entryReference.read(isEntry(value) ? value.id : value, reading, fail),
      },
    },
    created: f.readonly(table.created, { help: 'When it was created.' }),
    last_updated: f.readonly(table.last_updated, { help: 'When it or one of its entries was last changed.' }),
    entry_count: f.computed(Type.Integer(), '(select count(*) {from selection_list_entry} entry where entry.list = {pk})', {
      help: 'The number of its entries.',
    }),
    choices: f.rows(selectionEntry.list, entryShape, {
      flag: { name: 'choices', list: true, detail: true },
      help: 'Its entries.',
    }),
  },
  constraints: { selection_list_name_key: { name: [parameterErrors.selection_list_name_taken] } },
  rules: checkList,
  beforeDelete({ row }) {
    if (row.locked) throw invalid({ locked: [parameterErrors.selection_list_locked] })
  },
})

const isEntry = (value: unknown): value is { id: unknown } => typeof value === 'object' && value !== null && 'id' in value

/** Rejects changes of a locked list, other than that staff unlock it; and a default of another list. */
async function checkList({ tx, caller, before, values, hidden, errors }: Write): Promise<void> {
  if (before?.locked && !(values.locked === false && canUnlock(caller))) errors.locked = [parameterErrors.selection_list_locked]
  hidden.last_updated = new Date().toISOString()
  if (values.default === undefined || values.default === null) return
  const entry = await tx.first<{ list: number | null }>('select list from selection_list_entry where pk = $1 for key share', [
    values.default,
  ])
  if (entry?.list !== before?.pk) errors.default = [parameterErrors.selection_default_of_other_list]
}
