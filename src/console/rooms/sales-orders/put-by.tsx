import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { sentBy } from '../../kit/form/form.tsx'
import { FormEnd } from '../../kit/form/form-end.tsx'
import { choiceLabel, count, decimalSign, number, quantity, t } from '../../kit/language/language.ts'
import { Badge, Empty } from '../../kit/page/page.tsx'
import { tell } from '../../kit/page/toast.tsx'
import { newKey, type Page, post, Refusal, read, remove, wasNotDone } from '../../kit/service/api.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { amountOf, tidy } from '../orders/order.ts'
import { newShipment } from './new-shipment.ts'
import { lacks, type SalesLine, type SalesOrder, type Shipment } from './sales-order-facts.ts'

/** The most parts that are put by at once: what is free of each is asked for in one request. */
const PARTS = 20
/** The most stock items that are offered for a line. */
const ITEMS = 50

type Free = {
  pk: number
  part: number
  part_detail: { name: string } | null
  quantity: number
  allocated: number
  /** 10 is OK. */
  status: number
  serial: string | null
  batch: string | null
  expiry_date: string | null
  location_detail: { name: string; pathstring: string } | null
}

/** Some of a stock item for a line; `amount` as it is typed. */
type Offer = { line: SalesLine; item: Free; amount: string; problem?: string }

type Properties = {
  order: SalesOrder
  lines: readonly SalesLine[]
  /** Those of the order: what is put by leaves with the one that has not left, else with a new one. */
  shipments: readonly Shipment[]
  onDone: () => void
  onClose: () => void
}

/** What is put by for the lines that lack it: of each part the stock that is free, what is oldest first. */
export function PutBy({ order, lines, shipments, onDone, onClose }: Properties) {
  const offers = useSignal<readonly Offer[] | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  const form = useRef<HTMLFormElement>(null)
  const into = useRef(shipments.find(({ shipment_date }) => shipment_date === null)?.pk)
  const lacking = lines.filter((line) => line.part !== null && lacks(line) > 0)
  const parts = [...new Set(lacking.map(({ part }) => part as number))].slice(0, PARTS)
  const wanting = lacking.filter(({ part }) => parts.includes(part as number))
  async function readFree(): Promise<void> {
    problem.value = undefined
    const urls = Object.fromEntries(
      parts.map((part) => [
        String(part),
        `/api/stock/?part=${part}&in_stock=true&available=true&part_detail=true&location_detail=true&ordering=expiry_date&limit=${ITEMS}`,
      ]),
    )
    try {
      const answers = parts.length === 0 ? {} : await read<Record<string, Page<Free>>>(urls)
      offers.value = proposals(wanting, (part) => answers[String(part)]?.body.results ?? [])
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problem.value = error.message
    }
  }
  useEffect(() => void readFree(), [])
  useEffect(() => form.current?.querySelector('input')?.select(), [offers.value === undefined])

  const wanted = () => (offers.value ?? []).filter(({ amount }) => Number(amountOf(amount) ?? 1) > 0)
  const blame = (problemOf: (offer: Offer) => string | undefined) => {
    offers.value = (offers.value ?? []).map((offer) => ({ ...offer, problem: problemOf(offer) }))
  }
  async function put() {
    const taken = wanted()
    if (isBusy.value || taken.length === 0) return
    problem.value = undefined
    if (taken.some(({ amount }) => amountOf(amount) === undefined))
      return blame(({ amount }) => (amountOf(amount) === undefined ? t('sales.no-number') : undefined))
    isBusy.value = true
    /** The shipment that is made for this alone. */
    let made: number | undefined
    try {
      if (into.current === undefined) {
        made = await newShipment(order.pk)
        into.current = made
      }
      await post(
        `/api/order/so/${order.pk}/allocate/`,
        {
          shipment: into.current,
          items: taken.map(({ line, item, amount }) => ({ line_item: line.pk, stock_item: item.pk, quantity: amountOf(amount) })),
        },
        key.current,
      )
      tell(count('sales.was-put-by', taken.length))
      onDone()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (wasNotDone(error)) {
        key.current = newKey()
        if (made !== undefined && (await isTakenBack(made))) into.current = undefined
      }
      const { items } = error.errors as { items?: Record<string, string[]>[] }
      if (Array.isArray(items))
        blame((offer) => {
          const at = taken.findIndex(({ line, item }) => line.pk === offer.line.pk && item.pk === offer.item.pk)
          return (
            Object.values(items[at] ?? {})
              .flat()
              .join(' ') || undefined
          )
        })
      else problem.value = error.text
    } finally {
      isBusy.value = false
    }
  }
  if (!offers.value && problem.value)
    return (
      <Dialog title={t('sales.put-by-title')} onClose={onClose}>
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <div class="buttons">
          <button type="button" class="primary" onClick={readFree}>
            {t('sales.try-again')}
          </button>
        </div>
      </Dialog>
    )
  if (!offers.value) return null
  return (
    <Dialog title={t('sales.put-by-title')} onClose={onClose} size="wide">
      {offers.value.length === 0 ? (
        <Empty icon="box" title={t('sales.nothing-free')}>
          {wanting.map((line) => (
            <p key={line.pk}>
              {line.part_detail?.name}: {t('sales.lacks', { count: quantity(lacks(line), line.part_detail?.units) })}
            </p>
          ))}
          <p>{t('sales.nothing-free-more')}</p>
        </Empty>
      ) : (
        <form ref={form} {...sentBy(put)}>
          <table class="plain put-by">
            <thead>
              <tr>
                <th scope="col">{t('sales.from')}</th>
                <th scope="col" class="end">
                  {t('sales.is-free')}
                </th>
                <th scope="col" class="end">
                  {t('sales.take')}
                </th>
              </tr>
            </thead>
            {wanting.map((line) => {
              const own = (offers.value ?? []).filter((offer) => offer.line.pk === line.pk)
              return (
                <tbody key={line.pk}>
                  <tr>
                    <th scope="rowgroup" colSpan={3}>
                      {line.part_detail?.name}{' '}
                      <small>{t('sales.lacks', { count: quantity(lacks(line), line.part_detail?.units) })}</small>
                    </th>
                  </tr>
                  {own.length === 0 && (
                    <tr>
                      <td colSpan={3} class="late">
                        {t('sales.none-free')}
                      </td>
                    </tr>
                  )}
                  {own.map((offer) => (
                    <tr key={offer.item.pk}>
                      <td>
                        {offer.item.serial
                          ? `#${offer.item.serial}`
                          : (offer.item.batch ?? t('sales.item', { item: offer.item.pk }))}
                        {offer.item.status !== OK && (
                          <>
                            {' '}
                            <Badge tone="warn">{choiceLabel('/api/stock/', 'status', offer.item.status)}</Badge>
                          </>
                        )}
                        {/* which variant it is, where the line leaves that open */}
                        {offer.item.part !== line.part && <span> {offer.item.part_detail?.name}</span>}
                        <small>{offer.item.location_detail?.pathstring}</small>
                        {offer.problem && <p class="late">{offer.problem}</p>}
                      </td>
                      <td class="end">{number(freeFor(offer, offers.value ?? []))}</td>
                      <td class="end">
                        <input
                          aria-label={t('sales.take-of', {
                            part: line.part_detail?.name ?? '',
                            item: offer.item.serial ?? offer.item.batch ?? offer.item.pk,
                          })}
                          aria-invalid={offer.problem ? true : undefined}
                          inputMode="decimal"
                          autocomplete="off"
                          value={offer.amount}
                          onFocus={(event) => event.currentTarget.select()}
                          onInput={(event) => {
                            const amount = event.currentTarget.value
                            offers.value = (offers.value ?? []).map((one) =>
                              one.line.pk === line.pk && one.item.pk === offer.item.pk
                                ? { ...one, amount, problem: undefined }
                                : one,
                            )
                          }}
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              )
            })}
          </table>
          {wanting.length < lacking.length && (
            <p class="quiet-text">{t('sales.others-later', { count: number(lacking.length - wanting.length) })}</p>
          )}
          <FormEnd form={{ problem, isBusy }} isOff={wanted().length === 0} onCancel={onClose}>
            {count('sales.put-by-button', wanted().length)}
          </FormEnd>
        </form>
      )}
    </Dialog>
  )
}

const freeOf = ({ quantity: amount, allocated }: Free): number => Math.max(0, tidy(amount - allocated))

/** The state of stock of which there is nothing to be said. */
const OK = 10

/**
 * As much of each item as the lines lack, from the first line and the first item on; the others with nothing. What a line takes is not offered to
 * the next one. What is not as it should be comes last, and unasked never.
 */
function proposals(lines: readonly SalesLine[], itemsOf: (part: number) => readonly Free[]): Offer[] {
  const taken = new Map<number, number>()
  return lines.flatMap((line) => {
    let left = lacks(line)
    return itemsOf(line.part as number)
      .toSorted((one, other) => Number(one.status !== OK) - Number(other.status !== OK))
      .filter((item) => freeOf(item) > 0)
      .map((item) => {
        const free = tidy(freeOf(item) - (taken.get(item.pk) ?? 0))
        const wanted = item.status === OK ? Math.min(left, free) : 0
        // what has a serial number leaves whole
        const amount = item.serial ? Math.floor(wanted) : wanted
        left = tidy(left - amount)
        taken.set(item.pk, tidy((taken.get(item.pk) ?? 0) + amount))
        return { line, item, amount: amount > 0 ? String(amount).replace('.', decimalSign()) : '' }
      })
  })
}

/** What of an item is free for one offer: what the others take of it is not. */
const freeFor = (offer: Offer, offers: readonly Offer[]): number =>
  offers.reduce(
    (free, other) =>
      other !== offer && other.item.pk === offer.item.pk ? Math.max(0, tidy(free - Number(amountOf(other.amount) ?? 0))) : free,
    freeOf(offer.item),
  )

/** Deletes a shipment with which nothing was put by. @returns whether it is gone */
const isTakenBack = (shipment: number): Promise<boolean> =>
  remove(`/api/order/so/shipment/${shipment}/`).then(
    () => true,
    (error) => {
      // who may not delete uses it for what is put by next
      if (!(error instanceof Refusal)) throw error
      return false
    },
  )
