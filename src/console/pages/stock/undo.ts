import type { Undo } from '../../kit/page/toast.tsx'
import { type Answer, post } from '../../kit/service/api.ts'

/** What the body of a transfer, count, addition, removal, change of state or delivery holds that can be taken back. */
export const UNDOABLE = { undoable: true }

/** What takes back what was done to stock, by its answer; undefined where it cannot be. */
export const undoOf = (answer: Answer<unknown>): Undo | undefined => undoOfAll([answer])

/** The same of what was done one after the other: all of it, or nothing. What changed nothing has nothing to take back. */
export function undoOfAll(answers: readonly Answer<unknown>[]): Undo | undefined {
  const made = answers.flatMap(({ body }) => ((body ?? {}) as { adjustment?: string | null }).adjustment ?? [])
  const [last, ...also] = made.toReversed()
  return last ? (key) => post(`/api/stock/adjustment/${last}/undo/`, { also }, key) : undefined
}
