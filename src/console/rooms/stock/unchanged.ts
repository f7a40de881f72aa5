import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../kit/language/language.ts'
import { Refusal, read, wasNotDone, withQuery } from '../../kit/service/api.ts'
import { DETAILS, type StockItem, titleOf } from './stock-facts.tsx'

/** How many items are named of those that changed. */
const NAMED = 3
/** How many are read at once, which is as many as the service gives. */
const AT_ONCE = 20
/** How long nobody has read yet what changed, in milliseconds, from when it is said or shown: whoever pressed a key twice meant what was shown before. */
const UNREAD = 500

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

/** Whether an action is decided by how much there is of an item, and where: a count, or moving all of it. */
export const restsOnShown = (action: string, item: StockItem, quantity: unknown): boolean =>
  action === 'count' || (action === 'move' && Number(quantity) === item.quantity)

/** The names of what changed, the first of many; undefined where nothing did. */
export const namesOf = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ')

/** What is no longer as it was shown, by its names: somebody took of it, brought more, or put it elsewhere. */
function changedOf(shown: readonly StockItem[], now: readonly StockItem[]): string | undefined {
  const known = new Map(now.map((item) => [item.pk, item]))
  const isAsShown = ({ pk, quantity, location }: StockItem) => {
    const item = known.get(pk)
    return item?.quantity === quantity && item.location === location
  }
  return namesOf(shown.filter((item) => !isAsShown(item)).map(titleOf))
}

/**
 * Sends what was decided by what is shown, only while that is so: nobody knows whether it was decided before or after it changed. What gives
 * it is called with what tells the names of what changed, if anything did, and with what sends; it throws a refusal that names them.
 * @param shown what is shown, where that is another thing as soon as it was read anew
 */
export function useUnlessChanged(
  shown?: unknown,
): <T>(look: () => Promise<string | undefined>, send: () => Promise<T>) => Promise<T> {
  // what changed meanwhile may be what was sent itself
  const isUnanswered = useRef(false)
  const told = useRef<{ refusal: Refusal; at: number }>(undefined)
  useLayoutEffect(() => {
    if (told.current) told.current.at = performance.now()
  }, [shown])
  return async (look, send) => {
    if (told.current && performance.now() - told.current.at < UNREAD) throw told.current.refusal
    const items = isUnanswered.current ? undefined : await look()
    if (items !== undefined) {
      const refusal = new Refusal(412, 'changed_meanwhile', t('stock.changed', { items }))
      told.current = { refusal, at: performance.now() }
      throw refusal
    }
    try {
      const answer = await send()
      isUnanswered.current = false
      return answer
    } catch (error) {
      if (error instanceof Refusal) isUnanswered.current = !wasNotDone(error)
      throw error
    }
  }
}

type Unchanged = <T>(shown: readonly StockItem[], now: () => Promise<readonly StockItem[]>, send: () => Promise<T>) => Promise<T>

/**
 * The same for stock items: called with them as they are shown, with what reads them now, and with what sends.
 * @param onChanged shows them as they are now, or has them read anew
 * @param shown what is shown, where it is read anew
 */
export function useUnchanged(onChanged: (now: readonly StockItem[]) => void, shown?: unknown): Unchanged {
  const unlessChanged = useUnlessChanged(shown)
  return (shown, readNow, send) =>
    unlessChanged(async () => {
      if (shown.length === 0) return undefined
      const now = await readNow()
      const items = changedOf(shown, now)
      if (items !== undefined) onChanged(now)
      return items
    }, send)
}
