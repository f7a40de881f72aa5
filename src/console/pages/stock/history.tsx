import type { ComponentChildren } from 'preact'
import { choiceLabel, formatDateTime, formatNumber, formatWithUnit, label, t } from '../../kit/language/language.ts'
import { Timeline } from '../../kit/page/timeline.tsx'
import { formatAccountName } from '../../kit/service/session.ts'
import { formatStatus } from './stock-details.tsx'

type Brief = { pk: number } & Record<string, unknown>

/** An entry of the history of a stock item, as returned by `/api/stock/track/`. */
export type TrackEntry = {
  pk: number
  /** Null once the item is gone. */
  item: number | null
  date: string
  label: string
  tracking_type: number
  notes: string | null
  deltas: Record<string, unknown>
  user_detail: { username: string; first_name: string; last_name: string } | null
}

/** The objects in deltas, with their pages and names. */
const OBJECTS: Record<string, { to: (pk: number) => string; name: (brief: Brief) => unknown }> = {
  part: { to: (pk) => `/part/${pk}/`, name: ({ full_name }) => full_name },
  location: { to: (pk) => `/stock/location/${pk}/`, name: ({ pathstring, name }) => pathstring ?? name },
  stockitem: { to: (pk) => `/stock/item/${pk}/`, name: ({ pk, serial }) => (serial ? `#${serial}` : `${t('stock.item')} ${pk}`) },
  customer: { to: (pk) => `/company/${pk}/`, name: ({ name }) => name },
  purchaseorder: { to: (pk) => `/order/purchase-order/${pk}/`, name: ({ reference }) => reference },
  returnorder: { to: (pk) => `/order/return-order/${pk}/`, name: ({ reference }) => reference },
  salesorder: { to: (pk) => `/order/sales-order/${pk}/`, name: ({ reference }) => reference },
  transferorder: { to: (pk) => `/order/transfer-order/${pk}/`, name: ({ reference }) => reference },
  buildorder: { to: (pk) => `/build/${pk}/`, name: ({ reference }) => reference },
}

type Properties = {
  entries: readonly TrackEntry[]
  units: string | null | undefined
  /** Whether each entry names its item. */
  showsItems?: boolean
}

/** The history, newest first: time, user, change of quantity, and location. */
export const History = ({ entries, units, showsItems = false }: Properties) => (
  <Timeline
    entries={entries.map((entry) => {
      const typeLabel = choiceLabel('/api/stock/track/', 'tracking_type', entry.tracking_type)
      return {
        key: entry.pk,
        time: entry.date,
        text: (
          <span class="timeline-text">
            <strong>{typeLabel === String(entry.tracking_type) ? entry.label : typeLabel}</strong>
            {showsItems && <span>{renderItemName(entry)}</span>}
            {listChanges(entry, units).map((change, index) => (
              <span key={index}>{change}</span>
            ))}
          </span>
        ),
        detail: [entry.notes, entry.user_detail && formatAccountName(entry.user_detail)].filter(Boolean).join(' · '),
      }
    })}
  />
)

const renderItemName = ({ item }: TrackEntry): ComponentChildren =>
  item === null ? t('stock.item-gone') : <a href={`/stock/item/${item}/`}>{`${t('stock.item')} ${item}`}</a>

/** Type of the entry for a receipt. Its quantity is that of the whole delivery, in packs, even if the item is one of many serialized items. */
const RECEIVED_TYPE = 70

function listChanges({ deltas, tracking_type }: TrackEntry, units: string | null | undefined): ComponentChildren[] {
  const { added, removed, quantity: amount, status, released, allocated, ...rest } = deltas
  const changes: ComponentChildren[] = []
  if (added !== undefined) changes.push(<b class="added">+{formatNumber(added as string)}</b>)
  if (removed !== undefined) changes.push(<b class="removed">−{formatNumber(removed as string)}</b>)
  if (amount !== undefined && tracking_type === RECEIVED_TYPE)
    changes.push(t('stock.delivery-of', { count: formatNumber(amount as string) }))
  else if (amount !== undefined) {
    const amountText = formatWithUnit(amount as string, units)
    changes.push(added === undefined && removed === undefined ? amountText : t('stock.then', { quantity: amountText }))
  }
  if (released !== undefined) changes.push(t('stock.released', { quantity: formatWithUnit(released as string, units) }))
  if (allocated !== undefined) changes.push(t('stock.restored', { quantity: formatWithUnit(allocated as string, units) }))
  if (status !== undefined) changes.push(formatStatus({ status: Number(status), status_text: String(status) }))
  for (const [name, value] of Object.entries(rest)) {
    if (name.endsWith('_detail') || value === null || typeof value === 'object') continue
    // the customer shows its name, unless it was deleted
    if (name === 'customer_name' && deltas.customer_detail) continue
    const objectType = OBJECTS[name]
    const brief = deltas[`${name}_detail`] as Brief | null | undefined
    if (objectType)
      changes.push(
        brief ? <a href={objectType.to(Number(value))}>{String(objectType.name(brief))}</a> : `${label(name)} ${String(value)}`,
      )
    else changes.push(`${label(name)}: ${name === 'scanned' ? formatDateTime(String(value)) : String(value)}`)
  }
  return changes
}
