import { sql } from 'drizzle-orm'
import { check, index, numeric, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  accountReference,
  createOrderIndexes,
  instant,
  metadata,
  primaryKey,
  reference,
  varcharNotNull,
} from '../../kit/sql/columns.ts'
import { userAccount } from '../user/user-account.table.ts'
import { PARAMETER_MODELS, PARAMETER_OWNERS, type ParameterOwner } from './parameter-models.ts'
import { parameterTemplate } from './template/parameter-template.table.ts'

/** A column for each kind of object. */
const ownerColumns = Object.fromEntries(
  PARAMETER_OWNERS.map((owner) => [owner, reference(() => PARAMETER_MODELS[owner].table().pk, 'cascade')]),
) as Record<ParameterOwner, ReturnType<typeof reference>>

/** The value of a parameter of a part or another object; exactly one owner column is not null. */
export const parameter = pgTable(
  'parameter',
  {
    pk: primaryKey(),
    ...ownerColumns,
    template: reference(() => parameterTemplate.pk, 'cascade').notNull(),
    /** The value as entered. Empty if a category added the parameter without a value. */
    data: varcharNotNull(500),
    /** The value as a number in the units of the template; null if it is not numeric. */
    data_numeric: numeric(),
    note: varcharNotNull(500),
    /** Time of the last change, and the account; null for rows that are older than these columns. */
    updated: instant().default(sql`now()`),
    updated_by: accountReference(() => userAccount.pk, 'set null'),
    metadata: metadata(),
  },
  (table) => [
    ...PARAMETER_OWNERS.map((owner) =>
      uniqueIndex(`parameter_${owner}_template_key`).on(table[owner], table.template).where(sql`${table[owner]} is not null`),
    ),
    // also finds parts by a value from the index alone
    index('parameter_template_data_numeric_part_idx').on(table.template, table.data_numeric, table.part),
    index('parameter_template_lower_data_idx').on(table.template, sql`lower(${table.data})`),
    index('parameter_template_data_idx').on(table.template, table.data),
    index('parameter_by_data_idx').on(table.data_numeric, table.data, table.pk),
    ...createOrderIndexes('parameter', table.pk, table.updated, table.updated_by),
    check('parameter_owner_check', sql.raw(`num_nonnulls(${PARAMETER_OWNERS.join(', ')}) = 1`)),
  ],
)
