import { type Access, roles } from '../../kit/request/caller.ts'
import type { ReferencedOrder } from '../order/order-kind.ts'
import { buildOrder } from './build.table.ts'

/** Build orders: the properties that they share with every type of order whose references follow a pattern. */
export const BUILD_ORDER: ReferencedOrder & { path: string; access: Access } = {
  name: 'build order',
  model: 'build',
  path: '/api/build/',
  access: roles('build'),
  table: buildOrder,
  settings: 'BUILDORDER',
}
