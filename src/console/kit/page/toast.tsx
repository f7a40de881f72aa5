import { effect, signal } from '@preact/signals'
import { t } from '../language/language.ts'
import { type Command, registerCommands } from '../navigation/keys.ts'
import { routeLocation } from '../navigation/router.ts'
import { ApiError, newKey } from '../service/api.ts'
import { Icon } from './icon.tsx'
import { ShortcutKeys } from './shortcut-keys.tsx'

type Toast = { id: number; text: string; isBad: boolean; created: number; runUndo?: () => Promise<void> }

/** Undoes the action of a toast. @param key the Idempotency-Key @throws ApiError */
export type Undo = (key: string) => Promise<unknown>

const toasts = signal<readonly Toast[]>([])
let lastId = 0

/** Milliseconds that success messages are shown, and those with an undo. Errors stay until they are closed, or another page is opened. */
const TOAST_DURATION_MS = 4_000
const UNDO_TOAST_DURATION_MS = 20_000
/** Milliseconds that an error stays at least, also on the page that it leads to. */
const MIN_ERROR_DURATION_MS = 10_000
/** The key that undoes the latest action, as at the scan station. */
const UNDO_KEY = 'u'
/** Number of actions that the palette can still undo after their toasts have closed. */
const MAX_RETAINED_UNDOS = 5

/** Counts undone actions, so that displayed data is reloaded. */
export const undoCount = signal(0)

const close = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Reports a completed action in a line. @param undo undoes it */
export function showToast(text: string, undo?: Undo): void {
  const id = ++lastId
  const runUndo = undo && createUndo(id, text, undo)
  toasts.value = [...toasts.value.slice(-2), { id, text, isBad: false, created: Date.now(), ...(runUndo ? { runUndo } : {}) }]
  setTimeout(() => close(id), runUndo ? UNDO_TOAST_DURATION_MS : TOAST_DURATION_MS)
  if (runUndo) offerUndo(id, { keys: UNDO_KEY, label: () => t('undo-action', { what: text }), run: runUndo })
}

/** Actions that were undone, or whose undo was rejected. */
const settledUndos = new Set<number>()
/** Functions that remove an undo from the palette, by its toast. */
const unregisterById = new Map<number, () => void>()

/** Offers the undo by key while the toast is shown, and in the palette after that, as users may notice a mistake late. */
function offerUndo(id: number, { keys, ...command }: Command): void {
  const unregister = registerCommands([{ keys, ...command }])
  const unsubscribe = toasts.subscribe((visibleToasts) => {
    if (visibleToasts.some((toast) => toast.id === id)) return
    unregister()
    unsubscribe()
    if (!settledUndos.has(id)) retainCommand(id, command)
  })
}

function retainCommand(id: number, command: Command): void {
  unregisterById.set(id, registerCommands([command]))
  for (const old of [...unregisterById.keys()].slice(0, -MAX_RETAINED_UNDOS)) releaseCommand(old)
}

function releaseCommand(id: number): void {
  unregisterById.get(id)?.()
  unregisterById.delete(id)
}

/** Returns a function that undoes an action once, however often it is called. Reports an error; without a response, it can be called again. */
function createUndo(id: number, text: string, undo: Undo): () => Promise<void> {
  const key = newKey()
  let isBusy = false
  const settle = () => {
    settledUndos.add(id)
    close(id)
    releaseCommand(id)
  }
  return async () => {
    if (isBusy) return
    isBusy = true
    try {
      await undo(key)
      settle()
      undoCount.value++
      showToast(t('undone', { what: text }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status !== 0) settle()
      warn(error.status === 0 ? t('unreachable') : t('not-undone', { why: error.message }))
    } finally {
      isBusy = false
    }
  }
}

/** Reports an error: once, when several reads of a page fail the same way. */
export function warn(text: string): void {
  const others = toasts.value.filter((toast) => toast.text !== text)
  toasts.value = [...others.slice(-2), { id: ++lastId, text, isBad: true, created: Date.now() }]
}

let lastPath = routeLocation.peek().path
effect(() => {
  const { path } = routeLocation.value
  if (path === lastPath) return
  lastPath = path
  const isRecent = ({ created }: Toast) => Date.now() - created < MIN_ERROR_DURATION_MS
  toasts.value = toasts.peek().filter((toast) => !toast.isBad || isRecent(toast))
})

/** Runs an action, and reports a rejection. @returns whether it succeeded */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    warn(error.text)
    return false
  }
}

/** Shows the toasts: once, in the shell. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, text, isBad, runUndo }) => (
      <p key={id} class={isBad ? 'toast bad' : 'toast'}>
        <Icon name={isBad ? 'warning' : 'check'} />
        <span>{text}</span>
        {runUndo && (
          <button type="button" class="quiet" aria-keyshortcuts={UNDO_KEY} onClick={runUndo}>
            {t('undo')}
            <span class="wide-only" aria-hidden="true">
              <ShortcutKeys keys={UNDO_KEY} />
            </span>
          </button>
        )}
        <button type="button" class="quiet icon-only" aria-label={t('close')} onClick={() => close(id)}>
          <Icon name="close" />
        </button>
      </p>
    ))}
  </div>
)
