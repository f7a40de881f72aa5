import type { ReferenceRestriction } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { companyErrors } from './company-errors.ts'

/** Access to companies follows the roles for ordering from them, selling to them and handling their returns. */
export const companyRoles = roles('purchase_order', 'sales_order', 'return_order')

/** Restricts references to companies by their role. */
export const COMPANY_ROLE_RESTRICTIONS = {
  customer: { where: '{is_customer}', error: companyErrors.company_not_in_role_customer },
  manufacturer: { where: '{is_manufacturer}', error: companyErrors.company_not_in_role_manufacturer },
  supplier: { where: '{is_supplier}', error: companyErrors.company_not_in_role_supplier },
} as const satisfies Record<string, ReferenceRestriction>
