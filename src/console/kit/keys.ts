import { computed, type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Something that people can do here: by a key, or by its name in the palette. */
export type Command = {
  /** What it does, in the reader's language. A function, as the language may change. */
  label: () => string
  /**
   * `n`, `Enter`, `Space`, `Shift+D`, or two one after the other: `g c`. Without one it is in the palette alone. Ctrl+K, `/` and `?` are the
   * shell's.
   */
  keys?: string
  run: () => void
  /** It is shown under `?` and not in the palette, as it needs the place where one is: moving up and down. */
  isLocal?: boolean
}

const registered: Signal<readonly (readonly Command[])[]> = signal([])

/** All that can be done here and now. What was registered last comes first: a page before the shell. */
export const commands = computed(() => registered.value.toReversed().flat())

/** Registers commands until they are given back. */
export function register(added: readonly Command[]): () => void {
  registered.value = [...registered.value, added]
  return () => {
    registered.value = registered.value.filter((one) => one !== added)
  }
}

/** Registers the commands of a component while it is shown. They are taken anew when one of `on` changes. */
export function useCommands(made: () => readonly Command[], on: readonly unknown[] = []): void {
  useEffect(() => register(made()), on)
}

/** How long after the first key of two the second may come, in milliseconds. */
const PATIENCE = 1_000

let first: { key: string; at: number } | undefined

/** Whether somebody is typing there, so that letters are text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

/** A key as commands name it. */
function nameOf(event: KeyboardEvent): string {
  const isLetter = event.key.length === 1
  const modifiers = [
    event.ctrlKey || event.metaKey ? 'Ctrl' : '',
    event.altKey ? 'Alt' : '',
    // the shift of `?` is part of it
    event.shiftKey && (!isLetter || event.ctrlKey || event.metaKey || /[A-Z]/i.test(event.key)) ? 'Shift' : '',
  ].filter(Boolean)
  if (event.key === ' ') return [...modifiers, 'Space'].join('+')
  return [...modifiers, isLetter && modifiers.length > 0 ? event.key.toUpperCase() : event.key].join('+')
}

/**
 * Carries out the command of each key. To be called once. A key whose default was prevented before, as those of a scanner are, is nobody's
 * command: what listens for scans listens while the event is captured.
 */
export function followKeys(): void {
  document.addEventListener('keydown', (event: Event) => {
    // browsers that fill in a field by themselves send one that is of no key
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || event.isComposing) return
    const name = nameOf(event)
    // a field takes back what was typed in it, and marks all of it
    const isText = name === 'Ctrl+Z' || name === 'Ctrl+A' || (!name.startsWith('Ctrl+') && !name.startsWith('Alt+'))
    if (isText && (isTyping(event.target) || document.querySelector('dialog[open]'))) return
    const now = event.timeStamp
    const second = first && now - first.at < PATIENCE ? `${first.key} ${name}` : undefined
    const of = (wanted: string | undefined) =>
      wanted === undefined ? undefined : commands.value.find(({ keys }) => keys === wanted)
    // what was begun goes before what the second key does by itself
    const found = of(second) ?? of(name)
    // Enter and blanks belong to what has the focus
    const owner = name === 'Enter' ? 'a, button, summary' : name === 'Space' ? 'a, button, summary, input' : undefined
    if (found && owner && (event.target as Element).closest?.(owner)) return
    first = commands.value.some(({ keys }) => keys?.startsWith(`${name} `)) ? { key: name, at: now } : undefined
    if (!found) return
    first = undefined
    event.preventDefault()
    found.run()
  })
}
