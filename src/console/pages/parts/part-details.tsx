import { quantity, t } from '../../kit/language/language.ts'
import { Badge } from '../../kit/page/page.tsx'
import type { Column } from '../../kit/table/column.ts'
import { type Flaw, Free } from '../stock/free.tsx'

/** A part, as `/api/part/` has it. */
export type Part = {
  pk: number
  /** Its version, in lists with `etag=true`. */
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
  tags: string[]
  flawed_stock?: Flaw[]
  last_stocktake: string | null
  creation_date: string | null
  in_stock: number
  total_in_stock: number
  unallocated_stock: number
  variant_stock: number
  /** Outstanding on purchase orders that were issued; with `incoming=true`. */
  incoming?: number
  building: number
  allocated_to_build_orders: number
  allocated_to_sales_orders: number
  required_for_build_orders: number
  required_for_sales_orders: number
  suppliers: number
}

/** How much there is of it and its variants, with its unit. */
export const stockOf = (part: Part): string => quantity(part.total_in_stock, part.units)

/** Whether there is less than there should be at least. */
export const isLow = ({ minimum_stock, total_in_stock }: Pick<Part, 'minimum_stock' | 'total_in_stock'>): boolean =>
  minimum_stock > 0 && total_in_stock < minimum_stock

/** What kind of part it is, and what is to be known first. */
export const Kinds = ({ part }: { part: Part }) => (
  <span class="badges">
    {!part.active && <Badge tone="warn">{t('parts.inactive')}</Badge>}
    {isLow(part) && <Badge tone="bad">{t('parts.low')}</Badge>}
    {part.is_template && <Badge>{t('parts.template')}</Badge>}
    {part.assembly && <Badge>{t('parts.assembly')}</Badge>}
    {part.trackable && <Badge>{t('parts.trackable')}</Badge>}
    {part.virtual && <Badge>{t('parts.virtual')}</Badge>}
  </span>
)

/** How much of parts there is, and is free, as columns. */
export const IN_STOCK: Column<Part> = {
  name: 'total_in_stock',
  title: () => t('parts.in-stock'),
  align: 'end',
  cell: (part) => <span class={isLow(part) ? 'low' : ''}>{stockOf(part)}</span>,
}
export const FREE: Column<Part> = {
  name: 'unallocated_stock',
  title: () => t('parts.free'),
  align: 'end',
  isWide: true,
  cell: ({ unallocated_stock, units, flawed_stock }) => (
    <Free units={units} flaws={flawed_stock}>
      {quantity(unallocated_stock, units)}
    </Free>
  ),
}

/** The fields of its forms, in their order. What is not here is under "More". */
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

/** Fields that have a place of their own, or are worked out. */
export const SERVICE_PATHS = ['notes', 'image', 'remote_image', 'existing_image', 'starred', 'creation_user', 'last_stocktake']
