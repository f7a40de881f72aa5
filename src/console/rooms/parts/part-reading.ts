import { type Page as ListPage, withQuery } from '../../kit/api.ts'
import { may } from '../../kit/session.ts'
import type { StockItem } from '../stock/stock-facts.tsx'
import type { Part } from './part-facts.tsx'

type PartBrief = { pk: number; full_name: string; units: string | null; thumbnail: string } | null

/** A line of a bill of materials, as `/api/bom/` has it. */
export type BomLine = {
  pk: number
  part: number
  part_detail: PartBrief
  sub_part: number
  sub_part_detail: PartBrief
  quantity: number
  reference: string
  optional: boolean
  consumable: boolean
  available_stock: number
  available_variant_stock: number
  available_substitute_stock: number
  etag?: string
}

/** A part as a supplier sells it, as `/api/company/part/` has it. */
export type SupplierPart = {
  pk: number
  SKU: string
  MPN: string | null
  supplier: number
  supplier_detail: { name: string } | null
  pack_quantity: string
  pack_quantity_native: number
  description: string | null
  link: string | null
  active: boolean
}

/** What some packs of a supplier part cost, each. */
export type PriceBreak = { pk: number; part: number; quantity: number; price: string | null; price_currency: string }

export type Parameter = { pk: number; template_detail: { name: string; units: string } | null; data: string; etag?: string }

/** A part that was bought: what a pack of it cost. */
export type OrderedLine = {
  pk: number
  purchase_price: string | null
  purchase_price_currency: string
  order_detail: { issue_date: string | null; creation_date: string | null } | null
  supplier_part_detail: { pack_quantity_native: number } | null
}

/** What the prices of a part are, by where they come from. */
export type Pricing = Record<
  `${'overall' | 'purchase_cost' | 'supplier_price' | 'bom_cost' | 'internal_cost' | 'sale_price'}_${'min' | 'max'}`,
  string | null
> & {
  currency: string
}

/** When something comes or goes. */
export type Scheduled = { date: string | null; quantity: number; title: string; label: string; url: string }

/** A count of everything that there was of a part on a day. */
export type StockTake = { pk: number; date: string; quantity: number }

/** All that the page of a part shows; what the account may not see is left out. */
export type ShownPart = {
  part: Part
  stock?: ListPage<StockItem>
  suppliers?: ListPage<SupplierPart>
  breaks?: ListPage<PriceBreak>
  bom: ListPage<BomLine>
  uses: ListPage<BomLine>
  parameters: ListPage<Parameter>
  pricing: Pricing
  stocktakes?: ListPage<StockTake>
  ordered?: ListPage<OrderedLine>
  scheduled: Scheduled[]
}

/** How many rows of each kind are shown; there is a way to all of them. */
export const MOST = 50

/** The addresses of all that the page of a part shows, which are read in one round trip. */
export function urlsOf(pk: string): { [Name in keyof ShownPart]: string } {
  const buys = may('view', 'purchase_order')
  return {
    part: withQuery(`/api/part/${pk}/`, { category_detail: true, path_detail: true }),
    bom: withQuery('/api/bom/', { part: pk, sub_part_detail: true, etag: true, limit: 500 }),
    uses: withQuery('/api/bom/', { uses: pk, part_detail: true, limit: MOST }),
    parameters: withQuery('/api/part/parameter/', { part: pk, template_detail: true, etag: true, limit: 200 }),
    pricing: `/api/part/${pk}/pricing/`,
    scheduled: `/api/part/${pk}/scheduling/`,
    suppliers: withQuery('/api/company/part/', { part: pk, supplier_detail: true, limit: MOST }),
    ...(may('view', 'stock')
      ? {
          stock: withQuery('/api/stock/', {
            part: pk,
            in_stock: true,
            part_detail: true,
            location_detail: true,
            ordering: 'location',
            limit: MOST,
          }),
        }
      : {}),
    ...(buys
      ? {
          breaks: withQuery('/api/company/price-break/', { base_part: pk, ordering: 'quantity', limit: 500 }),
          ordered: withQuery('/api/order/po-line/', {
            base_part: pk,
            has_pricing: true,
            order_detail: true,
            part_detail: true,
            limit: 500,
          }),
        }
      : {}),
    ...(may('view', 'stocktake')
      ? { stocktakes: withQuery('/api/part/stocktake/', { part: pk, ordering: 'date', limit: 1_000 }) }
      : {}),
  }
}
