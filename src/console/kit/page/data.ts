import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { type Answer, Refusal, read, sessionEnded } from '../service/api.ts'
import { isRemembered } from '../service/session.ts'
import { takenBack, warn } from './toast.tsx'

/** What a page shows while it is read, and once it is. What was shown stays until the new has come. */
export type ReadState<T> = {
  /** Undefined until it has come. */
  data: { [Name in keyof T]: Answer<Exclude<T[Name], undefined>> } | undefined
  /** Why it cannot be shown. What is shown already stays when it cannot be read anew. */
  refusal: Refusal | undefined
  /** Reads it again, as after a change. */
  again: () => void
}

/**
 * Reads all that a page shows, in one go, and again when an address of it changes.
 * @param urls what is read, by name
 * @param mayLack names of what the page can do without: where it is refused it is left out
 */
export function useRead<T extends Record<string, unknown>>(
  urls: { [Name in keyof T]: string },
  mayLack: readonly (keyof T)[] = [],
): ReadState<T> {
  const data: Signal<ReadState<T>['data']> = useSignal(undefined)
  const refusal: Signal<Refusal | undefined> = useSignal(undefined)
  const turn = useSignal(0)
  // an effect would wait until the page without it is painted
  useLayoutEffect(() => {
    const ending = new AbortController()
    read<T>(urls, ending.signal, mayLack).then(
      (answers) => {
        data.value = answers
        refusal.value = undefined
      },
      (error) => {
        if (error instanceof Refusal) {
          if (data.value) tellOld(error)
          else refusal.value = error
        } else if (error.name !== 'AbortError') throw error
      },
    )
    return () => ending.abort()
  }, [JSON.stringify(urls), turn.value])
  const again = () => {
    turn.value++
  }
  useReturn(again)
  return { data: data.value, refusal: refusal.value, again }
}

/** Says that what is shown could not be read anew. Where the session ended, the shell asks for a sign-in instead. */
export function tellOld(refusal: Refusal): void {
  if (!sessionEnded.value) warn(refusal.status === 0 ? t('unreachable') : `${t('failed')}: ${refusal.message}`)
}

/** Reads again when the browser is online again, when the service said who is signed in, after somebody signed in again, and after something was taken back. */
export function useReturn(again: () => void): void {
  const current = useRef(again)
  current.current = again
  useEffect(() => {
    const run = () => current.current()
    let hadEnded = sessionEnded.peek()
    const ending = sessionEnded.subscribe((hasEnded) => {
      if (hadEnded && !hasEnded) run()
      hadEnded = hasEnded
    })
    let wasRemembered = isRemembered.peek()
    const knowing = isRemembered.subscribe((isStill) => {
      if (wasRemembered && !isStill) run()
      wasRemembered = isStill
    })
    const seen = takenBack.peek()
    const taking = takenBack.subscribe((count) => {
      if (count > seen) run()
    })
    window.addEventListener('online', run)
    return () => {
      taking()
      ending()
      knowing()
      window.removeEventListener('online', run)
    }
  }, [])
}
