import { roles } from '../../../kit/request/caller.ts'

/** Access to supplier and manufacturer parts follows the roles for parts and for purchasing. */
export const companyPartRoles = roles('part', 'purchase_order')
