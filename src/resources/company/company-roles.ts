import { roles } from '../../kit/request/caller.ts'

/** Companies are the business of whoever orders from them, sells to them or takes goods back. */
export const companyRoles = roles('purchase_order', 'sales_order', 'return_order')
