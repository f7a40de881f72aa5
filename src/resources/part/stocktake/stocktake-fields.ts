import type { PgColumn } from 'drizzle-orm/pg-core'
import * as f from '../../../kit/definition/field.ts'
import { userBrief } from '../../user/user.resource.ts'

/** The user of a stocktake. */
export const stocktakeUser = (column: PgColumn, help: string): f.Field => ({
  ...f.ref(column, { readonly: true, filter: true, order: true, model: 'user', apiUrl: '/api/user/', help }),
  options: { type: 'field', filters: {} },
})

export const stocktakeUserDetail = (column: PgColumn): f.Field => f.nested(column, userBrief, { help: 'The account.' })
