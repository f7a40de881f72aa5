import type { Undo } from '../../kit/page/toast.tsx'
import { type Answer, post } from '../../kit/service/api.ts'

/** Field in the body of a transfer, count, addition, removal, status change or receipt that makes it undoable. */
export const UNDOABLE = { undoable: true }

/** The undo of an action on stock, by its response; undefined if it cannot be undone. */
export const undoOf = (answer: Answer<unknown>): Undo | undefined => undoOfAll([answer])

/** The same for several consecutive actions: undoes all of them or none. Actions without changes are skipped. */
export function undoOfAll(answers: readonly Answer<unknown>[]): Undo | undefined {
  const made = answers.flatMap(({ body }) => ((body ?? {}) as { adjustment?: string | null }).adjustment ?? [])
  const [last, ...also] = made.toReversed()
  return last ? (key) => post(`/api/stock/adjustment/${last}/undo/`, { also }, key) : undefined
}
