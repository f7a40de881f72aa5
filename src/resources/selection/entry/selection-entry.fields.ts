import * as f from '../../../kit/definition/field.ts'
import { selectionEntry as table } from './selection-entry.table.ts'

/** Fields of an entry of a selection list, on its own and inside its list. */
export const entryFields: f.Fields = {
  id: f.pk(table.pk),
  value: f.column(table.value, {
    required: true,
    filter: true,
    help: 'The value that is stored, unique within the list.',
  }),
  label: f.column(table.label, { required: true, search: true, order: true, help: 'The text that people select.' }),
  description: f.column(table.description, { search: true, help: 'A short description; empty for none.' }),
  active: f.column(table.active, { filter: true, order: true, help: 'Whether it can be selected. Existing values remain.' }),
  list: f.ref(table.list, {
    readonly: true,
    filter: true,
    order: true,
    model: 'selectionlist',
    address: '/api/selection/',
    label: 'Selection List',
    help: 'The selection list, as in the URL.',
  }),
}
