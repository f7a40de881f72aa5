import stock from 'metadata:/api/stock/'
import { choiceLabel, formatDate, formatWithUnit, t } from '../../kit/language/language.ts'
import { Badge } from '../../kit/page/page.tsx'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { isEnabled } from '../../kit/service/session.ts'

/** Metadata of `/api/stock/`, with text filters turned into booleans. */
export const stockMetadata: ResourceMetadata = {
  ...stock,
  filters: { ...stock.filters, expired: { kind: 'boolean' }, stale: { kind: 'boolean' } },
}

/** A stock item, as returned by `/api/stock/` with its details. */
export type StockItem = {
  pk: number
  part: number
  part_detail: {
    full_name: string
    name: string
    IPN: string | null
    units: string | null
    thumbnail: string
    active: boolean
    assembly: boolean
    salable: boolean
    trackable: boolean
  } | null
  quantity: number
  allocated: number
  serial: string | null
  batch: string | null
  status: number
  status_text: string
  /** The key of its custom state, otherwise that of its status. */
  status_custom_key?: number
  location: number | null
  location_detail: { pk: number; name: string; pathstring: string } | null
  location_path?: { pk: number; name: string }[]
  supplier_part: number | null
  supplier_part_detail: { SKU: string; supplier: number } | null
  purchase_order: number | null
  purchase_order_reference: string | null
  sales_order: number | null
  sales_order_reference: string | null
  customer: number | null
  belongs_to: number | null
  build: number | null
  consumed_by: number | null
  is_building: boolean
  packaging: string | null
  purchase_price: string | null
  purchase_price_currency: string
  expiry_date: string | null
  expired: boolean
  stale: boolean
  stocktake_date: string | null
  updated: string | null
  barcode_hash: string
  installed_items: number
  link: string
  tags: string[]
  notes: string | null
}

/** The details loaded with stock items, for their names. */
export const DETAILS = { part_detail: 'true', location_detail: 'true' }

/** Its quantity, with the unit of its part. */
export const formatItemQuantity = (item: Pick<StockItem, 'quantity' | 'part_detail'>): string =>
  formatWithUnit(item.quantity, item.part_detail?.units)

/** Its serial number or batch, which distinguishes it from other items of its part. */
export const formatIdentifier = ({ serial, batch }: Pick<StockItem, 'serial' | 'batch'>): string =>
  serial ? `#${serial}` : batch ? t('stock.batch', { batch }) : ''

/** Its part, with the serial number or batch. */
export const formatItemTitle = (item: StockItem): string =>
  [item.part_detail?.full_name ?? '', formatIdentifier(item)].filter(Boolean).join(' · ')

/** The name of a status; a custom one has the name given by an administrator. */
export const formatStatus = ({
  status,
  status_text,
  status_custom_key: state = status,
}: Pick<StockItem, 'status' | 'status_text' | 'status_custom_key'>): string => {
  if (state !== status) return status_text
  const statusLabel = choiceLabel(stockMetadata.path, 'status', status)
  return statusLabel === String(status) ? status_text : statusLabel
}

/** Whether an item is expired or soon will be; undefined if the service does not track expiry dates. */
export const getExpiry = ({ expired, stale }: Pick<StockItem, 'expired' | 'stale'>): 'expired' | 'stale' | undefined =>
  !isEnabled('STOCK_ENABLE_EXPIRY') ? undefined : expired ? 'expired' : stale ? 'stale' : undefined

/** Status of stock without a defect. */
export const OK_STATUS = 10

/** The statuses in which an item can be in stock. */
const IN_STOCK_STATUSES = [OK_STATUS, 50, 55, 85]

/** The fields for where an item may be instead of in stock. */
type LocationFields = Pick<StockItem, 'belongs_to' | 'customer' | 'sales_order' | 'consumed_by' | 'is_building'>

/** Whether it is here, in any status: not sold, installed, consumed or still in production. */
export const isHere = ({ belongs_to, customer, sales_order, consumed_by, is_building }: LocationFields): boolean =>
  belongs_to === null && customer === null && sales_order === null && consumed_by === null && !is_building

/** Whether it is in stock, by the rules of the service. */
export const isInStock = (item: LocationFields & Pick<StockItem, 'quantity' | 'status'>): boolean =>
  isHere(item) && item.quantity > 0 && IN_STOCK_STATUSES.includes(item.status)

const TONES: Record<number, 'good' | 'bad' | 'warn'> = {
  10: 'good',
  50: 'warn',
  55: 'warn',
  60: 'bad',
  65: 'bad',
  70: 'bad',
  75: 'warn',
  85: 'warn',
}

/**
 * The status of an item, and warnings to see before it is used.
 * @param isShort leaves out the OK badge if there is an expiry badge
 */
export const StatusBadges = ({ item, isShort = false }: { item: StockItem; isShort?: boolean }) => (
  <span class="badges">
    {!(isShort && item.status === OK_STATUS && getExpiry(item)) && <Badge tone={TONES[item.status]}>{formatStatus(item)}</Badge>}
    {getExpiry(item) === 'expired' && <Badge tone="bad">{t('stock.expired')}</Badge>}
    {getExpiry(item) === 'stale' && <Badge tone="warn">{t('stock.stale', { date: formatDate(item.expiry_date) })}</Badge>}
    {item.is_building && <Badge tone="accent">{t('stock.in-production')}</Badge>}
    {item.belongs_to !== null && <Badge tone="accent">{t('stock.installed')}</Badge>}
    {(item.customer !== null || item.sales_order !== null) && <Badge tone="accent">{t('stock.sold')}</Badge>}
    {item.consumed_by !== null && <Badge tone="accent">{t('stock.consumed')}</Badge>}
  </span>
)

/** The fields of its forms, in order. The others are under "More". */
export const FIELDS = [
  'supplier_part',
  'batch',
  'expiry_date',
  'packaging',
  'purchase_price',
  'purchase_price_currency',
  'link',
  'tags',
  'notes',
]

/** Fields with an action of their own or edited elsewhere. */
export const EXCLUDED_FIELDS = [
  'part',
  'quantity',
  'location',
  'status',
  'serial',
  'serial_numbers',
  'belongs_to',
  'build',
  'consumed_by',
  'customer',
  'is_building',
  'purchase_order',
  'sales_order',
  'use_pack_size',
]
