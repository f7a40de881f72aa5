import { hasPermission } from '../../../kit/service/session.ts'

/** The roles of the service: templates of all kinds share assets and snippets. */
const ROLES = [
  'admin',
  'part_category',
  'part',
  'stocktake',
  'stock_location',
  'stock',
  'build',
  'purchase_order',
  'sales_order',
  'return_order',
  'bom',
  'transfer_order',
]

/** Whether the account can change assets and snippets: as in the service, with the permission to change anything at all. */
export const canChangeAnything = (): boolean => hasPermission('change', ...ROLES)
