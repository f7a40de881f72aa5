import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useConfirmQuantity } from '../../kit/form/confirm-quantity.tsx'
import { sentBy } from '../../kit/form/form.tsx'
import { FormEnd } from '../../kit/form/form-end.tsx'
import { decimalSign, t } from '../../kit/language/language.ts'
import { isTyping } from '../../kit/navigation/keys.ts'
import { newKey, Refusal, wasNotDone } from '../../kit/service/api.ts'
import { minus, sum } from '../../kit/values/exact.ts'
import type { StockItem } from '../stock/stock-details.tsx'
import { amountOf } from './order.ts'

/** A line that stock is allocated to. */
type Line = { pk: number }

/** Some of a stock item for a line; `amount` as it is typed. */
export type Offer<L extends Line> = { line: L; item: StockItem; amount: string; problem?: string }

/** A typed quantity; above 0 where it is no number, so that submitting it shows that. */
export const typedAmount = (text: string): number => Number(amountOf(text) ?? 1)

/** How much of an item is available. */
const availableOf = ({ quantity, allocated }: StockItem): number => Math.max(0, Number(minus(quantity, allocated)))

/** How much of an item is available for one offer, without what the other offers take of it. */
const availableFor = <L extends Line>(offer: Offer<L>, offers: readonly Offer<L>[]): number =>
  offers
    .filter((other) => other !== offer && other.item.pk === offer.item.pk)
    .reduce((left, other) => Math.max(0, Number(minus(left, amountOf(other.amount) ?? 0))), availableOf(offer.item))

/** How the stock for some lines is found and proposed. */
type Proposal<L extends Line> = {
  lines: readonly L[]
  itemsOf: (line: L) => readonly StockItem[]
  /** How much a line is short of. */
  shortageOf: (line: L) => number
  /** Whether some of an item is proposed at all; the others come last, with nothing. */
  isGood: (item: StockItem) => boolean
  /** Whether an item comes before the others that are as good. */
  isFirst?: (line: L, item: StockItem) => boolean
}

/** Offers each line as much of its items as it is short of, from the first line and the first item on. No quantity is offered twice. */
function propose<L extends Line>({ lines, itemsOf, shortageOf, isGood, isFirst = () => true }: Proposal<L>): Offer<L>[] {
  const taken = new Map<number, number>()
  return lines.flatMap((line) => {
    let short = shortageOf(line)
    const rank = (item: StockItem) => (isGood(item) ? 0 : 2) + (isFirst(line, item) ? 0 : 1)
    return itemsOf(line)
      .filter((item) => availableOf(item) > 0)
      .toSorted((one, other) => rank(one) - rank(other))
      .map((item) => {
        const before = taken.get(item.pk) ?? 0
        const most = isGood(item) ? Math.min(short, Number(minus(availableOf(item), before))) : 0
        // an item with a serial number is allocated whole
        const amount = item.serial ? Math.floor(most) : most
        short = Number(minus(short, amount))
        taken.set(item.pk, Number(sum([before, amount])))
        return { line, item, amount: amount > 0 ? String(amount).replace('.', decimalSign()) : '' }
      })
  })
}

/** The same offers with what is available of each now; what was typed, and its errors, stay. */
function refresh<L extends Line>(offers: readonly Offer<L>[], { lines, itemsOf }: Proposal<L>): Offer<L>[] {
  return lines.flatMap((line) => {
    const items = itemsOf(line)
    const own = offers.filter((offer) => offer.line.pk === line.pk)
    const shown = own.map(({ item: before, ...offer }) => {
      const item = items.find(({ pk }) => pk === before.pk)
      // nothing is available of an item that is not there any more
      return { ...offer, item: item ?? { ...before, allocated: before.quantity } }
    })
    const added = items.filter(({ pk }) => !own.some(({ item }) => item.pk === pk))
    return [...shown, ...added.map((item) => ({ line, item, amount: '' }))]
  })
}

type Properties<L extends Line> = Proposal<L> & {
  /** The stock that `itemsOf` reads from, and what it goes into: a change of either makes another proposal. */
  stock: unknown
  target?: unknown
  /** The heading over the items of a line; undefined where there is one line alone. */
  heading?: (line: L) => ComponentChildren
  /** The heading over the items. */
  from: string
  /** The name of an item, and what tells it from others. */
  item: (offer: Offer<L>) => ComponentChildren
  /** The same in words, for the field of its quantity. */
  words: (offer: Offer<L>) => { part: string; item: string | number }
  /** An available quantity, as it is shown. */
  shown: (available: number, offer: Offer<L>) => string
  /** What stands over and under the table of items, or in its place. */
  children: (table: ComponentChildren) => ComponentChildren
  /** The text of the button. */
  button: (taken: readonly Offer<L>[]) => string
  cancel?: string
  /** Asks whether the quantities are meant. */
  doubt?: (taken: readonly Offer<L>[]) => string | undefined
  /** Allocates the offers. @param key the Idempotency-Key @throws Refusal, with the errors of the offers by their index in `items` */
  send: (taken: readonly Offer<L>[], key: string) => Promise<unknown>
  /** Reads the stock again after an error: what was typed stays. */
  onRefused?: () => void
  onClose: () => void
}

/** Allocates stock to lines of orders or build orders: stock items with an available quantity, and how much each gives. */
export function AllocationForm<L extends Line>(properties: Properties<L>) {
  const { lines, stock, target, heading } = properties
  const offers = useSignal<readonly Offer<L>[]>(useMemo(() => propose(properties), []))
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const doubt = useConfirmQuantity()
  const key = useRef(newKey())
  const form = useRef<HTMLFormElement>(null)
  const inputs = () => [...(form.current?.querySelectorAll<HTMLInputElement>('input[inputmode]') ?? [])]
  const isFirst = useRef(true)
  /** The stock that an error came for. */
  const refused = useRef<unknown>(undefined)
  useEffect(() => {
    const isReadAgain = refused.current !== undefined && refused.current !== stock
    if (!isFirst.current) offers.value = isReadAgain ? refresh(offers.value, properties) : propose(properties)
    isFirst.current = false
    if (isReadAgain) refused.current = undefined
  }, [stock, target])
  useEffect(() => {
    // whoever types elsewhere in the window goes on there
    if (!isTyping(document.activeElement)) inputs()[0]?.select()
  }, [offers.value.length > 0, target])
  const taken = offers.value.filter(({ amount }) => typedAmount(amount) > 0)
  const isSame = (one: Offer<L>, other: Offer<L>) => one.line.pk === other.line.pk && one.item.pk === other.item.pk
  const blame = (problemOf: (offer: Offer<L>) => string | undefined) => {
    offers.value = offers.value.map((offer) => ({ ...offer, problem: problemOf(offer) }))
  }
  const put = () => {
    const wrong = ({ amount }: Offer<L>) => (amountOf(amount) === undefined ? t('sales.no-number') : undefined)
    if (taken.some(wrong)) blame(wrong)
    else if (!isBusy.value && taken.length > 0) doubt.before(properties.doubt?.(taken), allocate)
  }
  async function allocate() {
    isBusy.value = true
    problem.value = undefined
    try {
      await properties.send(taken, key.current)
      key.current = newKey()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // what was never answered may have been done: it is sent again under the same key
      if (wasNotDone(error)) key.current = newKey()
      const { items } = error.errors as { items?: Record<string, string[]>[] }
      if (Array.isArray(items))
        blame((offer) => {
          const errors = items[taken.findIndex((one) => isSame(one, offer))] ?? {}
          return Object.values(errors).flat().join(' ') || undefined
        })
      else problem.value = error.text
      refused.current = stock
      properties.onRefused?.()
    } finally {
      isBusy.value = false
    }
  }
  const row = (offer: Offer<L>) => (
    <tr key={offer.item.pk}>
      <td>
        {properties.item(offer)}
        {offer.problem && <p class="late">{offer.problem}</p>}
      </td>
      <td class="end">{properties.shown(availableFor(offer, offers.value), offer)}</td>
      <td class="end">
        <input
          aria-label={t('sales.take-of', properties.words(offer))}
          aria-invalid={offer.problem ? true : undefined}
          inputMode="decimal"
          autocomplete="off"
          value={offer.amount}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => {
            const amount = event.currentTarget.value
            offers.value = offers.value.map((one) => (isSame(one, offer) ? { ...one, amount, problem: undefined } : one))
          }}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
            if (step === 0) return
            event.preventDefault()
            const all = inputs()
            all[all.indexOf(event.currentTarget) + step]?.focus()
          }}
        />
      </td>
    </tr>
  )
  const table = (
    <table class="plain allocation-table">
      <thead>
        <tr>
          <th scope="col">{properties.from}</th>
          <th scope="col" class="end">
            {t('parts.free')}
          </th>
          <th scope="col" class="end">
            {t('sales.take')}
          </th>
        </tr>
      </thead>
      {lines.map((line) => {
        const own = offers.value.filter((offer) => offer.line.pk === line.pk)
        return (
          <tbody key={line.pk}>
            {heading && (
              <tr>
                <th scope="rowgroup" colSpan={3}>
                  {heading(line)}
                </th>
              </tr>
            )}
            {heading && own.length === 0 && (
              <tr>
                <td colSpan={3} class="late">
                  {t('sales.none-free')}
                </td>
              </tr>
            )}
            {own.map(row)}
          </tbody>
        )
      })}
    </table>
  )
  return (
    <form ref={form} {...sentBy(put)}>
      {properties.children(table)}
      <FormEnd form={{ problem, isBusy }} isOff={taken.length === 0} onCancel={properties.onClose} cancel={properties.cancel}>
        {properties.button(taken)}
      </FormEnd>
      {doubt.question}
    </form>
  )
}
