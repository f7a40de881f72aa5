import { sql } from 'drizzle-orm'
import { index, integer, type PgColumnBuilderBase, pgTable } from 'drizzle-orm/pg-core'
import { filledVarchar, flag, metadata, primaryKey, text, textArray, varchar } from '../../kit/sql/columns.ts'

/** The template table of one type of report. */
const createReportTable = <More extends Record<string, PgColumnBuilderBase>>(name: string, extraColumns: More) =>
  pgTable(
    name,
    {
      pk: primaryKey(),
      name: varchar(100).notNull(),
      description: varchar(250).notNull(),
      /** The template: a path below the media folder, or a URL as entered. */
      template: text().notNull(),
      /** Filters of the objects that it applies to: `src/resources/printing/filters.ts`. */
      filters: filledVarchar(250),
      enabled: flag(true),
      page_size: varchar(20).notNull().default('A4'),
      landscape: flag(false),
      /** Pattern of the name of the printed file. */
      filename_pattern: varchar(100).notNull().default('report.pdf'),
      /** Number of saves; templates can print it. */
      revision: integer().notNull().default(1),
      /** Problems that prevent printing the template: unknown tags and filters. */
      problems: textArray().notNull().default(sql`'{}'`),
      metadata: metadata(),
      ...extraColumns,
    },
    (table) => [index(`${name}_template_idx`).using('hash', table.template)],
  )

export type ReportTable = ReturnType<typeof createReportTable>

export const bomReport = createReportTable('bom_report', {})
export const buildReport = createReportTable('build_report', {})
export const purchaseOrderReport = createReportTable('purchase_order_report', {})
export const salesOrderReport = createReportTable('sales_order_report', {})
export const returnOrderReport = createReportTable('return_order_report', {})
export const stockLocationReport = createReportTable('stock_location_report', {})
export const testReport = createReportTable('test_report', {
  /** Whether to include the items installed in the item. */
  include_installed: flag(false),
})
