import { sql } from 'drizzle-orm'
import { index, integer, type PgColumnBuilderBase, pgTable } from 'drizzle-orm/pg-core'
import { filledVarchar, flag, metadata, primaryKey, text, textArray, varchar } from '../../kit/sql/columns.ts'

/** The template table of one type of report. */
const reports = <More extends Record<string, PgColumnBuilderBase>>(name: string, more: More) =>
  pgTable(
    name,
    {
      pk: primaryKey(),
      name: varchar(100).notNull(),
      description: varchar(250).notNull(),
      /** The template: a path below the media folder, or a URL as it was given. */
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
      ...more,
    },
    (table) => [index(`${name}_template_idx`).using('hash', table.template)],
  )

export type ReportTable = ReturnType<typeof reports>

export const bomReport = reports('bom_report', {})
export const buildReport = reports('build_report', {})
export const purchaseOrderReport = reports('purchase_order_report', {})
export const salesOrderReport = reports('sales_order_report', {})
export const returnOrderReport = reports('return_order_report', {})
export const stockLocationReport = reports('stock_location_report', {})
export const testReport = reports('test_report', {
  /** Whether to include the items installed in the item. */
  include_installed: flag(false),
})
