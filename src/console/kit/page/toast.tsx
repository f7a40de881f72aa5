import { signal } from '@preact/signals'
import { t } from '../language/language.ts'
import { type Command, register } from '../navigation/keys.ts'
import { newKey, Refusal } from '../service/api.ts'
import { Icon } from './icon.tsx'
import { Keys } from './shortcut-keys.tsx'

type Toast = { id: number; text: string; isBad: boolean; takeBack?: () => Promise<void> }

/** Undoes the action of a toast. @param key the Idempotency-Key @throws Refusal */
export type Undo = (key: string) => Promise<unknown>

const toasts = signal<readonly Toast[]>([])
let last = 0

/** Milliseconds that success messages are shown, and those with an undo. Errors stay until they are closed. */
const SHOWN = 4_000
const SHOWN_TO_UNDO = 20_000
/** The key that undoes the latest action, as at the scan station. */
const UNDO = 'u'
/** Number of actions that the palette can still undo after their toasts have closed. */
const KEPT = 5

/** Counts undone actions, so that displayed data is reloaded. */
export const takenBack = signal(0)

const close = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Reports a completed action in a line. @param undo undoes it */
export function tell(text: string, undo?: Undo): void {
  const id = ++last
  const takeBack = undo && takingBack(id, text, undo)
  toasts.value = [...toasts.value.slice(-2), { id, text, isBad: false, ...(takeBack ? { takeBack } : {}) }]
  setTimeout(() => close(id), takeBack ? SHOWN_TO_UNDO : SHOWN)
  if (takeBack) offer(id, { keys: UNDO, label: () => t('undo-what', { what: text }), run: takeBack })
}

/** Actions that were undone, or whose undo was rejected. */
const tried = new Set<number>()
/** Functions that remove an undo from the palette, by its toast. */
const kept = new Map<number, () => void>()

/** Offers the undo by key while the toast is shown, and in the palette after that, as users may notice a mistake late. */
function offer(id: number, { keys, ...command }: Command): void {
  const end = register([{ keys, ...command }])
  const stop = toasts.subscribe((shown) => {
    if (shown.some((toast) => toast.id === id)) return
    end()
    stop()
    if (!tried.has(id)) keep(id, command)
  })
}

function keep(id: number, command: Command): void {
  kept.set(id, register([command]))
  for (const old of [...kept.keys()].slice(0, -KEPT)) forget(old)
}

function forget(id: number): void {
  kept.get(id)?.()
  kept.delete(id)
}

/** Undoes an action, once however often it is requested. A rejection is reported; without a response it can be tried again. */
function takingBack(id: number, text: string, undo: Undo): () => Promise<void> {
  const key = newKey()
  let isBusy = false
  const over = () => {
    tried.add(id)
    close(id)
    forget(id)
  }
  return async () => {
    if (isBusy) return
    isBusy = true
    try {
      await undo(key)
      over()
      takenBack.value++
      tell(t('undone', { what: text }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.status !== 0) over()
      warn(error.status === 0 ? t('unreachable') : t('not-undone', { why: error.message }))
    } finally {
      isBusy = false
    }
  }
}

/** Reports an error: once, when several reads of a page fail the same way. */
export function warn(text: string): void {
  const others = toasts.value.filter((toast) => toast.text !== text)
  toasts.value = [...others.slice(-2), { id: ++last, text, isBad: true }]
}

/** Runs an action, and reports a rejection. @returns whether it succeeded */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    warn(error.text)
    return false
  }
}

/** Shows the toasts: once, in the shell. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, text, isBad, takeBack }) => (
      <p key={id} class={isBad ? 'toast bad' : 'toast'}>
        <Icon name={isBad ? 'warning' : 'check'} />
        <span>{text}</span>
        {takeBack && (
          <button type="button" class="quiet" aria-keyshortcuts={UNDO} onClick={takeBack}>
            {t('undo')}
            <span class="wide-only" aria-hidden="true">
              <Keys keys={UNDO} />
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
