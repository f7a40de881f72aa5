import { roles } from '../../../kit/request/caller.ts'

/** Supplier and manufacturer parts are the business of whoever keeps parts or buys them. */
export const companyPartRoles = roles('part', 'purchase_order')
