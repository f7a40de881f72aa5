import type { Undo } from '../../kit/page/toast.tsx'
import { type Answer, post } from '../../kit/service/api.ts'

/** What the body of a transfer, count, addition, removal or delivery holds that can be taken back. */
export const UNDOABLE = { undoable: true }

/** What takes back what was done to stock, by its answer; undefined where it cannot be. */
export function undoOf({ body }: Answer<unknown>): Undo | undefined {
  const { adjustment } = (body ?? {}) as { adjustment?: string | null }
  return adjustment ? (key) => post(`/api/stock/adjustment/${adjustment}/undo/`, {}, key) : undefined
}
