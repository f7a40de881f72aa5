import { sql } from 'drizzle-orm'
import { index, pgTable } from 'drizzle-orm/pg-core'
import {
  accountReference,
  createOrderIndexes,
  flag,
  instant,
  metadata,
  primaryKey,
  reference,
  varchar,
  varcharNotNull,
} from '../../../kit/sql/columns.ts'
import { testTemplate } from '../../part/test-template/test-template.table.ts'
import { userAccount } from '../../user/user-account.table.ts'
import { stockItem } from '../stock-item.table.ts'

/** Result of a test of a stock item. The newest one of each test counts. */
export const stockItemTestResult = pgTable(
  'stock_item_test_result',
  {
    pk: primaryKey(),
    stock_item: reference(() => stockItem.pk, 'cascade').notNull(),
    template: reference(() => testTemplate.pk, 'cascade'),
    result: flag(false),
    value: varcharNotNull(500),
    /** Path of the file below the media folder; null or empty without one. */
    attachment: varchar(100),
    notes: varcharNotNull(500),
    test_station: varcharNotNull(500),
    started_datetime: instant(),
    finished_datetime: instant(),
    /** The account that entered it. */
    user: accountReference(() => userAccount.pk, 'set null'),
    date: instant().notNull().default(sql`now()`),
    metadata: metadata(),
  },
  (table) => [
    index('stock_item_test_result_date_idx').on(table.date, table.pk),
    index('stock_item_test_result_stock_item_idx').on(table.stock_item, table.template, table.date),
    index('stock_item_test_result_template_idx').on(table.template),
    ...createOrderIndexes(
      'stock_item_test_result',
      table.pk,
      table.result,
      table.test_station,
      table.started_datetime,
      table.finished_datetime,
    ),
    index('stock_item_test_result_attachment_idx').on(table.attachment).where(sql`${table.attachment} is not null`),
    index('stock_item_test_result_user_idx').on(table.user).where(sql`${table.user} is not null`),
  ],
)
