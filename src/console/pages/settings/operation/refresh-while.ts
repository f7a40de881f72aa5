import { useEffect, useRef } from 'preact/hooks'

/** Milliseconds between two reads while something is in progress. */
const INTERVAL_MS = 1_000

/** Reloads at intervals while something is in progress. */
export function useRefreshWhile(isInProgress: boolean, reload: () => void): void {
  const current = useRef(reload)
  current.current = reload
  useEffect(() => {
    if (!isInProgress) return
    const timer = setInterval(() => current.current(), INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isInProgress])
}
