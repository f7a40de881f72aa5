import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Answer, Refusal, read } from './api.ts'

/** What a page shows while it is read, and once it is. What was shown stays until the new has come. */
export type Shown<T> = {
  /** Undefined until it has come. */
  data: { [Name in keyof T]: Answer<Exclude<T[Name], undefined>> } | undefined
  refusal: Refusal | undefined
  /** Reads it again, as after a change. */
  again: () => void
}

/**
 * Reads all that a page shows, in one go, and again when an address of it changes.
 * @param urls what is read, by name
 */
export function useRead<T extends Record<string, unknown>>(urls: { [Name in keyof T]: string }): Shown<T> {
  const data: Signal<Shown<T>['data']> = useSignal(undefined)
  const refusal: Signal<Refusal | undefined> = useSignal(undefined)
  const turn = useSignal(0)
  useEffect(() => {
    const ending = new AbortController()
    read<T>(urls, ending.signal).then(
      (answers) => {
        data.value = answers
        refusal.value = undefined
      },
      (error) => {
        if (error instanceof Refusal) refusal.value = error
        else if (error.name !== 'AbortError') throw error
      },
    )
    return () => ending.abort()
  }, [JSON.stringify(urls), turn.value])
  return {
    data: data.value,
    refusal: refusal.value,
    again: () => {
      turn.value++
    },
  }
}
