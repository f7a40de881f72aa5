import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { choiceLabel, count, formatNumber, formatWithUnit, t } from '../../kit/language/language.ts'
import { Badge, Empty } from '../../kit/page/page.tsx'
import { showToast } from '../../kit/page/toast.tsx'
import { ApiError, isNotExecuted, type Page, post, read, remove } from '../../kit/service/api.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { AllocationForm, type Offer } from '../orders/allocation-form.tsx'
import { parseAmount } from '../orders/order.ts'
import { getExpiry, OK_STATUS, type StockItem } from '../stock/stock-details.tsx'
import { getOfferUrls, isUsable } from '../stock/usable-stock.ts'
import { createShipment } from './new-shipment.ts'
import { getShortage, type SalesLine, type SalesOrder, type Shipment } from './sales-order-details.ts'

/** Maximum number of parts in one dialog: the available stock of each is up to two URLs of a single request, which has at most 20. */
const MAX_PARTS = 10
/** Maximum number of stock items offered for a line. */
const MAX_ITEMS = 50

type Properties = {
  order: SalesOrder
  lines: readonly SalesLine[]
  /** The shipments of the order: stock is allocated to the one not shipped yet, otherwise to a new one. */
  shipments: readonly Shipment[]
  onDone: () => void
  onClose: () => void
}

/** Allocates stock to the lines of a sales order that are short of it, and proposes stock that expires first. */
export function AllocationDialog({ order, lines, shipments, onDone, onClose }: Properties) {
  /** Available stock by part. */
  const stock = useSignal<ReadonlyMap<number, readonly StockItem[]> | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const targetShipment = useRef(shipments.find(({ shipment_date }) => shipment_date === null)?.pk)
  const shortLines = lines.filter((line) => line.part !== null && getShortage(line) > 0)
  const parts = [...new Set(shortLines.map(({ part }) => part as number))].slice(0, MAX_PARTS)
  const offeredLines = shortLines.filter(({ part }) => parts.includes(part as number))
  const shortageText = (line: SalesLine) =>
    t('sales.required', { count: formatWithUnit(getShortage(line), line.part_detail?.units) })
  async function readStock(): Promise<void> {
    problem.value = undefined
    const urls = parts.map((part) => ({ part, offerUrls: getOfferUrls({ part }, 'SALE', MAX_ITEMS) }))
    const named = urls.flatMap(({ part, offerUrls }) => offerUrls.map((url, index) => [`${part}-${index}`, url] as const))
    try {
      const pages = parts.length === 0 ? {} : await read<Record<string, Page<StockItem>>>(Object.fromEntries(named))
      stock.value = new Map(
        urls.map(({ part, offerUrls }) => [part, offerUrls.flatMap((_, index) => pages[`${part}-${index}`]?.body.results ?? [])]),
      )
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problem.value = error.message
    }
  }
  useEffect(() => void readStock(), [])
  async function allocate(chosenOffers: readonly Offer<SalesLine>[], key: string): Promise<void> {
    /** A shipment created for these items alone. */
    let createdShipment: number | undefined
    try {
      if (targetShipment.current === undefined) {
        createdShipment = await createShipment(order.pk)
        targetShipment.current = createdShipment
      }
      const items = chosenOffers.map(({ line, item, amount }) => ({
        line_item: line.pk,
        stock_item: item.pk,
        quantity: parseAmount(amount),
      }))
      await post(`/api/order/so/${order.pk}/allocate/`, { shipment: targetShipment.current, items, check_expiry: true }, key)
    } catch (error) {
      if (
        createdShipment !== undefined &&
        error instanceof ApiError &&
        isNotExecuted(error) &&
        (await deleteIfEmpty(createdShipment))
      )
        targetShipment.current = undefined
      throw error
    }
    showToast(count('sales.was-allocated', chosenOffers.length))
    onDone()
  }
  const title = t('sales.allocate-title')
  if (!stock.value && problem.value)
    return (
      <Dialog title={title} onClose={onClose}>
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <div class="buttons">
          <button type="button" class="primary" onClick={readStock}>
            {t('sales.try-again')}
          </button>
        </div>
      </Dialog>
    )
  if (!stock.value) return null
  const getItems = ({ part }: SalesLine) => stock.value?.get(part as number) ?? []
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      {offeredLines.every((line) => getItems(line).length === 0) ? (
        <Empty icon="box" title={t('sales.no-stock')}>
          {offeredLines.map((line) => (
            <p key={line.pk}>
              {line.part_detail?.name}: {shortageText(line)}
            </p>
          ))}
          <p>{t('sales.no-stock-more')}</p>
        </Empty>
      ) : (
        <AllocationForm<SalesLine>
          lines={offeredLines}
          getItems={getItems}
          stock={stock.value}
          getShortage={getShortage}
          isUsable={(item) => isUsable(item, 'SALE')}
          itemHeading={t('sales.from')}
          renderHeading={(line) => (
            <>
              {line.part_detail?.name} <small>{shortageText(line)}</small>
            </>
          )}
          renderItem={({ line, item }) => (
            <>
              {item.serial ? `#${item.serial}` : (item.batch ?? t('sales.item', { item: item.pk }))}
              {item.status !== OK_STATUS && (
                <>
                  {' '}
                  <Badge tone="warn">{choiceLabel('/api/stock/', 'status', item.status)}</Badge>
                </>
              )}
              {getExpiry(item) === 'expired' && (
                <>
                  {' '}
                  <Badge tone="bad">{t('stock.expired')}</Badge>
                </>
              )}
              {/* names the variant if the line allows several */}
              {item.part !== line.part && <span> {item.part_detail?.name}</span>}
              <small>{item.location_detail?.pathstring}</small>
            </>
          )}
          accessibleNames={({ line, item }) => ({
            part: line.part_detail?.name ?? '',
            item: item.serial ?? item.batch ?? item.pk,
          })}
          formatAvailable={(available) => formatNumber(available)}
          getButtonLabel={(chosenOffers) => count('sales.allocate-button', chosenOffers.length)}
          send={allocate}
          onClose={onClose}
        >
          {(table) => (
            <>
              {table}
              {offeredLines.length < shortLines.length && (
                <p class="quiet-text">
                  {t('sales.more-lines-short', { count: formatNumber(shortLines.length - offeredLines.length) })}
                </p>
              )}
            </>
          )}
        </AllocationForm>
      )}
    </Dialog>
  )
}

/** Deletes a shipment if nothing was allocated to it. @returns whether it is deleted */
const deleteIfEmpty = (shipment: number): Promise<boolean> =>
  remove(`/api/order/so/shipment/${shipment}/`).then(
    () => true,
    (error) => {
      // an account without permission to delete reuses it for its next allocation
      if (!(error instanceof ApiError)) throw error
      return false
    },
  )
