import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Chooser, unchosenIn } from '../../kit/form/chooser.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { useConfirmQuantity } from '../../kit/form/confirm-quantity.tsx'
import { Problem } from '../../kit/form/form-footer.tsx'
import { sourceOfKind } from '../../kit/form/reference.ts'
import { count, errorText, number, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { query } from '../../kit/navigation/router.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, Page, type PageProperties } from '../../kit/page/page.tsx'
import { useProgressiveRows } from '../../kit/page/progressive-rows.ts'
import { showToast, type Undo } from '../../kit/page/toast.tsx'
import { ApiError, type FieldError, isNotExecuted, type Page as ListPage, newKey, post } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import { minus } from '../../kit/values/exact.ts'
import { tidy } from '../orders/order.ts'
import { StateBadge } from '../orders/order-cells.tsx'
import { Changed, type ChangedEntry, expectedNumber, useExpectations, useFirstExpected } from '../stock/expectations.tsx'
import {
  arrived,
  bodyOf,
  type Delivery,
  type Entry,
  expected,
  findOverReceived,
  locationOf,
  newDelivery,
  packsOf,
  serialsIn,
  set,
  setDefaultLocation,
} from './delivery.ts'
import { confirmationTitle, UnusualLines } from './delivery-warnings.tsx'
import { inPacks } from './order-lines.tsx'
import { ISSUED_STATUS, outstanding, PURCHASE_ORDERS, type PurchaseLine, type PurchaseOrder } from './purchase-order-details.ts'
import { storeReceipt, undoReceipt } from './receipts.ts'
import { navigateRows, ReceiveRow } from './receive-row.tsx'
import { Received, type ReceivedItem } from './received.tsx'

/** Maximum number of lines received in one request; the others are on further pages. */
const LINES = 500

type PageData = { order: PurchaseOrder; lines: ListPage<PurchaseLine> }

/** The received items, their lines, and the data loaded before that, whose outstanding quantities are out of date. */
type ReceiptSummary = { items: readonly ReceivedItem[]; lines: readonly PurchaseLine[]; before: unknown }

/** The entries typed, by the first line of each page: they stay while other pages are open. */
type Typed = Map<number, Delivery>

/** The URL of a page of lines with outstanding quantities. */
const linesOf = (order: number | string | undefined, from: number): string =>
  `/api/order/po-line/?order=${order}&received=false&part_detail=true&limit=${LINES}&offset=${from}`

/** `/order/purchase-order/:pk/receive/`: receives an order, all lines on one page, or from one of its lines on (`?from=500`). */
export function ReceivePage({ at }: PageProperties) {
  const from = Math.max(0, Number.parseInt(query('from') ?? '', 10) || 0)
  const typed = useRef<Typed>(new Map())
  return <Receiving key={`${at.pk} ${from}`} at={at} from={from} typed={typed.current} />
}

function Receiving({ at, from, typed }: PageProperties & { from: number; typed: Typed }) {
  const { data, error, reload } = useRead<PageData>({
    order: `/api/order/po/${at.pk}/?supplier_detail=true`,
    lines: linesOf(at.pk, from),
  })
  const delivery = useSignal<Delivery | undefined>(typed.get(from))
  const received = useSignal<ReceiptSummary | undefined>(undefined)
  const begin = (lines: readonly PurchaseLine[]) => {
    delivery.value = newDelivery(lines)
    typed.set(from, delivery.value)
  }
  useEffect(() => {
    if (!data) return
    const lines = data.lines.body.results
    if (!delivery.value) return begin(lines)
    // entries stay as typed; outstanding quantities may have changed, and lines missing from the list were received in full
    const { entries } = delivery.value
    entries.value = entries.value.map((entry) => ({
      ...entry,
      line: lines.find(({ pk }) => pk === entry.line.pk) ?? { ...entry.line, received: entry.line.quantity },
    }))
  }, [data])
  const page = `/order/purchase-order/${at.pk}/`
  const crumbs = [
    { text: t('purchase.title'), to: '/order/purchase-order/?outstanding=true' },
    ...(data ? [{ text: data.order.body.reference, to: page }] : []),
  ]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data || !delivery.value) return null
  const { body: order } = data.order
  const title = t('receive.title', { reference: order.reference })
  const supplier = order.supplier_detail?.name
  if (received.value)
    return (
      <Page title={title} crumbs={crumbs}>
        <Received
          items={received.value.items}
          lines={received.value.lines}
          isMore={
            data.lines !== received.value.before &&
            (expected(data.lines.body.results).length > 0 || (from > 0 && data.lines.body.count > 0))
          }
          to={page}
          onMore={() => {
            received.value = undefined
            begin(data.lines.body.results)
          }}
        />
      </Page>
    )
  const isNow = order.status === ISSUED_STATUS && may('add', 'purchase_order')
  if (!isNow || expected(data.lines.body.results).length === 0)
    return (
      <Page title={title} crumbs={crumbs} state={<StateBadge order={order} states={PURCHASE_ORDERS.states} />}>
        <Empty
          icon="box"
          title={!isNow ? t('receive.not-now') : data.lines.body.count > 0 ? t('receive.none-here') : t('receive.all-here')}
        >
          {isNow && from > 0 && data.lines.body.count > 0 && (
            <a class="button primary" href={`${page}receive/`}>
              {t('receive.lines-before')}
            </a>
          )}
          <a class="button" href={page}>
            {t('receive.to-order')}
          </a>
        </Empty>
      </Page>
    )
  return (
    <Page title={title} crumbs={crumbs} state={supplier && <span class="quiet-text">{supplier}</span>}>
      <Form
        order={order}
        delivery={delivery.value}
        pages={<Pages from={from} lineCount={data.lines.body.results.length} of={data.lines.body.count} />}
        onReceived={(items, undo) => {
          const currentDelivery = delivery.value as Delivery
          const summary = { items, lines: currentDelivery.entries.value.map(({ line }) => line), before: data.lines }
          received.value = summary
          // the following lines move up
          typed.clear()
          reload()
          const takeBack: Undo = async (key) => {
            await undo?.(key)
            // restores the entries for correction
            if (received.value !== summary) return
            typed.set(from, currentDelivery)
            received.value = undefined
          }
          showToast(t('received.told', { reference: order.reference }), undo && takeBack)
        }}
        onRejected={reload}
      />
    </Page>
  )
}

type FormProperties = {
  order: PurchaseOrder
  delivery: Delivery
  /** Links to the other lines, if there are too many for one page. */
  pages: ComponentChildren
  onReceived: (items: readonly ReceivedItem[], undo: Undo | undefined) => void
  /** Reloads the lines, as another user may have received some of them. */
  onRejected: () => void
}

function Form({ order, delivery, pages, onReceived, onRejected }: FormProperties) {
  const form = useRef<HTMLFormElement>(null)
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const isAsking = useSignal(false)
  const key = useRef(newKey())
  const expectations = useExpectations()
  const confirmation = useConfirmQuantity()
  const first = useFirstExpected(
    ({ id }: Entry) => id,
    ({ line }) => expectedNumber(line.received),
  )
  const came = arrived(delivery)
  useEffect(() => form.current?.querySelector<HTMLInputElement>('[data-field="packs"]')?.focus(), [])

  /** Shows each error at its line. */
  function blame(errors: readonly Record<string, readonly string[]>[]): void {
    for (const [at, entry] of arrived(delivery).entries()) set(delivery, entry.id, { errors: errors[at] ?? {} })
    // if all entries lack a location, one for all of them is the quickest fix
    const isNowhere = errors.length > 1 && errors.every(({ location }) => location)
    const selector = isNowhere ? '.receive-place input' : '[aria-invalid]'
    requestAnimationFrame(() => form.current?.querySelector<HTMLInputElement>(selector)?.focus())
  }

  /** Shows serial numbers in use at the lines that have them. @returns whether any line has them, as only the service can resolve `~` */
  function blameSerials(causes: readonly FieldError[]): boolean {
    const inUse = causes.filter(({ code }) => code === 'serial_number_in_use')
    const errors = arrived(delivery).map((entry) => {
      const own = inUse.filter(({ parameters }) => serialsIn(entry).some((serial) => serial === parameters.serial))
      return own.length > 0 ? { serial_numbers: own.map(errorText) } : {}
    })
    const isFound = hasErrors(errors)
    if (isFound) blame(errors as Record<string, string[]>[])
    return isFound
  }
  const hasErrors = (errors: readonly object[]) => errors.some((found) => Object.keys(found).length > 0)

  function begin(): void {
    if (isBusy.value) return
    problem.value = undefined
    const unchosen = form.current && unchosenIn(form.current)
    if (unchosen) {
      unchosen.focus()
      return
    }
    if (came.length === 0) {
      problem.value = t('receive.nothing')
      return
    }
    const errors = came.map((entry) => ({
      ...(packsOf(entry) === undefined ? { quantity: [t('receive.no-number')] } : {}),
      ...(locationOf(delivery, entry) === undefined ? { location: [t('receive.no-place')] } : {}),
    }))
    if (hasErrors(errors)) blame(errors as Record<string, string[]>[])
    else ask()
  }

  /** Receives the delivery, after confirmation if it is unusual. */
  const ask = () =>
    confirmation.before(
      confirmationTitle(delivery),
      () => receive(false),
      <UnusualLines delivery={delivery} />,
      t('receive.receive'),
    )

  /** Receives the outstanding rest of lines that another user received in part. */
  function take(changed: readonly ChangedEntry[]): void {
    const entries = arrived(delivery)
    for (const { at, found } of changed) {
      const entry = entries[at]
      if (!entry || found === undefined) continue
      const remaining = Number(minus(entry.line.quantity, found))
      set(delivery, entry.id, { packs: remaining > 0 ? String(remaining) : '' })
    }
  }

  async function receive(allowsMore: boolean): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    try {
      const entries = arrived(delivery)
      const { body } = await expectations.send(
        (at) => entries[at]?.line.part_detail?.name ?? '',
        onRejected,
        () =>
          post<{ items: ReceivedItem[]; delivery: string | null }>(
            `/api/order/po/${order.pk}/receive/?stock_items=true`,
            bodyOf(delivery, allowsMore, first.of),
            key.current,
          ),
      )
      const { items, delivery: id } = body
      if (id !== null) storeReceipt(order.pk, id)
      onReceived(items, id === null ? undefined : (key) => undoReceipt(order.pk, id, key))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // a request without a response may have been carried out: it is retried under the same key
      if (isNotExecuted(error)) {
        key.current = newKey()
        first.forget()
      }
      const { items } = error.errors as { items?: Record<string, string[]>[] }
      // the service reports this only if everything else is valid
      if (isOnlyOverReceipt(error.causes)) isAsking.value = true
      else if (Array.isArray(items)) blame(items)
      else if (!blameSerials(error.causes)) problem.value = error.text
      onRejected()
    } finally {
      isBusy.value = false
    }
  }

  const hasSerials = delivery.entries.value.some(({ line }) => line.part_detail?.trackable)
  const empty = () => {
    delivery.entries.value = delivery.entries.value.map((entry) => ({ ...entry, packs: '', errors: {} }))
  }
  const drawn = useProgressiveRows(delivery.entries.value.length)
  const latest = useRef({ begin })
  latest.current = { begin }
  useCommands(() => [{ keys: 'Ctrl+Enter', label: () => t('receive.receive'), run: () => latest.current.begin() }])
  return (
    <form
      ref={form}
      class="receive"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        begin()
      }}
      onKeyDown={(event) => navigateRows(event, form.current)}
    >
      <div class="receive-head">
        <label class="receive-place">
          <span>{t('receive.all-to')}</span>
          <Chooser
            from={sourceOfKind('place')}
            value={delivery.place.value}
            onPick={(location) => setDefaultLocation(delivery, location?.pk ?? null)}
            placeholder={t('receive.each-its-own')}
          />
        </label>
        <button type="button" class="quiet" onClick={empty}>
          {t('receive.empty-all')}
        </button>
      </div>
      <div class={hasSerials ? 'receive-rows panel flush' : 'receive-rows panel flush no-serials'}>
        <div class="receive-row receive-titles" aria-hidden="true">
          <span>{t('receive.part')}</span>
          <span class="end">{t('receive.to-come')}</span>
          <span>{t('receive.came')}</span>
          <span class="receive-serials">{t('receive.serials')}</span>
          <span>{t('receive.batch')}</span>
          <span>{t('receive.place')}</span>
        </div>
        <ul>
          {delivery.entries.value.slice(0, drawn).map((entry, at) => (
            <ReceiveRow
              key={entry.id}
              delivery={delivery}
              entry={entry}
              isFirst={delivery.entries.value[at - 1]?.line.pk !== entry.line.pk}
            />
          ))}
        </ul>
      </div>
      {pages}
      <Problem form={{ problem }} />
      <Changed
        expectations={expectations}
        onRetry={() => form.current?.querySelector<HTMLInputElement>('[data-field="packs"]')?.focus()}
        onAccept={take}
      />
      <div class="receive-foot">
        <span class="quiet-text wide-only">{t('receive.keys')}</span>
        <button type="submit" class="primary" disabled={isBusy.value}>
          <Icon name="box" />
          {came.length === 0 ? t('receive.receive') : count('receive.lines', came.length)}
        </button>
      </div>
      {confirmation.question}
      {isAsking.value && (
        <Confirm
          title={t('receive.more-title')}
          button={t('receive.more-take')}
          onConfirm={async () => {
            isAsking.value = false
            await receive(true)
          }}
          onClose={() => {
            isAsking.value = false
          }}
        >
          <ul class="plain-list">
            {findOverReceived(delivery).map(({ line, packs }) => (
              <li key={line.pk}>
                {t('receive.more-line', {
                  part: line.part_detail?.name ?? '',
                  came: inPacks(line, tidy(outstanding(line) + packs)),
                  more: inPacks(line, packs),
                })}
              </li>
            ))}
          </ul>
          <p>{t('receive.more-text')}</p>
        </Confirm>
      )}
    </form>
  )
}

/** Whether excess quantities are the only errors, which the user can confirm. */
const isOnlyOverReceipt = (causes: readonly FieldError[]): boolean =>
  causes.length > 0 && causes.every(({ code }) => code === 'quantity_exceeds_outstanding')

/** The range of outstanding lines on this page, and links to the others. */
function Pages({ from, lineCount, of }: { from: number; lineCount: number; of: number }) {
  if (lineCount >= of) return null
  const next = from + LINES
  return (
    <p class="quiet-text receive-pages">
      {t('receive.lines-shown', { first: number(from + 1), last: number(from + lineCount), of: number(of) })}{' '}
      {from > 0 && <a href={`?from=${Math.max(0, from - LINES)}`}>{t('receive.lines-before')}</a>}{' '}
      {next < of && <a href={`?from=${next}`}>{t('receive.lines-after')}</a>}
    </p>
  )
}
