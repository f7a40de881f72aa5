import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { errorText, t } from '../../kit/language/language.ts'
import { Refusal, read, withQuery } from '../../kit/service/api.ts'
import { DETAILS, type StockItem } from './stock-details.tsx'

/** How many entries are named of those that changed. */
const MAX_NAMED = 3
/** How many items are read at once, which is as many as the service gives. */
const AT_ONCE = 20
/** Digits that a number of JavaScript keeps. */
const MAX_DIGITS = 15

/** A number that an entry expects; nothing for one that has more digits than are kept here, which would never be as expected. */
export const expectedNumber = (value: number): number | undefined =>
  String(value).replaceAll(/\D/g, '').length > MAX_DIGITS ? undefined : value

/** What an entry expects of a stock item: that it is as shown. */
export const expectedOf = ({ quantity, location }: StockItem) => ({
  expected_quantity: expectedNumber(quantity),
  expected_location: location,
})

/**
 * What is expected of each of several things, by their keys, as it was when they were first sent: what was never answered is sent again as it
 * was, although it was read anew, or it would be another request under the same key.
 * @returns what gives it, and what forgets it once another request is sent
 */
export function useFirstExpected<Item, Expected>(keyOf: (item: Item) => number, expected: (item: Item) => Expected) {
  const first = useRef(new Map<number, Expected>())
  return {
    of(item: Item): Expected {
      const known = first.current.get(keyOf(item)) ?? expected(item)
      first.current.set(keyOf(item), known)
      return known
    },
    forget: () => first.current.clear(),
  }
}

/** Stock items as they are now, without those that are gone. @throws Refusal, also where none is left */
export async function readNow(items: readonly StockItem[]): Promise<readonly StockItem[]> {
  const now: StockItem[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const urls = Object.fromEntries(items.slice(at, at + AT_ONCE).map(({ pk }) => [pk, withQuery(`/api/stock/${pk}/`, DETAILS)]))
    const answers = await read<Record<string, StockItem>>(urls, undefined, Object.keys(urls))
    now.push(...Object.values(answers).map(({ body }) => body))
  }
  if (now.length === 0) throw new Refusal(404, 'not_found', t('deleted-meanwhile'))
  return now
}

/** An entry that is not as it was shown. */
export type ChangedEntry = {
  /** Its place among the entries that were sent. */
  at: number
  name: string
  /** What is other, in words. */
  text: string
  /** How much there is now, where that changed. */
  found?: string
}

export type Expectations = {
  /** What changed while something was decided by it, until somebody says what to do. */
  changed: Signal<readonly ChangedEntry[]>
  /** Goes on with what is there now. */
  decide: () => void
  /**
   * Sends what has expectations. While it was not decided what to do with a change, it sends nothing: whoever presses a key twice meant what
   * was shown before.
   * @param nameOf what the entry at a place is called
   * @param reread shows what is there now
   * @throws Refusal that names what changed
   */
  send: <T>(nameOf: (at: number) => string, reread: () => unknown, send: () => Promise<T>) => Promise<T>
}

/** Lets actions be done only while what they change is as it is shown. */
export function useExpectations(): Expectations {
  const changed = useSignal<readonly ChangedEntry[]>([])
  const decide = () => {
    changed.value = []
  }
  // typing something else is a decision
  useEffect(() => {
    if (changed.value.length === 0) return
    document.addEventListener('input', decide)
    return () => document.removeEventListener('input', decide)
  }, [changed.value])
  return {
    changed,
    decide,
    async send(nameOf, reread, send) {
      if (changed.value.length > 0) throw refusalOf(changed.value)
      try {
        return await send()
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'expectation_failed') throw error
        const found = changedIn(error, nameOf)
        await reread()
        changed.value = found
        throw refusalOf(found)
      }
    },
  }
}

const refusalOf = (changed: readonly ChangedEntry[]): Refusal => {
  const names = [...new Set(changed.map(({ name }) => name))]
  const items = [...names.slice(0, MAX_NAMED), ...(names.length > MAX_NAMED ? ['…'] : [])].join(', ')
  return new Refusal(412, 'expectation_failed', t('stock.changed', { items }))
}

/** The entries of which something is not as expected. */
function changedIn({ causes }: Refusal, nameOf: (at: number) => string): ChangedEntry[] {
  const entries = Map.groupBy(
    causes.filter(({ pointer }) => /^\/items\/\d+\//.test(pointer)),
    ({ pointer }) => Number(pointer.split('/')[2]),
  )
  return [...entries].map(([at, own]) => {
    const amount = own.find(({ code }) => code === 'quantity_not_as_expected' || code === 'received_not_as_expected')
    return {
      at,
      name: nameOf(at),
      text: own.map(errorText).join(' '),
      ...(amount ? { found: String(amount.parameters.found) } : {}),
    }
  })
}

type ChangedProperties = {
  expectations: Expectations
  isCount?: boolean
  /** Puts the focus where the first of these is entered again. */
  onAgain: (changed: readonly ChangedEntry[]) => void
  /** Puts what is there now in the place of what was typed for these entries. */
  onTake: (changed: readonly ChangedEntry[]) => void
}

/** What changed, and what can be done about it. */
export function Changed({ expectations: { changed, decide }, isCount = false, onAgain, onTake }: ChangedProperties) {
  const entries = changed.value
  if (entries.length === 0) return null
  return (
    <div class="changed-entries">
      <ul>
        {entries.map(({ at, name, text }) => (
          <li key={at}>
            <strong>{name}</strong> {text}
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button
          type="button"
          onClick={() => {
            decide()
            onAgain(entries)
          }}
        >
          {t(isCount ? 'stock.count-again' : 'stock.enter-again')}
        </button>
        <button
          type="button"
          onClick={() => {
            onTake(entries)
            decide()
          }}
        >
          {t('stock.take-new-value')}
        </button>
      </div>
    </div>
  )
}
