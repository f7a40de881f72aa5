import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Combobox, findUnselectedField } from '../../kit/form/combobox.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { useConfirmQuantity } from '../../kit/form/confirm-quantity.tsx'
import { Problem } from '../../kit/form/form-footer.tsx'
import { getSource } from '../../kit/form/reference.ts'
import { count, errorText, formatNumber, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { readQuery } from '../../kit/navigation/router.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, Page, type PageProperties } from '../../kit/page/page.tsx'
import { useProgressiveRows } from '../../kit/page/progressive-rows.ts'
import { showToast, type Undo } from '../../kit/page/toast.tsx'
import { ApiError, type FieldError, isNotExecuted, type Page as ListPage, newKey, post } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { subtract } from '../../kit/values/exact.ts'
import { roundQuantity } from '../orders/order.ts'
import { StatusBadge } from '../orders/order-cells.tsx'
import {
  ChangedEntries,
  type ChangedEntry,
  toExpectedNumber,
  useExpectations,
  useExpectedValues,
} from '../stock/expectations.tsx'
import { getConfirmationTitle, UnusualLines } from './delivery-warnings.tsx'
import { formatPacks } from './order-lines.tsx'
import {
  getOutstanding,
  ISSUED_STATUS,
  PURCHASE_ORDERS,
  type PurchaseLine,
  type PurchaseOrder,
} from './purchase-order-details.ts'
import {
  buildReceiptBody,
  createDelivery,
  type Entry,
  findOverReceived,
  getLocation,
  listExpectedLines,
  listKnownSerials,
  listReceivedEntries,
  parsePacks,
  type ReceiptForm,
  setDefaultLocation,
  updateEntry,
} from './receipt-form.ts'
import { storeReceipt, undoReceipt } from './receipts.ts'
import { navigateRows, ReceiveRow } from './receive-row.tsx'
import { Received, type ReceivedItem } from './received.tsx'

/** Maximum number of lines received in one request; the others are on further pages. */
const MAX_LINES = 500

type PageData = { order: PurchaseOrder; lines: ListPage<PurchaseLine> }

/** The received items, their lines, and the data loaded before that, whose outstanding quantities are out of date. */
type ReceiptSummary = { items: readonly ReceivedItem[]; lines: readonly PurchaseLine[]; before: unknown }

/** The entries typed, by the first line of each page: they stay while other pages are open. */
type TypedDeliveries = Map<number, ReceiptForm>

/** The URL of a page of lines with outstanding quantities. */
const getLinesUrl = (order: number | string | undefined, from: number): string =>
  `/api/order/po-line/?order=${order}&received=false&part_detail=true&limit=${MAX_LINES}&offset=${from}`

/** `/order/purchase-order/:pk/receive/`: receives an order, all lines on one page, or from one of its lines on (`?from=500`). */
export function ReceivePage({ params }: PageProperties) {
  const from = Math.max(0, Number.parseInt(readQuery('from') ?? '', 10) || 0)
  const typedDeliveries = useRef<TypedDeliveries>(new Map())
  return <ReceiveOrder key={`${params.pk} ${from}`} params={params} from={from} typed={typedDeliveries.current} />
}

function ReceiveOrder({ params, from, typed: typedDeliveries }: PageProperties & { from: number; typed: TypedDeliveries }) {
  const { data, error, reload } = useRead<PageData>({
    order: `/api/order/po/${params.pk}/?supplier_detail=true`,
    lines: getLinesUrl(params.pk, from),
  })
  const delivery = useSignal<ReceiptForm | undefined>(typedDeliveries.get(from))
  const receipt = useSignal<ReceiptSummary | undefined>(undefined)
  const startDelivery = (lines: readonly PurchaseLine[]) => {
    delivery.value = createDelivery(lines)
    typedDeliveries.set(from, delivery.value)
  }
  useEffect(() => {
    if (!data) return
    const lines = data.lines.body.results
    if (!delivery.value) return startDelivery(lines)
    // entries stay as typed; outstanding quantities may have changed, and lines missing from the list were received in full
    const { entries } = delivery.value
    entries.value = entries.value.map((entry) => ({
      ...entry,
      line: lines.find(({ pk }) => pk === entry.line.pk) ?? { ...entry.line, received: entry.line.quantity },
    }))
  }, [data])
  const page = `/order/purchase-order/${params.pk}/`
  const crumbs = [
    { text: t('purchase.title'), to: '/order/purchase-order/?outstanding=true' },
    ...(data ? [{ text: data.order.body.reference, to: page }] : []),
  ]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data || !delivery.value) return null
  const { body: order } = data.order
  const title = t('receive.title', { reference: order.reference })
  const supplier = order.supplier_detail?.name
  if (receipt.value)
    return (
      <Page title={title} crumbs={crumbs}>
        <Received
          items={receipt.value.items}
          lines={receipt.value.lines}
          hasMore={
            data.lines !== receipt.value.before &&
            (listExpectedLines(data.lines.body.results).length > 0 || (from > 0 && data.lines.body.count > 0))
          }
          to={page}
          onMore={() => {
            receipt.value = undefined
            startDelivery(data.lines.body.results)
          }}
        />
      </Page>
    )
  const isReceivable = order.status === ISSUED_STATUS && hasPermission('add', 'purchase_order')
  if (!isReceivable || listExpectedLines(data.lines.body.results).length === 0)
    return (
      <Page title={title} crumbs={crumbs} state={<StatusBadge order={order} statuses={PURCHASE_ORDERS.statuses} />}>
        <Empty
          icon="box"
          title={
            !isReceivable ? t('receive.not-now') : data.lines.body.count > 0 ? t('receive.none-here') : t('receive.all-received')
          }
        >
          {isReceivable && from > 0 && data.lines.body.count > 0 && (
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
      <ReceiveForm
        order={order}
        delivery={delivery.value}
        pages={<LinePages from={from} lineCount={data.lines.body.results.length} total={data.lines.body.count} />}
        onReceived={(items, undo) => {
          const currentDelivery = delivery.value as ReceiptForm
          const summary = { items, lines: currentDelivery.entries.value.map(({ line }) => line), before: data.lines }
          receipt.value = summary
          // the following lines move up
          typedDeliveries.clear()
          reload()
          const undoReceived: Undo = async (key) => {
            await undo?.(key)
            // restores the entries for correction
            if (receipt.value !== summary) return
            typedDeliveries.set(from, currentDelivery)
            receipt.value = undefined
          }
          showToast(t('received.notification', { reference: order.reference }), undo && undoReceived)
        }}
        onRejected={reload}
      />
    </Page>
  )
}

type ReceiveFormProperties = {
  order: PurchaseOrder
  delivery: ReceiptForm
  /** Links to the other lines, if there are too many for one page. */
  pages: ComponentChildren
  onReceived: (items: readonly ReceivedItem[], undo: Undo | undefined) => void
  /** Reloads the lines, as another user may have received some of them. */
  onRejected: () => void
}

function ReceiveForm({ order, delivery, pages, onReceived, onRejected }: ReceiveFormProperties) {
  const form = useRef<HTMLFormElement>(null)
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const isConfirmingExcess = useSignal(false)
  const key = useRef(newKey())
  const expectations = useExpectations()
  const confirmation = useConfirmQuantity()
  const expectedValues = useExpectedValues(
    ({ id }: Entry) => id,
    ({ line }) => toExpectedNumber(line.received),
  )
  const receivedEntries = listReceivedEntries(delivery)
  useEffect(() => form.current?.querySelector<HTMLInputElement>('[data-field="packs"]')?.focus(), [])

  /** Shows each error at its line. */
  function showErrors(errors: readonly Record<string, readonly string[]>[]): void {
    for (const [index, entry] of listReceivedEntries(delivery).entries())
      updateEntry(delivery, entry.id, { errors: errors[index] ?? {} })
    // if all entries lack a location, one for all of them is the quickest fix
    const lacksLocations = errors.length > 1 && errors.every(({ location }) => location)
    const selector = lacksLocations ? '.receive-location input' : '[aria-invalid]'
    requestAnimationFrame(() => form.current?.querySelector<HTMLInputElement>(selector)?.focus())
  }

  /** Shows serial numbers in use at the lines that have them. @returns whether any line has them, as only the service can resolve `~` */
  function showSerialErrors(causes: readonly FieldError[]): boolean {
    const inUse = causes.filter(({ code }) => code === 'serial_number_in_use')
    const errors = listReceivedEntries(delivery).map((entry) => {
      const lineErrors = inUse.filter(({ parameters }) => listKnownSerials(entry).some((serial) => serial === parameters.serial))
      return lineErrors.length > 0 ? { serial_numbers: lineErrors.map(errorText) } : {}
    })
    const isInUse = hasErrors(errors)
    if (isInUse) showErrors(errors as Record<string, string[]>[])
    return isInUse
  }
  const hasErrors = (errors: readonly object[]) => errors.some((found) => Object.keys(found).length > 0)

  function validateAndReceive(): void {
    if (isBusy.value) return
    problem.value = undefined
    const unchosenField = form.current && findUnselectedField(form.current)
    if (unchosenField) {
      unchosenField.focus()
      return
    }
    if (receivedEntries.length === 0) {
      problem.value = t('receive.nothing')
      return
    }
    const errors = receivedEntries.map((entry) => ({
      ...(parsePacks(entry) === undefined ? { quantity: [t('receive.no-number')] } : {}),
      ...(getLocation(delivery, entry) === undefined ? { location: [t('receive.no-location')] } : {}),
    }))
    if (hasErrors(errors)) showErrors(errors as Record<string, string[]>[])
    else confirmAndReceive()
  }

  /** Receives the delivery, after confirmation if it is unusual. */
  const confirmAndReceive = () =>
    confirmation.before(
      getConfirmationTitle(delivery),
      () => receive(false),
      <UnusualLines delivery={delivery} />,
      t('receive.receive'),
    )

  /** Enters the outstanding rest of lines that another user has received in part. */
  function acceptRemaining(changed: readonly ChangedEntry[]): void {
    const entries = listReceivedEntries(delivery)
    for (const { index, found } of changed) {
      const entry = entries[index]
      if (!entry || found === undefined) continue
      const remaining = Number(subtract(entry.line.quantity, found))
      updateEntry(delivery, entry.id, { packs: remaining > 0 ? String(remaining) : '' })
    }
  }

  async function receive(allowsOverReceipt: boolean): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    try {
      const entries = listReceivedEntries(delivery)
      const { body } = await expectations.send(
        (index) => entries[index]?.line.part_detail?.name ?? '',
        onRejected,
        () =>
          post<{ items: ReceivedItem[]; delivery: string | null }>(
            `/api/order/po/${order.pk}/receive/?stock_items=true`,
            buildReceiptBody(delivery, allowsOverReceipt, expectedValues.getExpected),
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
        expectedValues.forget()
      }
      const { items } = error.errors as { items?: Record<string, string[]>[] }
      // the service reports this only if everything else is valid
      if (isOnlyOverReceipt(error.causes)) isConfirmingExcess.value = true
      else if (Array.isArray(items)) showErrors(items)
      else if (!showSerialErrors(error.causes)) problem.value = error.text
      onRejected()
    } finally {
      isBusy.value = false
    }
  }

  const hasSerials = delivery.entries.value.some(({ line }) => line.part_detail?.trackable)
  const clearQuantities = () => {
    delivery.entries.value = delivery.entries.value.map((entry) => ({ ...entry, packs: '', errors: {} }))
  }
  const visibleCount = useProgressiveRows(delivery.entries.value.length)
  const latest = useRef({ begin: validateAndReceive })
  latest.current = { begin: validateAndReceive }
  useCommands(() => [{ keys: 'Ctrl+Enter', label: () => t('receive.receive'), run: () => latest.current.begin() }])
  return (
    <form
      ref={form}
      class="receive"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        validateAndReceive()
      }}
      onKeyDown={(event) => navigateRows(event, form.current)}
    >
      <div class="receive-head">
        <label class="receive-location">
          <span>{t('receive.all-to')}</span>
          <Combobox
            source={getSource('storageLocation')}
            value={delivery.defaultLocation.value}
            onPick={(location) => setDefaultLocation(delivery, location?.pk ?? null)}
            placeholder={t('receive.each-its-own')}
          />
        </label>
        <button type="button" class="quiet" onClick={clearQuantities}>
          {t('receive.empty-all')}
        </button>
      </div>
      <div class={hasSerials ? 'receive-rows panel flush' : 'receive-rows panel flush no-serials'}>
        <div class="receive-row receive-titles" aria-hidden="true">
          <span>{t('receive.part')}</span>
          <span class="end">{t('receive.outstanding')}</span>
          <span>{t('receive.received')}</span>
          <span class="receive-serials">{t('receive.serials')}</span>
          <span>{t('receive.batch')}</span>
          <span>{t('receive.location')}</span>
        </div>
        <ul>
          {delivery.entries.value.slice(0, visibleCount).map((entry, index) => (
            <ReceiveRow
              key={entry.id}
              delivery={delivery}
              entry={entry}
              isFirst={delivery.entries.value[index - 1]?.line.pk !== entry.line.pk}
            />
          ))}
        </ul>
      </div>
      {pages}
      <Problem form={{ problem }} />
      <ChangedEntries
        expectations={expectations}
        onRetry={() => form.current?.querySelector<HTMLInputElement>('[data-field="packs"]')?.focus()}
        onAccept={acceptRemaining}
      />
      <div class="receive-foot">
        <span class="quiet-text wide-only">{t('receive.keys')}</span>
        <button type="submit" class="primary" disabled={isBusy.value}>
          <Icon name="box" />
          {receivedEntries.length === 0 ? t('receive.receive') : count('receive.lines', receivedEntries.length)}
        </button>
      </div>
      {confirmation.dialog}
      {isConfirmingExcess.value && (
        <Confirm
          title={t('receive.more-title')}
          button={t('receive.more-receive')}
          onConfirm={async () => {
            isConfirmingExcess.value = false
            await receive(true)
          }}
          onClose={() => {
            isConfirmingExcess.value = false
          }}
        >
          <ul class="plain-list">
            {findOverReceived(delivery).map(({ line, packs }) => (
              <li key={line.pk}>
                {t('receive.more-line', {
                  part: line.part_detail?.name ?? '',
                  came: formatPacks(line, roundQuantity(getOutstanding(line) + packs)),
                  more: formatPacks(line, packs),
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
function LinePages({ from, lineCount, total }: { from: number; lineCount: number; total: number }) {
  if (lineCount >= total) return null
  const next = from + MAX_LINES
  return (
    <p class="quiet-text receive-pages">
      {t('receive.lines-shown', { first: formatNumber(from + 1), last: formatNumber(from + lineCount), of: formatNumber(total) })}{' '}
      {from > 0 && <a href={`?from=${Math.max(0, from - MAX_LINES)}`}>{t('receive.lines-before')}</a>}{' '}
      {next < total && <a href={`?from=${next}`}>{t('receive.lines-after')}</a>}
    </p>
  )
}
