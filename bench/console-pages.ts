import { readRoutes } from '../src/console/testing/routes.ts'
import type { DatasetSizes } from './full-scale-data.ts'
import { getLargestObjects } from './largest-data.ts'

/** A page of the console that is measured. */
export type MeasuredPage = {
  name: string
  path: string
  /** Selector of the content that appears once the page has loaded, where that is not a table and appears after the title. */
  readySelector?: string
  /** The keys that open it. */
  keys?: string
  /** Whether it has a table with very many rows. */
  isLong?: boolean
}

/** The list pages, and the longest lists sorted, searched and filtered as well. */
export const listPages = (): MeasuredPage[] => [
  { name: 'home', path: '/', keys: 'g h' },
  { name: 'parts', path: '/part/', keys: 'g p', isLong: true },
  { name: 'stock', path: '/stock/?in_stock=true', keys: 'g s', isLong: true },
  { name: 'locations', path: '/stock/location/', keys: 'g l', readySelector: '.tree li' },
  { name: 'builds', path: '/build/?active=true', keys: 'g m' },
  { name: 'locations to count', path: '/stock/count/', keys: 'g k' },
  { name: 'purchase orders', path: '/order/purchase-order/', keys: 'g o' },
  { name: 'sales orders', path: '/order/sales-order/', keys: 'g v' },
  { name: 'companies', path: '/company/', keys: 'g c' },
  { name: 'scan station', path: '/scan/', keys: 'g b' },
  { name: 'locations as a table', path: '/stock/location/?view=table' },
  { name: 'all stock', path: '/stock/', isLong: true },
  { name: 'stock by quantity', path: '/stock/?ordering=-stock' },
  { name: 'stock by last count', path: '/stock/?in_stock=true&ordering=-stocktake_date' },
  { name: 'stock by location', path: '/stock/?in_stock=true&ordering=location' },
  { name: 'stock by status', path: '/stock/?in_stock=true&ordering=status' },
  { name: 'stock by batch', path: '/stock/?in_stock=true&ordering=batch' },
  { name: 'stock with one status', path: '/stock/?status=50' },
  { name: 'stock of a category', path: '/stock/?in_stock=true&category=3' },
  { name: 'expired stock', path: '/stock/?in_stock=true&expired=true' },
  { name: 'stock, a rare word', path: '/stock/?search=004711' },
  { name: 'parts low in stock', path: '/part/?low_stock=true' },
  { name: 'parts by stock', path: '/part/?ordering=-total_in_stock' },
  { name: 'parts by available stock', path: '/part/?ordering=-unallocated_stock' },
  { name: 'parts by category', path: '/part/?ordering=category' },
  { name: 'parts of a category', path: '/part/?category=3' },
  { name: 'assemblies', path: '/part/?assembly=true' },
  { name: 'parts, a rare word', path: '/part/?search=004711' },
  { name: 'builds by date', path: '/build/?ordering=-target_date' },
  { name: 'outstanding purchase orders', path: '/order/purchase-order/?outstanding=true&ordering=target_date' },
  { name: 'outstanding sales orders', path: '/order/sales-order/?outstanding=true&ordering=target_date' },
]

/** The pages of the largest objects, and of typical ones. */
export function detailPages(sizes: DatasetSizes): MeasuredPage[] {
  const { part, location, purchaseOrder, salesOrder, assembly, build } = getLargestObjects(sizes)
  return [
    { name: 'a part', path: '/part/4711/' },
    { name: 'the part with most items', path: `/part/${part}/` },
    { name: 'a part with a BOM of 500 lines', path: `/part/${assembly}/` },
    { name: 'a supplier part', path: '/supplier-part/4711/' },
    { name: 'a category', path: '/part/category/1/' },
    { name: 'a stock item', path: '/stock/item/4711/' },
    { name: 'a location', path: '/stock/location/60/' },
    { name: 'the location with most items and child locations', path: `/stock/location/${location}/` },
    { name: 'a location being counted', path: '/stock/count/60/' },
    { name: 'the largest location being counted', path: `/stock/count/${location}/` },
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

/** What a page of the settings shows once its data has arrived: its title appears before that. */
const SETTINGS_CONTENT = '.settings-content > *, .settings-overview > *'

/**
 * Pages that are measured with the demo data: those of the settings that show no single object, so that a new one is measured by itself, and
 * the results of a search.
 */
export const demoPages = (): MeasuredPage[] => [
  ...readRoutes()
    .filter((pattern) => pattern.startsWith('/settings/') && !pattern.includes(':'))
    .map((path) => ({ name: `demo: ${path}`, path, readySelector: SETTINGS_CONTENT })),
  { name: 'demo: search results', path: '/search/?q=wren', readySelector: '.search-rows li' },
]
