import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Rows of the first render: as many as a large window shows. */
const FIRST = 50
/** Rows added per step. */
const STEP = 100
/** Milliseconds between steps: painting, responses and keys take precedence. */
const PAUSE = 30

/**
 * Number of rows to render: those that come into view first, and the others once these are painted. After that, added rows are rendered
 * immediately.
 */
export function useProgressiveRows(total: number): number {
  const drawn = useSignal(FIRST)
  const isWhole = drawn.value >= total
  useEffect(() => {
    if (isWhole) {
      if (total > 0) drawn.value = Number.POSITIVE_INFINITY
      return
    }
    const timer = setTimeout(() => {
      drawn.value += STEP
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [drawn.value, isWhole])
  return Math.min(drawn.value, total)
}
