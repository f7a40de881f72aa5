import { computed, effect, type Signal, signal, untracked } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'
import { isNavigating, routeLocation } from './router.ts'

/** A command of the console: run by a shortcut, or by its name in the palette. */
export type Command = {
  /** Its label in the reader's language. A function, as the language may change. */
  label: () => string
  /** `n`, `Enter`, `Space`, `Shift+D`, or two keys in sequence: `g c`. Without one it is only in the palette. Ctrl+K, `/` and `?` are the shell's. */
  keys?: string
  run: () => void
  /** Other words that find it in the palette. */
  synonyms?: () => string
  /** Whether it is listed under `?` and not in the palette, as it needs the current position: moving up and down. */
  isLocal?: boolean
}

/** The path of the page that contains a component; undefined outside of pages. */
export const PagePathContext = createContext<string | undefined>(undefined)

type Registration = { added: readonly Command[]; path: string | undefined }
const registrations: Signal<readonly Registration[]> = signal([])

/**
 * All commands that are available now. The last registered one comes first: a page before the shell. Commands of a page that was left and
 * is still shown until the next one has loaded do nothing.
 */
export const commands = computed(() =>
  registrations.value
    .filter(({ path }) => path === undefined || path === routeLocation.value.path)
    .toReversed()
    .flatMap(({ added }) => added),
)

/**
 * Registers commands until the returned function is called. @param path of the page that they belong to; without one they are available
 * everywhere
 */
export function registerCommands(added: readonly Command[], path?: string): () => void {
  const registration = { added, path }
  registrations.value = [...registrations.value, registration]
  return () => {
    registrations.value = registrations.value.filter((candidate) => candidate !== registration)
  }
}

/** Registers the commands of a component while it is shown. They are registered again when a dependency changes. */
export function useCommands(createCommands: () => readonly Command[], dependencies: readonly unknown[] = []): void {
  const path = useContext(PagePathContext)
  // before the first paint: visible commands work immediately
  useLayoutEffect(() => registerCommands(createCommands(), path), [...dependencies, path])
}

/** Milliseconds in which the second key of a sequence may follow the first. */
const SECOND_KEY_TIMEOUT_MS = 1_000

let firstKey: { key: string; at: number } | undefined

/** The command of a key as the second of a sequence. */
function findSequenceCommand(event: KeyboardEvent): Command | undefined {
  if (!firstKey || event.timeStamp - firstKey.at >= SECOND_KEY_TIMEOUT_MS) return undefined
  const sequence = `${firstKey.key} ${getKeyName(event)}`
  return commands.value.find(({ keys }) => keys === sequence)
}

/** Whether a key is the second of a sequence with a command here. */
export const isSecondKey = (event: KeyboardEvent): boolean =>
  !isKeyConsumed(event.target) && findSequenceCommand(event) !== undefined

/** Milliseconds that a key waits for the page that it is meant for. A later effect would surprise the user. */
const KEY_TIMEOUT_MS = 5_000

/** The first key that was pressed while the next page was loading. Later keys are meant for what that key opens. */
let pendingKey: { key: string; path: string; at: number } | undefined

/** Runs the command of the waiting key, once its page has registered it. */
function runPendingKey(): void {
  const activeCommands = commands.value
  if (!pendingKey) return
  const { key, path, at: pressedAt } = pendingKey
  const isOver =
    path !== routeLocation.value.path || performance.now() - pressedAt > KEY_TIMEOUT_MS || isKeyConsumed(document.activeElement)
  const command = isOver ? undefined : activeCommands.find(({ keys }) => keys === key)
  if (isOver || command) pendingKey = undefined
  if (command) untracked(() => command.run())
}

/** Whether keys belong to something other than the page: letters are text there, or a window is open. */
const isKeyConsumed = (target: EventTarget | null): boolean => isTyping(target) || document.querySelector('dialog[open]') !== null

/** Whether the user is typing there, so that letters are text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio]), textarea, select') ||
    // events from a shadow tree, such as that of a text editor, have its host as their target
    isTyping(target.shadowRoot?.activeElement ?? null))

/** Name of a key, as commands use it. */
function getKeyName(event: KeyboardEvent): string {
  // with Alt, some keyboards write other characters
  const physicalKey = event.altKey && !event.ctrlKey ? /^(?:Digit|Key)(.)$/.exec(event.code)?.[1] : undefined
  if (physicalKey)
    return `Alt+${event.shiftKey ? 'Shift+' : ''}${/^[a-z]$/i.test(event.key) ? event.key.toUpperCase() : physicalKey}`
  const isLetter = event.key.length === 1
  const modifiers = [
    event.ctrlKey || event.metaKey ? 'Ctrl' : '',
    event.altKey ? 'Alt' : '',
    // the shift of `?` is part of the character
    event.shiftKey && (!isLetter || event.ctrlKey || event.metaKey || /[A-Z]/i.test(event.key)) ? 'Shift' : '',
  ].filter(Boolean)
  if (event.key === ' ') return [...modifiers, 'Space'].join('+')
  return [...modifiers, isLetter && modifiers.length > 0 ? event.key.toUpperCase() : event.key].join('+')
}

/**
 * Runs the command of each key. A key for a page that is loading waits for it. Call it once. Keys whose default is already prevented, as
 * those of a scanner are, run no command: the scan listener captures the events first.
 */
export function handleKeys(): void {
  effect(runPendingKey)
  document.addEventListener('keydown', (event: Event) => {
    // autofill of browsers sends an event without a key
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || event.isComposing) return
    const name = getKeyName(event)
    // in a field these undo typing, and select all of the text
    const isText = name === 'Ctrl+Z' || name === 'Ctrl+A' || (!name.startsWith('Ctrl+') && !name.startsWith('Alt+'))
    if (isText && isKeyConsumed(event.target)) return
    const now = event.timeStamp
    // a started sequence takes precedence over the second key's own command
    const command = findSequenceCommand(event) ?? commands.value.find(({ keys }) => keys === name)
    // Enter and Space belong to the focused element
    const owner = name === 'Enter' ? 'a, button, summary' : name === 'Space' ? 'a, button, summary, input' : undefined
    if (owner && (event.target as Element).closest?.(owner)) return
    firstKey = commands.value.some(({ keys }) => keys?.startsWith(`${name} `)) ? { key: name, at: now } : undefined
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey
    if (!command && !firstKey && isLetter && isNavigating()) {
      event.preventDefault()
      pendingKey ??= { key: name, path: routeLocation.value.path, at: performance.now() }
    }
    if (!command) return
    firstKey = undefined
    pendingKey = undefined
    event.preventDefault()
    command.run()
  })
}
