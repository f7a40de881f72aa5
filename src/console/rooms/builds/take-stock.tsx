import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useDoubt } from '../../kit/form/doubt.tsx'
import { sentBy } from '../../kit/form/form.tsx'
import { FormEnd } from '../../kit/form/form-end.tsx'
import { decimalSign, quantity, t } from '../../kit/language/language.ts'
import { isTyping } from '../../kit/navigation/keys.ts'
import { Badge } from '../../kit/page/page.tsx'
import { newKey, post, Refusal, wasNotDone } from '../../kit/service/api.ts'
import { minus, sum } from '../../kit/values/exact.ts'
import { amountOf } from '../orders/order.ts'
import { expiryOf, OK, type StockItem, statusOf } from '../stock/stock-facts.tsx'
import {
  type Build,
  type BuildItem,
  type BuildLine,
  lacks,
  moreThanNeeded,
  type Output,
  outputName,
  takes,
} from './build-facts.ts'

/** The most stock items that are offered for a line at once. */
export const MOST_OFFERED = 200

/** Some of a stock item; `amount` as it is typed. */
type Offer = { item: StockItem; amount: string; problem?: string }

/** Some that is put by, and for which output. */
type PutBy = Pick<BuildItem, 'install_into' | 'quantity'>

type Properties = {
  build: Build
  line: BuildLine
  /** Stock that the line takes, and that is free: of its component, of substitutes, and of variants where these will do. */
  items: readonly StockItem[]
  total: number
  outputs: readonly Output[]
  /** What is put by for the line already. */
  taken: readonly PutBy[]
  /** Once it is put by. @param isMore whether other outputs lack the component still, of which the next is offered it */
  onDone: (isMore: boolean) => void
  /** After it was refused: what is free is read anew. */
  onRefused: () => void
  onClose: () => void
  /** How the offer is narrowed. */
  children?: ComponentChildren
}

/** Chooses stock for a line: what it lacks is filled in already, so that Enter takes it. */
export function TakeStock({ build, line, items, total, outputs, taken: read, onDone, onRefused, onClose, children }: Properties) {
  /** What was put by here since that was read. */
  const since = useRef<{ read: readonly PutBy[]; put: PutBy[] }>({ read, put: [] })
  if (since.current.read !== read) since.current = { read, put: [] }
  const taken = [...read, ...since.current.put]
  const isTracked = line.part_detail?.trackable === true
  const firstOutput = isTracked ? outputs.find((output) => wantedOf(line, output, taken) > 0)?.pk : undefined
  const into = useSignal<number | undefined>(firstOutput)
  const offers = useSignal<readonly Offer[]>([])
  const problem = useSignal<string | undefined>(undefined)
  const doubt = useDoubt()
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  const form = useRef<HTMLFormElement>(null)
  const output = outputs.find(({ pk }) => pk === into.value)
  const wanted = isTracked ? (output ? wantedOf(line, output, taken) : 0) : lacks(line)
  /** What was put by here: it is not offered again while what is free is read anew. */
  const gone = useRef<ReadonlySet<number>>(new Set())
  /** What was offered when it was refused: what is read then is shown beside what was typed. */
  const refused = useRef<readonly StockItem[]>(undefined)
  useEffect(() => {
    const isReadAnew = refused.current !== undefined && refused.current !== items
    const free = items.filter(({ pk }) => !gone.current.has(pk))
    offers.value = isReadAnew ? asTheyAre(offers.value, free) : proposal(line, free, wanted)
    if (isReadAnew) refused.current = undefined
  }, [items, into.value])
  const inputs = () => [...(form.current?.querySelectorAll<HTMLInputElement>('input[inputmode]') ?? [])]
  useEffect(() => {
    // whoever types elsewhere in the window meanwhile goes on there
    if (!isTyping(document.activeElement)) inputs()[0]?.select()
  }, [offers.value.length > 0, into.value])
  const chosen = offers.value.filter(({ amount }) => typedAmount(amount) > 0)
  const taking = sum(chosen.map(({ amount }) => typedAmount(amount)))
  const set = (at: number, amount: string) => {
    offers.value = offers.value.map((offer, index) => (index === at ? { ...offer, amount, problem: undefined } : offer))
  }
  /** What is put by with what is chosen, of all that is needed: of a tracked component for the output that it goes into. */
  const tooMuch = () =>
    isTracked
      ? output && moreThanNeeded(line, sum([thereOf(output, taken), taking]), takes(line, output))
      : moreThanNeeded(line, sum([line.allocated, taking]), line.quantity)
  const put = () => {
    const blamed = offers.value.map((offer) => ({
      ...offer,
      problem: amountOf(offer.amount) ? undefined : t('builds.no-number'),
    }))
    if (blamed.some(({ problem }) => problem)) offers.value = blamed
    else if (!isBusy.value && chosen.length > 0) doubt.before(tooMuch(), take)
  }
  async function take() {
    isBusy.value = true
    problem.value = undefined
    try {
      const body = {
        items: chosen.map(({ item, amount }) => ({
          build_line: line.pk,
          stock_item: item.pk,
          quantity: amountOf(amount),
          ...(isTracked ? { output: into.value } : {}),
        })),
      }
      await post(`/api/build/${build.pk}/allocate/`, body, key.current)
      key.current = newKey()
      if (output) since.current.put.push({ install_into: output.pk, quantity: Number(taking) })
      const next = isTracked && outputs.find((one) => one.pk !== into.value && wantedOf(line, one, taken) > 0)
      if (next) {
        gone.current = new Set([...gone.current, ...chosen.filter(({ item }) => item.serial).map(({ item }) => item.pk)])
        into.value = next.pk
      }
      onDone(Boolean(next))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (wasNotDone(error)) key.current = newKey()
      const { items: wrong } = error.errors as { items?: Record<string, string[]>[] }
      if (Array.isArray(wrong))
        offers.value = offers.value.map((offer) => {
          const found = Object.values(wrong[chosen.indexOf(offer)] ?? {})
          return { ...offer, problem: found.flat().join(' ') || undefined }
        })
      else problem.value = error.text
      refused.current = items
      onRefused()
    } finally {
      isBusy.value = false
    }
  }
  if (isTracked && outputs.length === 0) return <p class="quiet-text">{t('builds.outputs-first')}</p>
  return (
    <form ref={form} {...sentBy(put)}>
      <h3>{t('builds.choose')}</h3>
      {children}
      {isTracked && (
        <label class="tick-line">
          {t('builds.into')}
          <select
            value={into.value === undefined ? '' : String(into.value)}
            onChange={(event) => {
              into.value = Number(event.currentTarget.value) || undefined
            }}
          >
            <option value="" />
            {outputs.map((one) => (
              <option key={one.pk} value={String(one.pk)}>
                {outputName(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      {items.length === 0 ? (
        <p class="late">{t('builds.nothing-free')}</p>
      ) : (
        <table class="plain put-by">
          <thead>
            <tr>
              <th scope="col">{t('builds.from')}</th>
              <th scope="col" class="end">
                {t('parts.free')}
              </th>
              <th scope="col" class="end">
                {t('sales.take')}
              </th>
            </tr>
          </thead>
          <tbody>
            {offers.value.map(({ item, amount, problem: refused }, at) => (
              <tr key={item.pk}>
                <td>
                  <a class="item-name" href={`/stock/item/${item.pk}/`}>
                    {nameOf(item)}
                  </a>{' '}
                  {item.part !== line.part_detail?.pk && <Badge tone="accent">{item.part_detail?.full_name}</Badge>}{' '}
                  {item.status !== OK && <Badge tone="warn">{statusOf(item)}</Badge>}
                  {expiryOf(item) === 'expired' && <Badge tone="bad">{t('stock.expired')}</Badge>}
                  <small>{item.location_detail?.pathstring ?? t('stock.nowhere')}</small>
                  {refused && <p class="late">{refused}</p>}
                </td>
                <td class="end">{quantity(freeOf(item), item.part_detail?.units)}</td>
                <td class="end">
                  <input
                    aria-label={t('sales.take-of', { part: item.part_detail?.full_name ?? '', item: nameOf(item) })}
                    aria-invalid={refused ? true : undefined}
                    inputMode="decimal"
                    autocomplete="off"
                    value={amount}
                    onFocus={(event) => event.currentTarget.select()}
                    onInput={(event) => set(at, event.currentTarget.value)}
                    onKeyDown={(event) => {
                      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
                      if (step === 0) return
                      event.preventDefault()
                      inputs()[at + step]?.focus()
                    }}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {total > items.length && <p class="quiet-text">{t('builds.more-stock', { count: total - items.length })}</p>}
      <FormEnd form={{ problem, isBusy }} isOff={chosen.length === 0} onCancel={onClose} cancel={t('close')}>
        {t('builds.take', { sum: quantity(taking, line.part_detail?.units) })}
      </FormEnd>
      {doubt.question}
    </form>
  )
}

/** The same offers with what is free of each now; what was typed, and what is wrong with it, stays. */
function asTheyAre(offers: readonly Offer[], items: readonly StockItem[]): Offer[] {
  const now = new Map(items.map((item) => [item.pk, item]))
  const offered = new Set(offers.map(({ item }) => item.pk))
  return [
    // of what is not offered any more nothing is free
    ...offers.map((offer) => ({ ...offer, item: now.get(offer.item.pk) ?? { ...offer.item, allocated: offer.item.quantity } })),
    ...items.filter(({ pk }) => !offered.has(pk)).map((item) => ({ item, amount: '' })),
  ]
}

/** A quantity as it was typed; more than none where that is no number, which is said once it is to be put by. */
const typedAmount = (text: string): number => Number(amountOf(text) ?? 1)

const nameOf = ({ pk, serial, batch }: StockItem): string =>
  serial ? `#${serial}` : batch ? t('stock.batch', { batch }) : t('sales.item', { item: pk })

const freeOf = ({ quantity: amount, allocated }: StockItem): number => Math.max(0, Number(minus(amount, allocated)))

/** How much is put by for an output. */
const thereOf = (output: Output, taken: readonly PutBy[]): string =>
  sum(taken.filter(({ install_into }) => install_into === output.pk).map((item) => item.quantity))

/** How much of a tracked component an output still takes. */
const wantedOf = (line: BuildLine, output: Output, taken: readonly PutBy[]): number =>
  Math.max(0, Number(minus(takes(line, output), thereOf(output, taken))))

/**
 * As much of each as is wanted, from the first on: the component itself before what may take its place. What is not as it should be, or
 * is too old, comes last, and unasked never.
 */
function proposal(line: BuildLine, items: readonly StockItem[], wanted: number): Offer[] {
  let left = wanted
  const isGood = (item: StockItem) => item.status === OK && expiryOf(item) !== 'expired'
  const isOwn = ({ part }: StockItem) => part === line.part_detail?.pk
  return items
    .toSorted((one, other) => Number(isGood(other)) - Number(isGood(one)) || Number(isOwn(other)) - Number(isOwn(one)))
    .map((item) => {
      const amount = isGood(item) ? Math.min(left, freeOf(item)) : 0
      left = Number(minus(left, amount))
      return { item, amount: amount > 0 ? String(amount).replace('.', decimalSign()) : '' }
    })
}
