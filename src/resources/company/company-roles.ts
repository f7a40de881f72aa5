import type { Only } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { companyErrors } from './company-errors.ts'

/** Companies are the business of whoever orders from them, sells to them or takes goods back. */
export const companyRoles = roles('purchase_order', 'sales_order', 'return_order')

/** Which companies may be referred to, by what they do. */
export const ONLY_COMPANIES = {
  customer: { where: '{is_customer}', otherwise: companyErrors.company_not_in_role_customer },
  manufacturer: { where: '{is_manufacturer}', otherwise: companyErrors.company_not_in_role_manufacturer },
  supplier: { where: '{is_supplier}', otherwise: companyErrors.company_not_in_role_supplier },
} as const satisfies Record<string, Only>
