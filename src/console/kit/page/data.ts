import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { ApiError, type ApiResponse, get, read, sessionEnded } from '../service/api.ts'
import { isOfflineSession } from '../service/session.ts'
import { undoCount, warn } from './toast.tsx'

/** State of a page's data. The previous data stays until the new data has arrived. */
type LoadState<Data> = {
  /** Undefined until it has arrived. */
  data: Data | undefined
  /** The error of the first read. Displayed data stays when reloading it fails. */
  error: ApiError | undefined
  /** Reloads it, as after a change. */
  reload: () => void
}

/** State of data that is read together: the response of each URL by name. */
export type ReadState<T> = LoadState<{ [Name in keyof T]: ApiResponse<Exclude<T[Name], undefined>> }>

/**
 * Reads all data of a page in one request, and reloads it when a URL changes.
 * @param urls URLs by name
 * @param optionalNames names of optional data: it is left out when its read is rejected
 */
export function useRead<T extends Record<string, unknown>>(
  urls: { [Name in keyof T]: string },
  optionalNames: readonly (keyof T)[] = [],
): ReadState<T> {
  return useLoad((abort) => read<T>(urls, abort, optionalNames), JSON.stringify(urls))
}

/** Reads one URL that cannot be read together with others, since its operations handle secrets, such as those of a second factor. */
export function useGet<T>(url: string): LoadState<ApiResponse<T>> {
  return useLoad((abort) => get<T>(url, abort), url)
}

/** @param key changes when other data is to be loaded */
function useLoad<Data>(load: (abort: AbortSignal) => Promise<Data>, key: string): LoadState<Data> {
  const data = useSignal<Data | undefined>(undefined)
  const loadError: Signal<ApiError | undefined> = useSignal(undefined)
  const reloadCount = useSignal(0)
  // an effect would wait until the page is painted without it
  useLayoutEffect(() => {
    const controller = new AbortController()
    load(controller.signal).then(
      (response) => {
        data.value = response
        loadError.value = undefined
      },
      (error) => {
        if (error instanceof ApiError) {
          if (data.value) warnStale(error)
          else loadError.value = error
        } else if (error.name !== 'AbortError') throw error
      },
    )
    return () => controller.abort()
  }, [key, reloadCount.value])
  const reload = () => {
    reloadCount.value++
  }
  useAutoReload(reload)
  return { data: data.value, error: loadError.value, reload }
}

/** Reports that displayed data could not be reloaded. After the end of the session the shell asks for a sign-in instead. */
export function warnStale(loadError: ApiError): void {
  if (!sessionEnded.value) warn(loadError.status === 0 ? t('unreachable') : `${t('failed')}: ${loadError.message}`)
}

/** Reloads when the browser is online again, when the service has confirmed the session, after another sign-in, and after an undo. */
export function useAutoReload(reload: () => void): void {
  const current = useRef(reload)
  current.current = reload
  useEffect(() => {
    const run = () => current.current()
    let hadEnded = sessionEnded.peek()
    const unsubscribeSession = sessionEnded.subscribe((hasEnded) => {
      if (hadEnded && !hasEnded) run()
      hadEnded = hasEnded
    })
    let wasOffline = isOfflineSession.peek()
    const unsubscribeOffline = isOfflineSession.subscribe((isOffline) => {
      if (wasOffline && !isOffline) run()
      wasOffline = isOffline
    })
    const initialUndoCount = undoCount.peek()
    const unsubscribeUndo = undoCount.subscribe((count) => {
      if (count > initialUndoCount) run()
    })
    window.addEventListener('online', run)
    return () => {
      unsubscribeUndo()
      unsubscribeSession()
      unsubscribeOffline()
      window.removeEventListener('online', run)
    }
  }, [])
}
