import { computed, effect, type Signal, signal, untracked } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'
import { isOnItsWay, place } from './router.ts'

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

/** The path of the page that something is in; undefined round the pages. */
export const PathOfPage = createContext<string | undefined>(undefined)

type Registered = { added: readonly Command[]; path: string | undefined }
const registered: Signal<readonly Registered[]> = signal([])

/**
 * All that can be done here and now. What was registered last comes first: a page before the shell. A page that is left already, and is
 * there until the next one has come, does nothing any more.
 */
export const commands = computed(() =>
  registered.value
    .filter(({ path }) => path === undefined || path === place.value.path)
    .toReversed()
    .flatMap(({ added }) => added),
)

/** Registers commands until they are given back. @param path of the page that they are of; without one they are everywhere */
export function register(added: readonly Command[], path?: string): () => void {
  const mine = { added, path }
  registered.value = [...registered.value, mine]
  return () => {
    registered.value = registered.value.filter((one) => one !== mine)
  }
}

/** Registers the commands of a component while it is shown. They are taken anew when one of `on` changes. */
export function useCommands(made: () => readonly Command[], on: readonly unknown[] = []): void {
  const path = useContext(PathOfPage)
  // before it is painted: what is seen can be done at once
  useLayoutEffect(() => register(made(), path), [...on, path])
}

/** How long after the first key of two the second may come, in milliseconds. */
const SECOND_KEY_TIMEOUT_MS = 1_000

let first: { key: string; at: number } | undefined

/** What a key does as the second of two. */
function ofTwo(event: KeyboardEvent): Command | undefined {
  if (!first || event.timeStamp - first.at >= SECOND_KEY_TIMEOUT_MS) return undefined
  const wanted = `${first.key} ${nameOf(event)}`
  return commands.value.find(({ keys }) => keys === wanted)
}

/** Whether a key is the second of two that do something here. */
export const isSecondKey = (event: KeyboardEvent): boolean => !isTaken(event.target) && ofTwo(event) !== undefined

/** How long a key waits for the page that it is for, in milliseconds: nobody expects more of it later. */
const WAITS = 5_000

/** The first key that was pressed while the next page was on its way. What is pressed after it is for what that opens. */
let waiting: { key: string; path: string; at: number } | undefined

/** Carries out the key that waits, once its page has what it does. */
function followWaiting(): void {
  const known = commands.value
  if (!waiting) return
  const { key, path, at } = waiting
  const isOver = path !== place.value.path || performance.now() - at > WAITS || isTaken(document.activeElement)
  const found = isOver ? undefined : known.find(({ keys }) => keys === key)
  if (isOver || found) waiting = undefined
  if (found) untracked(() => found.run())
}

/** Whether keys belong to something else than the page: letters are text there, or a window is open. */
const isTaken = (target: EventTarget | null): boolean => isTyping(target) || document.querySelector('dialog[open]') !== null

/** Whether somebody is typing there, so that letters are text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

/** A key as commands name it. */
function nameOf(event: KeyboardEvent): string {
  // with Alt, some keyboards write other characters
  const place = event.altKey && !event.ctrlKey ? /^(?:Digit|Key)(.)$/.exec(event.code)?.[1] : undefined
  if (place) return `Alt+${event.shiftKey ? 'Shift+' : ''}${/^[a-z]$/i.test(event.key) ? event.key.toUpperCase() : place}`
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
 * Carries out the command of each key. One that is for a page that is on its way waits for it. To be called once. A key whose default was
 * prevented before, as those of a scanner are, is nobody's command: what listens for scans listens while the event is captured.
 */
export function followKeys(): void {
  effect(followWaiting)
  document.addEventListener('keydown', (event: Event) => {
    // browsers that fill in a field by themselves send one that is of no key
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || event.isComposing) return
    const name = nameOf(event)
    // a field takes back what was typed in it, and marks all of it
    const isText = name === 'Ctrl+Z' || name === 'Ctrl+A' || (!name.startsWith('Ctrl+') && !name.startsWith('Alt+'))
    if (isText && isTaken(event.target)) return
    const now = event.timeStamp
    // what was begun goes before what the second key does by itself
    const found = ofTwo(event) ?? commands.value.find(({ keys }) => keys === name)
    // Enter and blanks belong to what has the focus
    const owner = name === 'Enter' ? 'a, button, summary' : name === 'Space' ? 'a, button, summary, input' : undefined
    if (owner && (event.target as Element).closest?.(owner)) return
    first = commands.value.some(({ keys }) => keys?.startsWith(`${name} `)) ? { key: name, at: now } : undefined
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey
    if (!found && !first && isLetter && isOnItsWay()) {
      event.preventDefault()
      waiting ??= { key: name, path: place.value.path, at: performance.now() }
    }
    if (!found) return
    first = undefined
    waiting = undefined
    event.preventDefault()
    found.run()
  })
}
