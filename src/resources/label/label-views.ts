import { pgTable } from 'drizzle-orm/pg-core'
import { text, varchar } from '../../kit/sql/columns.ts'
import { showRowsOf } from '../../kit/sql/sql.ts'
import { templateColumns } from '../printing/template.columns.ts'
import { labelTemplate, millimetres } from './template/label-template.table.ts'

/** Describes a view in PostgreSQL of the label templates of one kind, with the keys that they have there (ADR 0058). */
function describeLabels(name: string) {
  const { kind_pk: _, model_type: __, template: ___, ...columns } = templateColumns()
  const view = pgTable(name, {
    ...columns,
    description: varchar(250),
    label: text().notNull(),
    width: millimetres().notNull().default('50'),
    height: millimetres().notNull().default('20'),
    filename_pattern: varchar(100).notNull().default('label.pdf'),
  })
  showRowsOf(view, labelTemplate)
  return view
}

export const partLabels = describeLabels('part_label')
export const stockItemLabels = describeLabels('stock_item_label')
export const stockLocationLabels = describeLabels('stock_location_label')
export const buildLineLabels = describeLabels('build_line_label')

/** The label templates of one kind. */
export type LabelView = ReturnType<typeof describeLabels>
