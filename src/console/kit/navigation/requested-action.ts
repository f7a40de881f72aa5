import { useEffect } from 'preact/hooks'
import { readQuery, setQuery } from './router.ts'

/**
 * Runs an action that the URL of a page requests, such as `?do=receive` of a link on another page, and removes that from the URL.
 * @param isReady whether it can run yet
 */
export function useRequestedAction(name: string, isReady: boolean, run: () => void): void {
  const isRequested = readQuery('do') === name
  useEffect(() => {
    if (!isRequested || !isReady) return
    setQuery({ do: undefined }, { replace: true })
    run()
  }, [isRequested, isReady])
}
