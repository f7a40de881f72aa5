import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { notify } from '../notifications/notify.ts'
import { deleteReturnLines } from '../stock/delete-item.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { BUILD_STATUS } from './build-status.ts'
import { closeBuild, lockActiveBuild } from './change-status.ts'
import { consumeStock } from './consume-stock.ts'
import { lockAllocatedItems, releaseAllocatedStock } from './item/open-allocations.ts'

export const cancelBuild = action({
  method: 'POST',
  path: '/api/build/{id}/cancel/',
  summary: 'Cancel a build order',
  description:
    'Cancels a build order that is pending, in production or on hold. Completed outputs remain in stock, and allocated stock is released unless it is to be consumed.',
  errors: { wrong_state: 'The build order is complete or cancelled.' },
  versioned: true,
  example: { params: { id: 3 }, body: { remove_incomplete_outputs: true } },
  access: BUILD_ORDER.access,
  body: {
    remove_allocated_stock: input.boolean({
      default: false,
      label: 'Consume Allocated Stock',
      help: 'Whether allocated stock is consumed; otherwise it is released.',
    }),
    remove_incomplete_outputs: input.boolean({
      default: false,
      label: 'Remove Incomplete Outputs',
      help: 'Whether incomplete outputs are deleted; otherwise they remain unchanged.',
    }),
  },
  response: Type.Object({ remove_allocated_stock: Type.Boolean(), remove_incomplete_outputs: Type.Boolean() }),
  async run(request) {
    const { tx, pk, body } = request
    const { responsible } = await lockActiveBuild(request)
    const outputs = await tx.query<{ pk: number }>('select pk from stock_item where build = $1 and is_building', [pk])
    const incompleteOutputs = body.remove_incomplete_outputs ? outputs.map((output) => output.pk) : []
    const { allocations, items } = await lockAllocatedItems(tx, pk, { further: incompleteOutputs, consumes: true })
    const consumed = body.remove_allocated_stock ? allocations.filter(({ install_into }) => install_into === null) : []
    await releaseAllocatedStock(
      tx,
      allocations.filter((allocation) => !consumed.includes(allocation)),
      items,
    )
    await consumeStock(request, consumed, items)
    if (incompleteOutputs.length) {
      await deleteReturnLines(request, 'pk = any($1)', [incompleteOutputs])
      await tx.query('delete from stock_item where pk = any($1::integer[]) and build = $2 and is_building', [
        incompleteOutputs,
        pk,
      ])
    }
    await closeBuild(request, BUILD_STATUS.CANCELLED, 'build.cancelled')
    if (responsible !== null) await notify(request, 'canceled', BUILD_ORDER.model, pk)
    return body
  },
})
