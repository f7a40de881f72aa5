import { errorCatalogue } from '../kit/values/message.ts'

/** Errors of files that are read as tables. */
export const tableErrors = errorCatalogue('Tables', {
  table_without_headings: 'It has no row with headings.',
  table_without_rows: 'It has no rows after the headings.',
  max_table_rows: 'It has more than {max_rows:integer} rows.',
  max_table_columns: 'It has more than {max_columns:integer} columns.',
  max_cell_length: 'A cell has more than {max_length:integer} characters.',
  unreadable_table: 'The file cannot be read: it is damaged, too large, or does not match its file name extension.',
  table_not_text: 'Row {row:integer} has characters that are not text: the file is damaged, or has another type or encoding.',
  too_many_tables: 'Too many tables are being read; try again.',
  unknown_sheet: 'The workbook has no sheet “{sheet}”.',
  blank_heading_row: 'Row {row:integer} is blank or missing.',
})
