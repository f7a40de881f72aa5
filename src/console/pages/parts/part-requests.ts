import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import type { ParameterTemplate } from '../../kit/table/parameter-query.ts'
import type { Flaw } from '../stock/available-quantity.tsx'
import type { StockItem } from '../stock/stock-details.tsx'
import type { Part } from './part-details.tsx'
import { getPartFrameUrls, type PartFrameData } from './part-frame.tsx'

type PartBrief = { pk: number; full_name: string; units: string | null; thumbnail: string; active: boolean } | null

/** A substitute for a component. */
export type Substitute = { pk: number; part: number; part_detail: { full_name: string } | null }

/** A BOM line, as returned by `/api/bom/`. */
export type BomLine = {
  pk: number
  part: number
  part_detail: PartBrief
  sub_part: number
  sub_part_detail: PartBrief
  quantity: number
  reference: string
  overage: string
  setup_quantity: number
  attrition: number
  rounding_multiple: number | null
  note: string
  optional: boolean
  consumable: boolean
  inherited: boolean
  allow_variants: boolean
  validated: boolean
  substitutes: Substitute[]
  available_stock: number
  flawed_stock?: Flaw[]
  available_variant_stock: number
  available_substitute_stock: number
  pricing_min_total: string | null
  pricing_max_total: string | null
  etag?: string
}

/** A supplier part, as returned by `/api/company/part/`. */
export type SupplierPart = {
  pk: number
  SKU: string
  manufacturer_part: number | null
  MPN: string | null
  supplier: number
  supplier_detail: { name: string } | null
  pack_quantity: string
  pack_quantity_native: number
  description: string | null
  link: string | null
  active: boolean
}

/** A price break: the price of one pack of a supplier part, or of one unit of a part, from some quantity on. */
export type PriceBreak = {
  pk: number
  etag?: string
  part: number
  quantity: number
  price: string | null
  price_currency: string
}

/** A parameter with its value for a part. */
export type Parameter = {
  pk: number
  etag?: string
  template: number
  template_detail: ParameterTemplate | null
  data: string
  data_numeric: number | null
}

/** A purchase or sale of a part: its date and price. */
export type PurchasedLine = {
  pk: number
  purchase_price: string | null
  purchase_price_currency: string
  order_detail: { issue_date: string | null; creation_date: string | null } | null
  supplier_part_detail: { pack_quantity_native: number } | null
}
export type SoldLine = {
  pk: number
  sale_price: string | null
  sale_price_currency: string
  order_detail: { issue_date?: string | null; creation_date: string | null } | null
}

/** A source of the prices of a part. */
export type PriceSource =
  | 'overall'
  | 'override'
  | 'purchase_cost'
  | 'supplier_price'
  | 'bom_cost'
  | 'internal_cost'
  | 'variant_cost'
  | 'sale_price'
  | 'sale_history'

/** The prices of a part, by source. */
export type Pricing = Record<`${PriceSource}_${'min' | 'max'}`, string | null> & {
  currency: string
  override_min_currency: string
  override_max_currency: string
  updated: string | null
  scheduled_for_update: boolean
}

/** An incoming or outgoing quantity and its date. */
export type ScheduledChange = {
  date: string | null
  quantity: number
  /** An additional outgoing quantity: required by a build order and not allocated. */
  speculative_quantity: number
  title: string
  label: string
  url: string
}

/** A count of all stock of a part on one day, and its value. */
export type Stocktake = {
  pk: number
  etag?: string
  date: string
  quantity: number
  cost_min: string | null
  cost_min_currency: string
  cost_max: string | null
  cost_max_currency: string
  note: string
}

/** Two related parts. */
export type RelatedParts = { pk: number; part_1: number; part_1_detail: Part | null; part_2: number; part_2_detail: Part | null }

/** A test that stock of a part must pass. */
export type TestTemplate = {
  pk: number
  etag?: string
  part: number
  test_name: string
  description: string | null
  required: boolean
  enabled: boolean
  requires_value: boolean
  requires_attachment: boolean
  results: number
}

/** The data on the first page of a part; the account sees only what it may view. */
export type PartPageData = PartFrameData & {
  stock?: ListPage<StockItem>
  suppliers?: ListPage<SupplierPart>
  breaks?: ListPage<PriceBreak>
  parameters: ListPage<Parameter>
  pricing: Pricing
  /** Newest first. */
  stocktakes?: ListPage<Stocktake>
  scheduled: ScheduledChange[]
  related: ListPage<RelatedParts>
  tests: ListPage<TestTemplate>
}

/** Maximum number of rows of each kind shown; where there are more, the page says so and links to all of them. */
export const MAX_ROWS = 50

/** The URLs of the data on the first page of a part, read in one round trip. */
export function getPartUrls(pk: string): { [Name in keyof PartPageData]: string } {
  return {
    ...getPartFrameUrls(pk),
    parameters: withQuery('/api/part/parameter/', { part: pk, template_detail: true, etag: true, limit: 500 }),
    pricing: `/api/part/${pk}/pricing/`,
    scheduled: `/api/part/${pk}/scheduling/`,
    suppliers: withQuery('/api/company/part/', { part: pk, supplier_detail: true, limit: MAX_ROWS }),
    related: withQuery('/api/part/related/', { part: pk, limit: 200 }),
    tests: withQuery('/api/part/test-template/', { part: pk, include_inherited: true, etag: true, limit: 500 }),
    ...(hasPermission('view', 'stock')
      ? {
          stock: withQuery('/api/stock/', {
            part: pk,
            in_stock: true,
            part_detail: true,
            location_detail: true,
            ordering: 'location',
            limit: MAX_ROWS,
          }),
        }
      : {}),
    ...(hasPermission('view', 'purchase_order')
      ? { breaks: withQuery('/api/company/price-break/', { base_part: pk, ordering: 'quantity', limit: 500 }) }
      : {}),
    ...(hasPermission('view', 'stocktake')
      ? { stocktakes: withQuery('/api/part/stocktake/', { part: pk, ordering: '-date', etag: true, limit: 1_000 }) }
      : {}),
  }
}
