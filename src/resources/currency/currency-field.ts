import type { PgColumn } from 'drizzle-orm/pg-core'
import * as f from '../../kit/definition/field.ts'
import { CURRENCIES, defaultCurrency } from './rates.ts'

type Options = Pick<Parameters<typeof f.column>[1] & object, 'label' | 'help' | 'api530' | 'filter' | 'order'>

/** A currency field: one of the supported currencies, the default currency by default. */
export const currencyField = (column: PgColumn, options: Options = {}): f.Field =>
  f.column(column, { label: 'Currency', choices: () => CURRENCIES, default: defaultCurrency, ...options })
