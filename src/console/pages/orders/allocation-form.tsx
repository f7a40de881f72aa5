import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useConfirmQuantity } from '../../kit/form/confirm-quantity.tsx'
import { bindSubmit } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { getDecimalSeparator, t } from '../../kit/language/language.ts'
import { isTyping } from '../../kit/navigation/keys.ts'
import { ApiError, isNotExecuted, newKey } from '../../kit/service/api.ts'
import { subtract, sumAmounts } from '../../kit/values/exact.ts'
import type { StockItem } from '../stock/stock-details.tsx'
import { parseAmount } from './order.ts'

/** A line with allocations. */
type Line = { pk: number }

/** A quantity of a stock item for a line; `amount` as typed. */
export type Offer<L extends Line> = { line: L; item: StockItem; amount: string; problem?: string }

/** A typed quantity; above 0 if it is not a number, so that submitting it shows the error. */
export const parseTypedAmount = (text: string): number => Number(parseAmount(text) ?? 1)

/** Available quantity of an item. */
const getAvailable = ({ quantity, allocated }: StockItem): number => Math.max(0, Number(subtract(quantity, allocated)))

/** Available quantity of an item for one offer, without the quantities of the other offers. */
const getAvailableForOffer = <L extends Line>(offer: Offer<L>, offers: readonly Offer<L>[]): number =>
  offers
    .filter((other) => other !== offer && other.item.pk === offer.item.pk)
    .reduce(
      (remaining, other) => Math.max(0, Number(subtract(remaining, parseAmount(other.amount) ?? 0))),
      getAvailable(offer.item),
    )

/** Rules for finding and proposing stock for lines. */
type Proposal<L extends Line> = {
  lines: readonly L[]
  getItems: (line: L) => readonly StockItem[]
  /** Shortage of a line. */
  getShortage: (line: L) => number
  /** Whether a quantity of an item is proposed; other items come last, without a quantity. */
  isUsable: (item: StockItem) => boolean
  /** Whether an item comes before other equally good ones. */
  isPreferred?: (line: L, item: StockItem) => boolean
}

/** Proposes items for the shortage of each line, starting with the first line and the first item. No quantity is proposed twice. */
function proposeOffers<L extends Line>({
  lines,
  getItems,
  getShortage,
  isUsable,
  isPreferred = () => true,
}: Proposal<L>): Offer<L>[] {
  const allocations = new Map<number, number>()
  return lines.flatMap((line) => {
    let missing = getShortage(line)
    const rank = (item: StockItem) => (isUsable(item) ? 0 : 2) + (isPreferred(line, item) ? 0 : 1)
    return getItems(line)
      .filter((item) => getAvailable(item) > 0)
      .toSorted((one, other) => rank(one) - rank(other))
      .map((item) => {
        const allocatedBefore = allocations.get(item.pk) ?? 0
        const maximum = isUsable(item) ? Math.min(missing, Number(subtract(getAvailable(item), allocatedBefore))) : 0
        // a serialized item is allocated in full
        const amount = item.serial ? Math.floor(maximum) : maximum
        missing = Number(subtract(missing, amount))
        allocations.set(item.pk, Number(sumAmounts([allocatedBefore, amount])))
        return { line, item, amount: amount > 0 ? String(amount).replace('.', getDecimalSeparator()) : '' }
      })
  })
}

/** Updates the available quantities of the offers; typed quantities and their errors stay. */
function refreshOffers<L extends Line>(offers: readonly Offer<L>[], { lines, getItems }: Proposal<L>): Offer<L>[] {
  return lines.flatMap((line) => {
    const items = getItems(line)
    const lineOffers = offers.filter((offer) => offer.line.pk === line.pk)
    const updated = lineOffers.map(({ item: allocatedBefore, ...offer }) => {
      const item = items.find(({ pk }) => pk === allocatedBefore.pk)
      // an item that no longer exists has nothing available
      return { ...offer, item: item ?? { ...allocatedBefore, allocated: allocatedBefore.quantity } }
    })
    const added = items.filter(({ pk }) => !lineOffers.some(({ item }) => item.pk === pk))
    return [...updated, ...added.map((item) => ({ line, item, amount: '' }))]
  })
}

type Properties<L extends Line> = Proposal<L> & {
  /** The stock that `getItems` reads, and its target: a change of either makes a new proposal. */
  stock: unknown
  target?: unknown
  /** Heading above the items of a line; undefined if there is only one line. */
  renderHeading?: (line: L) => ComponentChildren
  /** Heading of the column of items. */
  itemHeading: string
  /** Name of an item, and details that distinguish it. */
  renderItem: (offer: Offer<L>) => ComponentChildren
  /** The same as text, for the label of its quantity field. */
  accessibleNames: (offer: Offer<L>) => { part: string; item: string | number }
  /** Formats an available quantity. */
  formatAvailable: (available: number, offer: Offer<L>) => string
  /** Content above and below the table of items, or instead of it. */
  children: (table: ComponentChildren) => ComponentChildren
  /** Label of the button. */
  getButtonLabel: (allocations: readonly Offer<L>[]) => string
  cancel?: string
  /** A question to confirm if quantities are unusual. */
  getWarning?: (allocations: readonly Offer<L>[]) => string | undefined
  /** Allocates the offers. @param key the Idempotency-Key @throws ApiError, with the errors of the offers by their index in `items` */
  send: (allocations: readonly Offer<L>[], key: string) => Promise<unknown>
  /** Reloads the stock after an error: typed quantities stay. */
  onRejected?: () => void
  onClose: () => void
}

/** Allocates stock to lines of orders or build orders: a table of stock items with their available quantities and the quantities to allocate. */
export function AllocationForm<L extends Line>(properties: Properties<L>) {
  const { lines, stock, target, renderHeading } = properties
  const offers = useSignal<readonly Offer<L>[]>(useMemo(() => proposeOffers(properties), []))
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const confirmQuantity = useConfirmQuantity()
  const key = useRef(newKey())
  const form = useRef<HTMLFormElement>(null)
  const inputs = () => [...(form.current?.querySelectorAll<HTMLInputElement>('input[inputmode]') ?? [])]
  const isFirstRender = useRef(true)
  /** The stock at the time of an error. */
  const rejectedStock = useRef<unknown>(undefined)
  useEffect(() => {
    const isReloaded = rejectedStock.current !== undefined && rejectedStock.current !== stock
    if (!isFirstRender.current) offers.value = isReloaded ? refreshOffers(offers.value, properties) : proposeOffers(properties)
    isFirstRender.current = false
    if (isReloaded) rejectedStock.current = undefined
  }, [stock, target])
  useEffect(() => {
    // a user who is typing elsewhere in the dialog is not interrupted
    if (!isTyping(document.activeElement)) inputs()[0]?.select()
  }, [offers.value.length > 0, target])
  const allocations = offers.value.filter(({ amount }) => parseTypedAmount(amount) > 0)
  const isSame = (one: Offer<L>, other: Offer<L>) => one.line.pk === other.line.pk && one.item.pk === other.item.pk
  const showProblems = (getProblem: (offer: Offer<L>) => string | undefined) => {
    offers.value = offers.value.map((offer) => ({ ...offer, problem: getProblem(offer) }))
  }
  const submit = () => {
    const getAmountProblem = ({ amount }: Offer<L>) => (parseAmount(amount) === undefined ? t('sales.no-number') : undefined)
    if (allocations.some(getAmountProblem)) showProblems(getAmountProblem)
    else if (!isBusy.value && allocations.length > 0) confirmQuantity.before(properties.getWarning?.(allocations), allocate)
  }
  async function allocate() {
    isBusy.value = true
    problem.value = undefined
    try {
      await properties.send(allocations, key.current)
      key.current = newKey()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // a request without a response may have succeeded: it is resent with the same key
      if (isNotExecuted(error)) key.current = newKey()
      const { items } = error.errors as { items?: Record<string, string[]>[] }
      if (Array.isArray(items))
        showProblems((offer) => {
          const errors = items[allocations.findIndex((one) => isSame(one, offer))] ?? {}
          return Object.values(errors).flat().join(' ') || undefined
        })
      else problem.value = error.text
      rejectedStock.current = stock
      properties.onRejected?.()
    } finally {
      isBusy.value = false
    }
  }
  const renderRow = (offer: Offer<L>) => (
    <tr key={offer.item.pk}>
      <td>
        {properties.renderItem(offer)}
        {offer.problem && <p class="alert-text">{offer.problem}</p>}
      </td>
      <td class="end">{properties.formatAvailable(getAvailableForOffer(offer, offers.value), offer)}</td>
      <td class="end">
        <input
          aria-label={t('sales.quantity-of', properties.accessibleNames(offer))}
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
          <th scope="col">{properties.itemHeading}</th>
          <th scope="col" class="end">
            {t('parts.available')}
          </th>
          <th scope="col" class="end">
            {t('sales.quantity')}
          </th>
        </tr>
      </thead>
      {lines.map((line) => {
        const lineOffers = offers.value.filter((offer) => offer.line.pk === line.pk)
        return (
          <tbody key={line.pk}>
            {renderHeading && (
              <tr>
                <th scope="rowgroup" colSpan={3}>
                  {renderHeading(line)}
                </th>
              </tr>
            )}
            {renderHeading && lineOffers.length === 0 && (
              <tr>
                <td colSpan={3} class="alert-text">
                  {t('sales.none-available')}
                </td>
              </tr>
            )}
            {lineOffers.map(renderRow)}
          </tbody>
        )
      })}
    </table>
  )
  return (
    <form ref={form} {...bindSubmit(submit)}>
      {properties.children(table)}
      <FormFooter
        form={{ problem, isBusy }}
        isDisabled={allocations.length === 0}
        onCancel={properties.onClose}
        cancel={properties.cancel}
      >
        {properties.getButtonLabel(allocations)}
      </FormFooter>
      {confirmQuantity.dialog}
    </form>
  )
}
