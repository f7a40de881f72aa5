import * as input from '../../kit/definition/input.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import type { Lengths } from '../../kit/services/printer.ts'
import { PAGE_SIZES, type PageSize } from '../page-sizes.ts'
import { printErrors } from '../print-errors.ts'

/** A sheet of labels; all lengths in millimeters. */
export type LabelSheet = {
  page: Lengths
  label: Lengths
  columns: number
  rows: number
  /** From the upper left corner of the sheet to the first label. */
  margin: { top: number; left: number }
  gap: { column: number; row: number }
  /** Whether each label has a thin line around it. */
  border: boolean
}

/** Maximum labels in a row or column of a sheet: nothing smaller than 4 mm is a label. */
const MAX_LABELS_PER_SIDE = 100

const lengthField = (label: string, help: string) =>
  input.optional(input.decimal({ digits: 6, places: 3, min: 0, form: 'number', label, help }))
const countField = (label: string, help: string) =>
  input.optional(input.integer({ min: 1, max: MAX_LABELS_PER_SIDE, label, help }))

/** Sheet options of a request, in its body or its query. */
export const sheetFields = {
  page_size: input.optional(
    input.choice<PageSize>(() => Object.keys(PAGE_SIZES).map((value) => ({ value, label: value })), {
      label: 'Page size',
      help: 'The paper size of a label sheet; A4 by default.',
    }),
  ),
  landscape: input.optional(input.boolean({ label: 'Landscape', help: 'Whether label sheets have landscape orientation.' })),
  skip: input.optional(
    input.integer({
      min: 0,
      max: MAX_LABELS_PER_SIDE * MAX_LABELS_PER_SIDE,
      label: 'Skip labels',
      help: 'The number of labels to skip on the first sheet, because they are already used.',
    }),
  ),
  border: input.optional(input.boolean({ label: 'Border', help: 'Whether each label on a sheet has a thin border.' })),
  columns: countField('Columns', 'The number of label columns on a sheet; by default as many as fit.'),
  rows: countField('Rows', 'The number of label rows on a sheet; by default as many as fit.'),
  margin_top: lengthField('Top margin', 'The margin above the first row of a label sheet, in millimeters.'),
  margin_left: lengthField('Left margin', 'The margin to the left of the first column of a label sheet, in millimeters.'),
  column_gap: lengthField('Column gap', 'The gap between the columns of a label sheet, in millimeters.'),
  row_gap: lengthField('Row gap', 'The gap between the rows of a label sheet, in millimeters.'),
} satisfies input.Shape

export type SheetOptions = Partial<input.ValuesOf<typeof sheetFields>>

/** Tolerance added before lengths are compared: a label that fits is not rejected for a rounding error. */
const TOLERANCE = 0.001

/**
 * Computes the sheet for labels of a size.
 * @throws Problem 400 when no label fits, or fewer than requested
 */
export function computeLabelSheet(label: Lengths, options: SheetOptions): LabelSheet {
  const size = PAGE_SIZES[options.page_size ?? 'A4']
  const page = options.landscape ? { width: size.height, height: size.width } : size
  const margin = { top: Number(options.margin_top ?? 0), left: Number(options.margin_left ?? 0) }
  const gap = { column: Number(options.column_gap ?? 0), row: Number(options.row_gap ?? 0) }
  const countFitting = (sheetLength: number, labelLength: number, spacing: number) =>
    Math.min(MAX_LABELS_PER_SIDE, Math.max(0, Math.floor((sheetLength + spacing + TOLERANCE) / (labelLength + spacing))))
  const columns = countFitting(page.width - margin.left, label.width, gap.column)
  const rows = countFitting(page.height - margin.top, label.height, gap.row)
  if (columns * rows === 0) throw invalidObject(printErrors.label_larger_than_sheet)
  if ((options.columns ?? 0) > columns) throw invalid({ columns: [printErrors.max_label_columns({ max_columns: columns })] })
  if ((options.rows ?? 0) > rows) throw invalid({ rows: [printErrors.max_label_rows({ max_rows: rows })] })
  const sheet = { page, label, columns: options.columns ?? columns, rows: options.rows ?? rows, margin, gap }
  if ((options.skip ?? 0) >= sheet.columns * sheet.rows)
    throw invalid({ skip: [printErrors.max_skipped_labels({ labels: sheet.columns * sheet.rows })] })
  return { ...sheet, border: options.border ?? false }
}

/** Upper left corners of the labels of a sheet, row by row, from the sheet's own corner. */
export const listCells = ({ label, columns, rows, margin, gap }: LabelSheet): { x: number; y: number }[] =>
  Array.from({ length: columns * rows }, (_, index) => ({
    x: margin.left + (index % columns) * (label.width + gap.column),
    y: margin.top + Math.floor(index / columns) * (label.height + gap.row),
  }))
