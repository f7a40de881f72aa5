import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { newKey, type Page, post, Refusal, read, wasNotDone } from '../../kit/api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { choiceLabel, count, number, quantity, t } from '../../kit/language.ts'
import { Badge, Empty } from '../../kit/page.tsx'
import { lacks, type SalesLine, type SalesOrder, type Shipment } from './sales-order-facts.ts'

/** The most lines that are put by for at once: what is free of each is asked for in one request. */
const LINES = 20
/** The most stock items that are offered for a line. */
const ITEMS = 50

type Free = {
  pk: number
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
  const wanting = lines.filter((line) => line.part !== null && lacks(line) > 0).slice(0, LINES)
  useEffect(() => {
    if (wanting.length === 0) {
      offers.value = []
      return
    }
    const urls = Object.fromEntries(
      wanting.map((line) => [
        String(line.pk),
        `/api/stock/?part=${line.part}&in_stock=true&available=true&location_detail=true&ordering=expiry_date&limit=${ITEMS}`,
      ]),
    )
    read<Record<string, Page<Free>>>(urls).then((answers) => {
      offers.value = wanting.flatMap((line) => proposal(line, answers[String(line.pk)]?.body.results ?? []))
    })
  }, [])
  useEffect(() => form.current?.querySelector('input')?.select(), [offers.value === undefined])

  const wanted = () => (offers.value ?? []).filter(({ amount }) => Number(amount.replace(',', '.')) > 0)
  async function put() {
    const taken = wanted()
    if (isBusy.value || taken.length === 0) return
    isBusy.value = true
    problem.value = undefined
    try {
      into.current ??= await newShipment(order, shipments)
      await post(
        `/api/order/so/${order.pk}/allocate/`,
        {
          shipment: into.current,
          items: taken.map(({ line, item, amount }) => ({
            line_item: line.pk,
            stock_item: item.pk,
            quantity: amount.replace(',', '.'),
          })),
        },
        key.current,
      )
      onDone()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (wasNotDone(error)) key.current = newKey()
      const { items } = error.errors as { items?: Record<string, string[]>[] }
      if (Array.isArray(items))
        offers.value = (offers.value ?? []).map((offer) => ({
          ...offer,
          problem: Object.values(items[taken.indexOf(offer)] ?? {})
            .flat()
            .join(' '),
        }))
      else problem.value = error.status === 0 ? t('unreachable') : Object.values(error.fields).flat().join(' ') || error.message
    } finally {
      isBusy.value = false
    }
  }
  if (!offers.value) return null
  return (
    <Dialog title={t('sales.put-by-title')} onClose={onClose} size="wide">
      {offers.value.length === 0 ? (
        <Empty icon="box" title={t('sales.nothing-free')} />
      ) : (
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            put()
          }}
        >
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
                          <Badge tone="warn">{choiceLabel('/api/stock/', 'status', offer.item.status)}</Badge>
                        )}
                        <small>{offer.item.location_detail?.pathstring}</small>
                        {offer.problem && <p class="late">{offer.problem}</p>}
                      </td>
                      <td class="end">{number(freeOf(offer.item))}</td>
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
          <div role="alert">{problem.value && <p class="problem">{problem.value}</p>}</div>
          <div class="buttons">
            <button type="submit" class="primary" disabled={isBusy.value || wanted().length === 0}>
              {count('sales.put-by-button', wanted().length)}
            </button>
            <button type="button" onClick={onClose}>
              {t('cancel')}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

const freeOf = ({ quantity: amount, allocated }: Free): number => Math.max(0, Math.round((amount - allocated) * 1e5) / 1e5)

/** The state of stock of which there is nothing to be said. */
const OK = 10

/** As much of each as the line lacks, from the first on; the others with nothing. What is not as it should be comes last, and unasked never. */
function proposal(line: SalesLine, items: readonly Free[]): Offer[] {
  let left = lacks(line)
  return items
    .toSorted((one, other) => Number(one.status !== OK) - Number(other.status !== OK))
    .filter((item) => freeOf(item) > 0)
    .map((item) => {
      const amount = item.status === OK ? Math.min(left, freeOf(item)) : 0
      left = Math.round((left - amount) * 1e5) / 1e5
      return { line, item, amount: amount > 0 ? String(amount) : '' }
    })
}

/** A shipment that is packed now, which has the next number of the order. */
async function newShipment(order: SalesOrder, shipments: readonly Shipment[]): Promise<number> {
  const last = Math.max(0, ...shipments.map(({ reference }) => Number(reference)).filter(Number.isInteger))
  const { body } = await post<{ pk: number }>('/api/order/so/shipment/', { order: order.pk, reference: String(last + 1) })
  return body.pk
}
