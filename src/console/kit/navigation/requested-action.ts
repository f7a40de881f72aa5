import { useEffect } from 'preact/hooks'
import { query, setQuery } from './router.ts'

/**
 * Does at once what the address of a page asks for, such as `?do=receive` of a link on another page, and takes that out of the address.
 * @param isReady whether it can be done: nothing is, before that
 */
export function useRequestedAction(name: string, isReady: boolean, run: () => void): void {
  const isAsked = query('do') === name
  useEffect(() => {
    if (!isAsked || !isReady) return
    setQuery({ do: undefined }, { replace: true })
    run()
  }, [isAsked, isReady])
}
