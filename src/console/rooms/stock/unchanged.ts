import { useRef } from 'preact/hooks'
import { t } from '../../kit/language/language.ts'
import { Refusal, read, wasNotDone, withQuery } from '../../kit/service/api.ts'
import { DETAILS, type StockItem, titleOf } from './stock-facts.tsx'

/** How many items are named of those that changed. */
const NAMED = 3
/** How many are read at once, which is as many as the service gives. */
const AT_ONCE = 20
/** How long nobody has read yet what changed, in milliseconds: whoever pressed a key twice meant what was shown before. */
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

/** What is no longer as it was shown, by its names: somebody took of it, brought more, or put it elsewhere. */
function changedOf(shown: readonly StockItem[], now: readonly StockItem[]): string | undefined {
  const known = new Map(now.map((item) => [item.pk, item]))
  const isAsShown = ({ pk, quantity, location }: StockItem) => {
    const item = known.get(pk)
    return item?.quantity === quantity && item.location === location
  }
  const changed = shown.filter((item) => !isAsShown(item))
  if (changed.length === 0) return undefined
  return [...changed.slice(0, NAMED).map(titleOf), ...(changed.length > NAMED ? ['…'] : [])].join(', ')
}

type Unchanged = <T>(shown: readonly StockItem[], now: () => Promise<readonly StockItem[]>, send: () => Promise<T>) => Promise<T>

/**
 * Sends what was decided by what is shown of stock items, only while that is so: nobody knows whether it was counted before or after it
 * changed. What gives it is called with the items as they are shown, with what reads them now, and with what sends; it throws a refusal that
 * names what changed.
 * @param onChanged shows them as they are now
 */
export function useUnchanged(onChanged: (now: readonly StockItem[]) => void): Unchanged {
  // what changed meanwhile may be what was sent itself
  const isUnanswered = useRef(false)
  const told = useRef<{ refusal: Refusal; at: number }>(undefined)
  return async (shown, readNow, send) => {
    if (told.current && performance.now() - told.current.at < UNREAD) throw told.current.refusal
    if (shown.length > 0 && !isUnanswered.current) {
      const now = await readNow()
      const items = changedOf(shown, now)
      if (items !== undefined) {
        const refusal = new Refusal(412, 'changed_meanwhile', t('stock.changed', { items }))
        told.current = { refusal, at: performance.now() }
        onChanged(now)
        throw refusal
      }
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
