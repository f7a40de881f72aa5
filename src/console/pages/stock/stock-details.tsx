import stock from 'facts:/api/stock/'
import { choiceLabel, date, quantity, t } from '../../kit/language/language.ts'
import { Badge } from '../../kit/page/page.tsx'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { isEnabled } from '../../kit/service/session.ts'

/** What `/api/stock/` has, with filters that are given as texts where they mean yes and no. */
export const facts: ResourceMetadata = {
  ...stock,
  filters: { ...stock.filters, expired: { kind: 'boolean' }, stale: { kind: 'boolean' } },
}

/** A stock item, as `/api/stock/` has it with its details. */
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

/** What is read along with stock items, so that they are shown by name. */
export const DETAILS = { part_detail: 'true', location_detail: 'true' }

/** How much of it there is, with the unit of its part. */
export const quantityOf = (item: Pick<StockItem, 'quantity' | 'part_detail'>): string =>
  quantity(item.quantity, item.part_detail?.units)

/** What tells it from others of its part: its serial number, else its batch. */
export const markOf = ({ serial, batch }: Pick<StockItem, 'serial' | 'batch'>): string =>
  serial ? `#${serial}` : batch ? t('stock.batch', { batch }) : ''

/** Its part, and what tells it from others of that. */
export const titleOf = (item: StockItem): string => [item.part_detail?.full_name ?? '', markOf(item)].filter(Boolean).join(' · ')

/** What a state is called; one that an administrator made is called what they called it. */
export const statusOf = ({ status, status_text }: Pick<StockItem, 'status' | 'status_text'>): string => {
  const word = choiceLabel(facts.path, 'status', status)
  return word === String(status) ? status_text : word
}

/** Whether an item is expired or soon will be; neither where the service does not keep expiry dates. */
export const expiryOf = ({ expired, stale }: Pick<StockItem, 'expired' | 'stale'>): 'expired' | 'stale' | undefined =>
  !isEnabled('STOCK_ENABLE_EXPIRY') ? undefined : expired ? 'expired' : stale ? 'stale' : undefined

/** The state of what is as it should be. */
export const OK = 10

/** The states in which an item can be in stock. */
const IN_STOCK = [OK, 50, 55, 85]

/** Where an item may be instead of here. */
type Whereabouts = Pick<StockItem, 'belongs_to' | 'customer' | 'sales_order' | 'consumed_by' | 'is_building'>

/** Whether it is in the house, in whatever state: not sold, installed, used up or still being made. */
export const isHere = ({ belongs_to, customer, sales_order, consumed_by, is_building }: Whereabouts): boolean =>
  belongs_to === null && customer === null && sales_order === null && consumed_by === null && !is_building

/** Whether it is in stock, as the service counts it. */
export const isInStock = (item: Whereabouts & Pick<StockItem, 'quantity' | 'status'>): boolean =>
  isHere(item) && item.quantity > 0 && IN_STOCK.includes(item.status)

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
 * The state of an item, and what else is to be known before somebody takes it.
 * @param isShort there is room for one: that it is in order goes without saying beside another
 */
export const States = ({ item, isShort = false }: { item: StockItem; isShort?: boolean }) => (
  <span class="badges">
    {!(isShort && item.status === OK && expiryOf(item)) && <Badge tone={TONES[item.status]}>{statusOf(item)}</Badge>}
    {expiryOf(item) === 'expired' && <Badge tone="bad">{t('stock.expired')}</Badge>}
    {expiryOf(item) === 'stale' && <Badge tone="warn">{t('stock.stale', { date: date(item.expiry_date) })}</Badge>}
    {item.is_building && <Badge tone="accent">{t('stock.in-production')}</Badge>}
    {item.belongs_to !== null && <Badge tone="accent">{t('stock.installed')}</Badge>}
    {(item.customer !== null || item.sales_order !== null) && <Badge tone="accent">{t('stock.sold')}</Badge>}
    {item.consumed_by !== null && <Badge tone="accent">{t('stock.used-up')}</Badge>}
  </span>
)

/** The fields of its forms, in their order. What is not here is under "More". */
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

/** Fields that have an action or a place of their own. */
export const SERVICE_PATHS = [
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
