import { resource } from '../../../kit/definition/resource.ts'
import { constraintErrors } from '../../../kit/request/request-errors.ts'
import { selectionAccess, touchList } from '../selection-rules.ts'
import { entryFields } from './selection-entry.fields.ts'
import { selectionEntry as table } from './selection-entry.table.ts'

const rules = 'Values are unique within a list. Rejected while the list is locked.'

export const selectionEntry = resource({
  path: '/api/selection/{list}/entry/',
  name: 'Selection list entry',
  description: 'A value of a selection list, with the text that people select.',
  remarks: { create: rules, update: rules, delete: 'Rejected while the list is locked. Existing values remain.' },
  example: {
    pk: 1,
    parent: 1,
    create: { value: 'grn', label: 'Green', description: 'RAL 6018' },
    replace: { value: 'red', label: 'Red' },
    change: { active: false },
    deletable: 2,
  },
  model: 'selectionlistentry',
  table,
  parent: table.list,
  access: selectionAccess,
  fields: entryFields,
  constraints: {
    selection_list_entry_list_value_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['list', 'value'] })],
    },
  },
  rules: ({ tx, hidden, before }) => touchList(tx, (before?.list ?? hidden.list) as number),
  beforeDelete: ({ tx, row }) => touchList(tx, row.list as number),
})
