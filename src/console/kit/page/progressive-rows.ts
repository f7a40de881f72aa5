import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Rows of the first render: as many as a large window shows. */
const INITIAL_ROWS = 50
/** Rows added per step. */
const ROWS_PER_STEP = 100
/** Milliseconds between steps: painting, responses and keys take precedence. */
const STEP_DELAY_MS = 30

/**
 * Number of rows to render: those that come into view first, and the others once these are painted. After that, added rows are rendered
 * immediately.
 */
export function useProgressiveRows(total: number): number {
  const renderedCount = useSignal(INITIAL_ROWS)
  const isComplete = renderedCount.value >= total
  useEffect(() => {
    if (isComplete) {
      if (total > 0) renderedCount.value = Number.POSITIVE_INFINITY
      return
    }
    const timer = setTimeout(() => {
      renderedCount.value += ROWS_PER_STEP
    }, STEP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [renderedCount.value, isComplete])
  return Math.min(renderedCount.value, total)
}
