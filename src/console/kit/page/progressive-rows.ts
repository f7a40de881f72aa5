import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** So many rows are drawn at once: as many as a large window shows. */
const FIRST = 50
/** So many more at a time. */
const STEP = 100
/** Milliseconds between: what is painted, answers, and keys come first. */
const PAUSE = 30

/**
 * How many of so many rows are drawn: those that come into view at first, and the others as soon as these are painted. Once all are there,
 * what is added is there at once.
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
