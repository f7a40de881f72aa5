import { type PgColumnBuilderBase, pgTable } from 'drizzle-orm/pg-core'
import { flag, varchar } from '../../kit/sql/columns.ts'
import { showRowsOf } from '../../kit/sql/sql.ts'
import { templateColumns } from '../printing/template.columns.ts'
import { reportTemplate } from './template/report-template.table.ts'

/** Describes a view in PostgreSQL of the report templates of one kind, with the keys that they have there (ADR 0058). */
function describeReports<More extends Record<string, PgColumnBuilderBase>>(name: string, more: More) {
  const { kind_pk: _, model_type: __, ...columns } = templateColumns()
  const view = pgTable(name, {
    ...columns,
    description: varchar(250).notNull(),
    page_size: varchar(20).notNull().default('A4'),
    landscape: flag(false),
    filename_pattern: varchar(100).notNull().default('report.pdf'),
    merge: flag(false),
    ...more,
  })
  showRowsOf(view, reportTemplate)
  return view
}

export const bomReports = describeReports('bom_report', {})
export const buildReports = describeReports('build_report', {})
export const purchaseOrderReports = describeReports('purchase_order_report', {})
export const salesOrderReports = describeReports('sales_order_report', {})
export const returnOrderReports = describeReports('return_order_report', {})
export const stockLocationReports = describeReports('stock_location_report', {})
export const testReports = describeReports('test_report', { include_installed: flag(false) })

/** The report templates of one kind. */
export type ReportView = ReturnType<typeof describeReports>
