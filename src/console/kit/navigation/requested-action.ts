import { useEffect } from 'preact/hooks'
import { query, setQuery } from './router.ts'

/**
 * Runs an action that the address of a page requests, such as `?do=receive` of a link on another page, and removes that from the address.
 * @param isReady whether it can run: nothing happens before that
 */
export function useRequestedAction(name: string, isReady: boolean, run: () => void): void {
  const isAsked = query('do') === name
  useEffect(() => {
    if (!isAsked || !isReady) return
    setQuery({ do: undefined }, { replace: true })
    run()
  }, [isAsked, isReady])
}
