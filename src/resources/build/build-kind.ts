import { type Access, roles } from '../../kit/request/caller.ts'
import type { Referenced } from '../order/order-kind.ts'
import { buildOrder } from './build.table.ts'

/** Build orders: the properties that they share with every type of order with patterned references. */
export const BUILD_ORDER: Referenced & { path: string; access: Access } = {
  name: 'build order',
  model: 'build',
  path: '/api/build/',
  access: roles('build'),
  table: buildOrder,
  settings: 'BUILDORDER',
}
