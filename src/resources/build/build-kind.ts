import { type Access, roles } from '../../kit/request/caller.ts'
import type { Referenced } from '../order/order-kind.ts'
import { buildOrder } from './build.table.ts'

/** Build orders: what they have alike with every kind of order, references by a pattern. */
export const BUILD_ORDER: Referenced & { path: string; access: Access } = {
  name: 'build order',
  model: 'build',
  path: '/api/build/',
  access: roles('build'),
  table: buildOrder,
  settings: 'BUILDORDER',
}
