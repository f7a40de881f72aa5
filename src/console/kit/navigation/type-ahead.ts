import { resendKey } from './resend-key.ts'

// Buffers keys for a field that is about to appear, such as that of a new row, until the field is there.

/** Milliseconds to wait for the field. */
const WAITS = 5_000

type HeldKeys = { keys: KeyboardEvent[]; end: () => void }

let held: HeldKeys | undefined
/** Whether a key is being sent again. */
let isGiving = false

/** Buffers typed keys from now on, until `giveKeys` or `dropKeys`. Escape and the pointer end it: the user does something else. */
export function holdKeys(): void {
  if (held) return
  const ending = new AbortController()
  const { signal } = ending
  const mine: HeldKeys = { keys: [], end: () => ending.abort() }
  held = mine
  const drop = () => held === mine && dropKeys()
  const onKey = (event: KeyboardEvent) => {
    if (isGiving || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') return drop()
    const isText = [...event.key].length === 1
    if (!isText && !['Enter', 'Tab', 'Backspace'].includes(event.key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key !== 'Backspace') mine.keys.push(event)
    else if ([...(mine.keys.at(-1)?.key ?? '')].length === 1) mine.keys.pop()
  }
  document.addEventListener('keydown', onKey, { capture: true, signal })
  document.addEventListener('pointerdown', drop, { capture: true, signal })
  const timer = setTimeout(drop, WAITS)
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Discards the typed keys: their field will not appear. */
export function dropKeys(): void {
  held?.end()
  held = undefined
}

/** Sends the typed keys to the field that has the focus now, followed by those that arrive in the meantime. */
export async function giveKeys(): Promise<void> {
  const mine = held
  if (!mine) return
  // an effect of one of them may hold the following ones
  held = undefined
  for (let key = mine.keys.shift(); key; key = mine.keys.shift()) {
    isGiving = true
    resendKey(key)
    isGiving = false
    // its effect is rendered before the next one
    await new Promise((resolve) => setTimeout(resolve))
  }
  mine.end()
}
