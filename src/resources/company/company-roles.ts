import type { Only } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'

/** Companies are the business of whoever orders from them, sells to them or takes goods back. */
export const companyRoles = roles('purchase_order', 'sales_order', 'return_order')

/** Which companies may be referred to, by what they do. */
export const ONLY_COMPANIES = {
  customer: { where: '{is_customer}', otherwise: 'The company is no customer.' },
  manufacturer: { where: '{is_manufacturer}', otherwise: 'The company is no manufacturer.' },
  supplier: { where: '{is_supplier}', otherwise: 'The company is no supplier.' },
} as const satisfies Record<string, Only>
