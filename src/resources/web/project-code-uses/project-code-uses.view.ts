import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { staff } from '../../../kit/request/caller.ts'
import { queryThrough } from '../../../kit/sql/run-query.ts'
import { BUILD_ORDER } from '../../build/build-kind.ts'
import { tableName } from '../../order/order-kind.ts'
import { PURCHASE_ORDER } from '../../order/po/po-kind.ts'
import { RETURN_ORDER } from '../../order/ro/ro-kind.ts'
import { SALES_ORDER } from '../../order/so/so-kind.ts'
import { TRANSFER_ORDER } from '../../order/transfer-order/transfer-order-kind.ts'

const KINDS = [PURCHASE_ORDER, SALES_ORDER, RETURN_ORDER, TRANSFER_ORDER, BUILD_ORDER]

/** The numbers of orders with each project code. */
export const listProjectCodeUses = view({
  path: '/api/web/project-code-uses/',
  summary: 'Count the orders of each project code',
  description: 'The number of orders per project code and type of order, for types that the account can view.',
  access: staff,
  response: Type.Array(
    Type.Object({
      project_code: Type.Integer({ description: 'The key of the project code.' }),
      model: Type.Union(
        KINDS.map(({ model }) => Type.Literal(model)),
        { description: 'The type of order.' },
      ),
      count: Type.Integer({ description: 'The number of its orders, at least 1.' }),
    }),
  ),
  read: (request) => {
    const selects = KINDS.filter(({ access }) => access(request.caller, 'view')).map(
      ({ model, table }) =>
        `select project_code, '${model}' as model, count(*)::integer as count from ${tableName(table)} where project_code is not null group by project_code`,
    )
    return selects.length === 0 ? [] : queryThrough(request)(`${selects.join(' union all ')} order by project_code, model`, [])
  },
})
