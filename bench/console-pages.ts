import type { DatasetSizes } from './full-scale-data.ts'
import { largestObjectsOf } from './largest-data.ts'

/** A page of the console that is measured. */
export type MeasuredPage = {
  name: string
  path: string
  /** Selector of the content that shows once the page has loaded, where that is not a table and the title appears before it. */
  readySelector?: string
  /** The keys that open it. */
  keys?: string
  /** Whether it has a table with very many rows. */
  isLong?: boolean
}

/** The lists of each page, and the longest of them in other orders, searched and filtered. */
export const listPages = (): MeasuredPage[] => [
  { name: 'home', path: '/', keys: 'g h' },
  { name: 'parts', path: '/part/', keys: 'g p', isLong: true },
  { name: 'stock', path: '/stock/?in_stock=true', keys: 'g s', isLong: true },
  { name: 'locations', path: '/stock/location/', keys: 'g l', readySelector: '.tree li' },
  { name: 'builds', path: '/build/?active=true', keys: 'g m' },
  { name: 'places to count', path: '/stock/count/', keys: 'g k' },
  { name: 'purchase orders', path: '/order/purchase-order/', keys: 'g o' },
  { name: 'sales orders', path: '/order/sales-order/', keys: 'g v' },
  { name: 'companies', path: '/company/', keys: 'g c' },
  { name: 'scan station', path: '/scan/', keys: 'g b' },
  { name: 'locations as a table', path: '/stock/location/?view=table' },
  { name: 'stock, all of it', path: '/stock/', isLong: true },
  { name: 'stock by quantity', path: '/stock/?ordering=-stock' },
  { name: 'stock by what was counted', path: '/stock/?in_stock=true&ordering=-stocktake_date' },
  { name: 'stock by location', path: '/stock/?in_stock=true&ordering=location' },
  { name: 'stock by status', path: '/stock/?in_stock=true&ordering=status' },
  { name: 'stock by batch', path: '/stock/?in_stock=true&ordering=batch' },
  { name: 'stock of a state', path: '/stock/?status=50' },
  { name: 'stock of a category', path: '/stock/?in_stock=true&category=3' },
  { name: 'expired stock', path: '/stock/?in_stock=true&expired=true' },
  { name: 'stock, a rare word', path: '/stock/?search=004711' },
  { name: 'parts that run low', path: '/part/?low_stock=true' },
  { name: 'parts by stock', path: '/part/?ordering=-total_in_stock' },
  { name: 'parts by what is free', path: '/part/?ordering=-unallocated_stock' },
  { name: 'parts by category', path: '/part/?ordering=category' },
  { name: 'parts of a category', path: '/part/?category=3' },
  { name: 'assemblies', path: '/part/?assembly=true' },
  { name: 'parts, a rare word', path: '/part/?search=004711' },
  { name: 'builds by date', path: '/build/?ordering=-target_date' },
  { name: 'purchase orders that are out', path: '/order/purchase-order/?outstanding=true&ordering=target_date' },
  { name: 'sales orders that are out', path: '/order/sales-order/?outstanding=true&ordering=target_date' },
]

/** The pages of the largest objects, and of typical ones. */
export function detailPages(sizes: DatasetSizes): MeasuredPage[] {
  const { part, location, purchaseOrder, salesOrder, assembly, build } = largestObjectsOf(sizes)
  return [
    { name: 'a part', path: '/part/4711/' },
    { name: 'the part with most items', path: `/part/${part}/` },
    { name: 'a part with a bill of 500 lines', path: `/part/${assembly}/` },
    { name: 'a supplier part', path: '/supplier-part/4711/' },
    { name: 'a category', path: '/part/category/1/' },
    { name: 'a stock item', path: '/stock/item/4711/' },
    { name: 'a place', path: '/stock/location/60/' },
    { name: 'the place with most items and places', path: `/stock/location/${location}/` },
    { name: 'a place being counted', path: '/stock/count/60/' },
    { name: 'the fattest place being counted', path: `/stock/count/${location}/` },
    { name: 'a build order', path: '/build/20/' },
    { name: 'a build order of 500 lines', path: `/build/${build}/` },
    { name: 'a purchase order', path: '/order/purchase-order/50/' },
    { name: 'a purchase order of 1,000 lines', path: `/order/purchase-order/${purchaseOrder}/` },
    { name: 'receiving 1,000 lines', path: `/order/purchase-order/${purchaseOrder}/receive/` },
    { name: 'a sales order', path: '/order/sales-order/50/' },
    { name: 'a sales order of 1,000 lines', path: `/order/sales-order/${salesOrder}/` },
    { name: 'a company', path: '/company/1/' },
  ]
}
