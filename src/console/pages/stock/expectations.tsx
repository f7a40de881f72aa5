import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { errorText, t } from '../../kit/language/language.ts'
import { ApiError, read, withQuery } from '../../kit/service/api.ts'
import { DETAILS, type StockItem } from './stock-details.tsx'

/** Maximum number of changed entries that are named. */
const MAX_NAMED_ENTRIES = 3
/** Maximum number of items loaded in one request, the limit of the service. */
const MAX_ITEMS_PER_READ = 20
/** Maximum number of digits that a JavaScript number holds exactly. */
const MAX_DIGITS = 15

/** An expected number of an entry; undefined if it has more digits than a number holds, which would never match. */
export const toExpectedNumber = (value: number): number | undefined =>
  String(value).replaceAll(/\D/g, '').length > MAX_DIGITS ? undefined : value

/** The expected values of a stock item: those on the screen. */
export const getExpectedValues = ({ quantity, location }: StockItem) => ({
  expected_quantity: toExpectedNumber(quantity),
  expected_location: location,
})

/**
 * Keeps the expected values of several objects, by key, from their first request: a request without a response is retried with the same
 * values even after a reload, as it would otherwise be a different request under the same key.
 * @returns a function that returns the values, and one that clears them before another request
 */
export function useExpectedValues<Item, Expected>(keyOf: (item: Item) => number, expected: (item: Item) => Expected) {
  const first = useRef(new Map<number, Expected>())
  return {
    getExpected(item: Item): Expected {
      const expectation = first.current.get(keyOf(item)) ?? expected(item)
      first.current.set(keyOf(item), expectation)
      return expectation
    },
    forget: () => first.current.clear(),
  }
}

/** The current state of stock items, without deleted ones. @throws ApiError, also if none is left */
export async function readCurrentItems(items: readonly StockItem[]): Promise<readonly StockItem[]> {
  const now: StockItem[] = []
  for (let index = 0; index < items.length; index += MAX_ITEMS_PER_READ) {
    const urls = Object.fromEntries(
      items.slice(index, index + MAX_ITEMS_PER_READ).map(({ pk }) => [pk, withQuery(`/api/stock/${pk}/`, DETAILS)]),
    )
    const responses = await read<Record<string, StockItem>>(urls, undefined, Object.keys(urls))
    now.push(...Object.values(responses).map(({ body }) => body))
  }
  if (now.length === 0) throw new ApiError(404, 'not_found', t('already-deleted'))
  return now
}

/** An entry that differs from what was shown. */
export type ChangedEntry = {
  /** Its position among the entries sent. */
  index: number
  name: string
  /** Text that describes the change. */
  text: string
  /** The current quantity, if that changed. */
  found?: string
}

export type Expectations = {
  /** The entries that changed since they were shown, until the user decides. */
  changed: Signal<readonly ChangedEntry[]>
  /** Continues with the current values. */
  decide: () => void
  /**
   * Sends a request with expected values. Sends nothing until the user has decided on a change: a key that is pressed twice still refers to
   * the previous values.
   * @param nameOf name of the entry at a position
   * @param refetch loads and shows the current values
   * @throws ApiError that names the changed entries
   */
  send: <T>(nameOf: (index: number) => string, refetch: () => unknown, send: () => Promise<T>) => Promise<T>
}

/** Allows actions only while their objects are as shown. */
export function useExpectations(): Expectations {
  const changedEntries = useSignal<readonly ChangedEntry[]>([])
  const decide = () => {
    changedEntries.value = []
  }
  // typing another value is a decision
  useEffect(() => {
    if (changedEntries.value.length === 0) return
    document.addEventListener('input', decide)
    return () => document.removeEventListener('input', decide)
  }, [changedEntries.value])
  return {
    changed: changedEntries,
    decide,
    async send(nameOf, refetch, send) {
      if (changedEntries.value.length > 0) throw createChangesError(changedEntries.value)
      try {
        return await send()
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'expectation_failed') throw error
        const entries = listChangedEntries(error, nameOf)
        await refetch()
        changedEntries.value = entries
        throw createChangesError(entries)
      }
    },
  }
}

const createChangesError = (changed: readonly ChangedEntry[]): ApiError => {
  const names = [...new Set(changed.map(({ name }) => name))]
  const items = [...names.slice(0, MAX_NAMED_ENTRIES), ...(names.length > MAX_NAMED_ENTRIES ? ['…'] : [])].join(', ')
  return new ApiError(412, 'expectation_failed', t('stock.changed', { items }))
}

/** The entries that differ from their expected values. */
function listChangedEntries({ causes }: ApiError, nameOf: (index: number) => string): ChangedEntry[] {
  const entries = Map.groupBy(
    causes.filter(({ pointer }) => /^\/items\/\d+\//.test(pointer)),
    ({ pointer }) => Number(pointer.split('/')[2]),
  )
  return [...entries].map(([index, errors]) => {
    const amount = errors.find(({ code }) => code === 'quantity_not_as_expected' || code === 'received_not_as_expected')
    return {
      index,
      name: nameOf(index),
      text: errors.map(errorText).join(' '),
      ...(amount ? { found: String(amount.parameters.found) } : {}),
    }
  })
}

type ChangedEntriesProperties = {
  expectations: Expectations
  isCount?: boolean
  /** Focuses the first of these entries for another input. */
  onRetry: (changed: readonly ChangedEntry[]) => void
  /** Replaces the values typed for these entries by the current ones. */
  onAccept: (changed: readonly ChangedEntry[]) => void
}

/** The changed entries, and the actions for them. */
export function ChangedEntries({
  expectations: { changed, decide },
  isCount = false,
  onRetry,
  onAccept,
}: ChangedEntriesProperties) {
  const entries = changed.value
  if (entries.length === 0) return null
  return (
    <div class="changed-entries">
      <ul>
        {entries.map(({ index, name, text }) => (
          <li key={index}>
            <strong>{name}</strong> {text}
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button
          type="button"
          onClick={() => {
            decide()
            onRetry(entries)
          }}
        >
          {t(isCount ? 'stock.count-again' : 'stock.enter-again')}
        </button>
        <button
          type="button"
          onClick={() => {
            onAccept(entries)
            decide()
          }}
        >
          {t('stock.use-new-value')}
        </button>
      </div>
    </div>
  )
}
