import { resendKey } from './resend-key.ts'

// What is typed for a field that is on its way, such as that of a new row: it is held until the field is there, and given to it then.

/** How long the field is waited for, in milliseconds. */
const WAITS = 5_000

type HeldKeys = { keys: KeyboardEvent[]; end: () => void }

let held: HeldKeys | undefined
/** A key is being given back. */
let isGiving = false

/** Holds what is typed from now on, until `giveKeys` or `dropKeys`. Escape and the pointer end it: somebody does something else. */
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

/** Forgets what was typed: what it was for does not come. */
export function dropKeys(): void {
  held?.end()
  held = undefined
}

/** Gives what was typed to the field that has the focus now, and what comes meanwhile after it. */
export async function giveKeys(): Promise<void> {
  const mine = held
  if (!mine) return
  // what one of them begins may hold those after it
  held = undefined
  for (let key = mine.keys.shift(); key; key = mine.keys.shift()) {
    isGiving = true
    resendKey(key)
    isGiving = false
    // what it did is drawn before the next one
    await new Promise((resolve) => setTimeout(resolve))
  }
  mine.end()
}
