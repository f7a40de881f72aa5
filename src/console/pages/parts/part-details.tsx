import { formatWithUnit, t } from '../../kit/language/language.ts'
import { Badge } from '../../kit/page/page.tsx'
import type { Column } from '../../kit/table/column.ts'
import { AvailableQuantity, type Flaw } from '../stock/available-quantity.tsx'

/** A part, as returned by `/api/part/`. */
export type Part = {
  pk: number
  /** Its version, in lists requested with `etag=true`. */
  etag?: string
  name: string
  full_name: string
  IPN: string | null
  revision: string | null
  description: string
  category: number | null
  category_path?: { pk: number; name: string }[]
  category_detail?: { pk: number; name: string; pathstring: string } | null
  keywords: string | null
  link: string | null
  notes: string | null
  image: string | null
  thumbnail: string
  units: string | null
  minimum_stock: number
  locked: boolean
  testable: boolean
  default_location: number | null
  default_expiry: number
  active: boolean
  assembly: boolean
  component: boolean
  is_template: boolean
  purchaseable: boolean
  salable: boolean
  trackable: boolean
  virtual: boolean
  starred: boolean
  variant_of: number | null
  revision_of: number | null
  tags: string[]
  flawed_stock?: Flaw[]
  last_stocktake: string | null
  creation_date: string | null
  in_stock: number
  total_in_stock: number
  unallocated_stock: number
  variant_stock: number
  /** The outstanding quantity of issued purchase orders; requested with `incoming=true`. */
  incoming?: number
  building: number
  allocated_to_build_orders: number
  allocated_to_sales_orders: number
  allocated_to_transfer_orders: number
  required_for_build_orders: number
  required_for_sales_orders: number
  suppliers: number
}

/** The quantity of it and its variants in stock, with its unit. */
export const formatStock = (part: Part): string => formatWithUnit(part.total_in_stock, part.units)

/** Whether its stock is below the minimum. */
export const isLow = ({ minimum_stock, total_in_stock }: Pick<Part, 'minimum_stock' | 'total_in_stock'>): boolean =>
  minimum_stock > 0 && total_in_stock < minimum_stock

/** Badges for the status and the flags of a part, warnings first. */
export const PartBadges = ({ part }: { part: Part }) => (
  <span class="badges">
    {!part.active && <Badge tone="warn">{t('parts.inactive')}</Badge>}
    {part.locked && <Badge>{t('parts.locked')}</Badge>}
    {isLow(part) && <Badge tone="bad">{t('parts.low-stock')}</Badge>}
    {part.is_template && <Badge>{t('parts.template')}</Badge>}
    {part.assembly && <Badge>{t('parts.assembly')}</Badge>}
    {part.trackable && <Badge>{t('parts.trackable')}</Badge>}
    {part.virtual && <Badge>{t('parts.virtual')}</Badge>}
  </span>
)

/** Columns for the quantities of parts in stock and available. */
export const IN_STOCK_COLUMN: Column<Part> = {
  name: 'total_in_stock',
  title: () => t('parts.in-stock'),
  align: 'end',
  cell: (part) => <span class={isLow(part) ? 'low' : ''}>{formatStock(part)}</span>,
}
export const AVAILABLE_COLUMN: Column<Part> = {
  name: 'unallocated_stock',
  title: () => t('parts.available'),
  align: 'end',
  isWide: true,
  cell: ({ unallocated_stock, units, flawed_stock }) => (
    <AvailableQuantity units={units} flaws={flawed_stock}>
      {formatWithUnit(unallocated_stock, units)}
    </AvailableQuantity>
  ),
}

/** The fields of its forms, in order. The others are under "More". */
export const FIELDS = [
  'name',
  'IPN',
  'description',
  'category',
  'units',
  'minimum_stock',
  'default_location',
  'keywords',
  'tags',
  'link',
]

/** Fields that are edited elsewhere or computed. */
export const EXCLUDED_FIELDS = ['notes', 'image', 'remote_image', 'existing_image', 'starred', 'creation_user', 'last_stocktake']
