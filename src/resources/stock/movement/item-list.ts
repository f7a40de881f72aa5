import { Type } from 'typebox'
import { list, object, reference } from '../../../kit/definition/input.ts'
import type { Errors } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { stockItem } from '../stock-item.table.ts'
import { MAX_ITEMS } from './adjustment.ts'
import type { LockedItem } from './locked-items.ts'

/** List of stock items in the body of an action, each as `{"item": pk}`. */
export const itemList = (help: string) =>
  list(
    object({
      item: reference(() => stockItem, {
        required: true,
        options: { model: 'stockitem', api_url: '/api/stock/' },
        label: 'Stock Item',
        help: 'The stock item.',
      }),
    }),
    { required: true, max: MAX_ITEMS, help },
  )

export const itemListResponse = Type.Array(Type.Object({ item: Type.Integer() }))

/** Throws 400 with the errors of all items; `check` returns an error for an item that cannot be used. */
export function checkItems(items: readonly LockedItem[], check: (item: LockedItem) => ErrorMessage | undefined): void {
  const errors = items.map((item): Errors => {
    const problem = check(item)
    return problem === undefined ? {} : { item: [problem] }
  })
  if (errors.some((entry) => 'item' in entry)) throw invalid({ items: errors })
}
