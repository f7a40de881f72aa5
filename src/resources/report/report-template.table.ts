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
      /** The shipped template that this one was before its file was changed: its path below the media folder. */
      shipped: text(),
      metadata: metadata(),
      ...extraColumns,
    },
    (table) => [index(`${name}_template_idx`).using('hash', table.template)],
  )

export type ReportTable = ReturnType<typeof createReportTable>

/** Templates of BOM reports. */
export const bomReport = createReportTable('bom_report', {})
/** Templates of build order reports. */
export const buildReport = createReportTable('build_report', {})
/** Templates of purchase order reports. */
export const purchaseOrderReport = createReportTable('purchase_order_report', {})
/** Templates of sales order reports. */
export const salesOrderReport = createReportTable('sales_order_report', {})
/** Templates of return order reports. */
export const returnOrderReport = createReportTable('return_order_report', {})
/** Templates of location reports. */
export const stockLocationReport = createReportTable('stock_location_report', {})
/** Templates of test reports of stock items. */
export const testReport = createReportTable('test_report', {
  /** Whether to include the items installed in the item. */
  include_installed: flag(false),
})
