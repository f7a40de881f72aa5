import { errorCatalogue } from '../../kit/values/message.ts'

/** Errors of import sessions, their column mappings and their rows. */
export const importerErrors = errorCatalogue('Imports', {
  import_column_missing: 'The file has no column “{column}”.',
  import_column_taken: 'The column “{column}” is mapped to {field} already.',
  import_lookup_field_unknown: 'Objects of this field cannot be found by “{name}”; possible are: {names:texts}.',
  import_fields_not_mapped: 'Map a column to these fields, or give each a default or an override: {fields:texts}.',
  import_object_expected: 'A JSON object with a value by field is required.',
  import_field_unknown: 'This type of object has no field “{field}”.',
  import_columns_open: 'The columns of the file must be accepted first.',
  import_rows_accepted: 'Rows of this import were accepted already; upload the file again to start a new import.',
  import_rows_required: 'At least one row is required.',
  import_row_of_other_session: 'Row {row:integer} is not a row of this import.',
  import_row_invalid: 'Row {row:integer} has errors.',
  import_row_complete: 'Row {row:integer} was accepted already.',
  import_accepted_row_changed: 'The row was accepted already.',
  import_superseded: 'The rows are being read again by another request.',
  import_object_missing: 'There is no object with the key {key}.',
  import_key_required: 'A key is required to change an existing object.',
  import_reference_not_found: 'No object found for “{value}”.',
  import_reference_ambiguous: 'Several objects are found for “{value}”; name one by its key, or choose the field to look up.',
  import_type_not_updatable: 'Existing objects of this type cannot be changed.',
})
