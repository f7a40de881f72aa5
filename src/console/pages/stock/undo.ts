import type { Undo } from '../../kit/page/toast.tsx'
import { type ApiResponse, post } from '../../kit/service/api.ts'

/** Field in the body of a transfer, count, addition, removal, status change or receipt that makes it undoable. */
export const UNDOABLE = { undoable: true }

/** The undo of an action on stock, by its response; undefined if it cannot be undone. */
export const getUndo = (response: ApiResponse<unknown>): Undo | undefined => getCombinedUndo([response])

/** The same for several consecutive actions: undoes all of them or none. Actions without changes are skipped. */
export function getCombinedUndo(responses: readonly ApiResponse<unknown>[]): Undo | undefined {
  const adjustments = responses.flatMap(({ body }) => ((body ?? {}) as { adjustment?: string | null }).adjustment ?? [])
  const [last, ...also] = adjustments.toReversed()
  return last ? (key) => post(`/api/stock/adjustment/${last}/undo/`, { also }, key) : undefined
}
