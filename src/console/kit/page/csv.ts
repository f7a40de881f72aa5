/** The data of a chart as a table: its headings, and rows with one cell for each. Numbers are texts with a decimal point. */
export type DataTable = { headings: readonly string[]; rows: readonly (readonly string[])[] }

/** A table as CSV, which spreadsheets open. Text that they would read as a formula gets a quote before it. */
export const toCsv = ({ headings, rows }: DataTable): string =>
  [headings, ...rows].map((row) => `${row.map(toCsvCell).join(',')}\r\n`).join('')

const IS_NUMBER = /^[+-]?\d+(\.\d+)?$/

function toCsvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !IS_NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
