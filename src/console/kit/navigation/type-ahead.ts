import { resendKey } from './resend-key.ts'

// Buffers keys for a field that is about to appear, such as that of a new row, until the field is there.

/** Milliseconds to wait for the field. */
const FIELD_TIMEOUT_MS = 5_000

type KeyBuffer = { keys: KeyboardEvent[]; stop: () => void }

let activeBuffer: KeyBuffer | undefined
/** Whether a key is being sent again. */
let isReplaying = false

/** Buffers typed keys from now on, until `replayKeys` or `dropKeys`. Escape and a click end it, as the user does something else. */
export function bufferKeys(): void {
  if (activeBuffer) return
  const controller = new AbortController()
  const { signal } = controller
  const buffer: KeyBuffer = { keys: [], stop: () => controller.abort() }
  activeBuffer = buffer
  const drop = () => activeBuffer === buffer && dropKeys()
  const onKey = (event: KeyboardEvent) => {
    if (isReplaying || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') return drop()
    const isText = [...event.key].length === 1
    if (!isText && !['Enter', 'Tab', 'Backspace'].includes(event.key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key !== 'Backspace') buffer.keys.push(event)
    else if ([...(buffer.keys.at(-1)?.key ?? '')].length === 1) buffer.keys.pop()
  }
  document.addEventListener('keydown', onKey, { capture: true, signal })
  document.addEventListener('pointerdown', drop, { capture: true, signal })
  const timer = setTimeout(drop, FIELD_TIMEOUT_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Discards the typed keys: their field will not appear. */
export function dropKeys(): void {
  activeBuffer?.stop()
  activeBuffer = undefined
}

/** Sends the typed keys to the field that has the focus now, followed by those that arrive in the meantime. */
export async function replayKeys(): Promise<void> {
  const buffer = activeBuffer
  if (!buffer) return
  // an effect of one of them may hold the following ones
  activeBuffer = undefined
  for (let key = buffer.keys.shift(); key; key = buffer.keys.shift()) {
    isReplaying = true
    resendKey(key)
    isReplaying = false
    // its effect is rendered before the next one
    await new Promise((resolve) => setTimeout(resolve))
  }
  buffer.stop()
}
