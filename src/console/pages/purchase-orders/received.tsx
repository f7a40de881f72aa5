import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { parseSerialNumbers, SerialNumberError } from '../../../notation/serial/serial-numbers.ts'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { count, formatWithUnit, label, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Panel } from '../../kit/page/page.tsx'
import { roundQuantity } from '../orders/order.ts'
import { PartName } from '../orders/order-cells.tsx'
import { getUnitsPerPack, type PurchaseLine } from './purchase-order-details.ts'
import { summarizeSerials } from './receipt-form.ts'

/** The response of the service for a received entry. */
export type ReceivedItem = {
  line_item: number
  quantity: string
  serial_numbers: string
  batch_code: string
  stock_items: number[]
  /** The location it went to. */
  location: number | null
}

/** Maximum number of location names loaded in one request, the limit of the service: a delivery goes to a few. */
const MAX_NAMED_LOCATIONS = 20

/** Returns the names of the locations of received items, by key; undefined until they are loaded. */
function useLocationNames(items: readonly ReceivedItem[]): (pk: number | null) => string | undefined {
  const locationKeys = [...new Set(items.map(({ location }) => location))]
    .filter((pk) => pk !== null)
    .slice(0, MAX_NAMED_LOCATIONS)
  const urls = Object.fromEntries(locationKeys.map((pk) => [pk, `/api/stock/location/${pk}/`]))
  const { data } = useRead<Record<string, { pathstring: string }>>(urls, Object.keys(urls))
  return (pk) => (pk === null ? undefined : data?.[pk]?.body.pathstring)
}

/** The serial numbers of an entry; the text itself if it continues from existing numbers. */
function formatSerials({ serial_numbers: text, stock_items }: ReceivedItem): string {
  try {
    return summarizeSerials(parseSerialNumbers(text, stock_items.length, null).serials)
  } catch (error) {
    if (!(error instanceof SerialNumberError)) throw error
    return text
  }
}

type Properties = {
  items: readonly ReceivedItem[]
  /** The lines they were received for. */
  lines: readonly PurchaseLine[]
  /** Whether anything is outstanding. */
  hasMore: boolean
  /** URL of the page of the order. */
  to: string
  onMore: () => void
}

/** The received items, and the action that prints their labels. */
export function Received({ items, lines, hasMore, to, onMore }: Properties) {
  const isPrinting = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const getLocationName = useLocationNames(items)
  const stock = items.flatMap(({ stock_items }) => stock_items)
  const print = () => {
    isPrinting.value = true
  }
  useEffect(() => button.current?.focus(), [])
  useCommands(() => [{ keys: 'p', label: () => count('labels.print', stock.length), run: print }], [stock.length])
  return (
    <Panel class="flush">
      <p class="received-done" role="status">
        <Icon name="check" />
        {count('received.done', stock.length)}
      </p>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">{t('receive.part')}</th>
            <th scope="col" class="end">
              {label('received')}
            </th>
            <th scope="col">{t('received.stock')}</th>
            <th scope="col">{label('location')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const line = lines.find(({ pk }) => pk === item.line_item)
            const [first, ...rest] = item.stock_items
            const locationName = getLocationName(item.location)
            return (
              <tr key={first}>
                <td>
                  <PartName
                    part={line?.part_detail ?? null}
                    detail={[
                      item.serial_numbers && t('received.serials', { serials: formatSerials(item) }),
                      item.batch_code && t('received.batch', { batch: item.batch_code }),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  />
                </td>
                <td class="end">
                  {line && formatWithUnit(roundQuantity(Number(item.quantity) * getUnitsPerPack(line)), line.part_detail?.units)}
                </td>
                <td>
                  <a href={`/stock/item/${first}/`}>{t('received.item', { item: first ?? 0 })}</a>
                  {rest.length > 0 && (
                    <small>{t('received.to', { item: rest.at(-1) ?? 0, count: item.stock_items.length })}</small>
                  )}
                </td>
                <td class="received-location">
                  {locationName && <a href={`/stock/location/${item.location}/`}>{locationName}</a>}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <div class="buttons pad">
        <button ref={button} type="button" class="primary" onClick={print}>
          <Icon name="print" />
          {count('labels.print', stock.length)}
        </button>
        {hasMore && (
          <button type="button" onClick={onMore}>
            {t('received.more')}
          </button>
        )}
        <a class="button" href={to}>
          {t('receive.to-order')}
        </a>
      </div>
      {isPrinting.value && (
        <PrintLabels
          kind="stock"
          items={stock}
          onClose={() => {
            isPrinting.value = false
          }}
        />
      )}
    </Panel>
  )
}
