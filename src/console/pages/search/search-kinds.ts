import { WEB_PAGES } from '../../../web-pages.ts'
import { getSource } from '../../kit/form/reference.ts'
import type { PlainKey } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'

/** An object in search results: its fields depend on its kind. */
export type SearchHit = { pk: number } & Record<string, unknown>

/** A kind of objects that the search finds. */
export type SearchKind = {
  /** Plural title, such as "Parts". */
  title: PlainKey
  icon: IconName
  /** The parameters of its list. */
  parameters: Record<string, unknown>
  /** Its name, and details that distinguish it. */
  getTitle: (object: SearchHit) => string
  getDetail?: (object: SearchHit) => string
  /** URL of its picture. */
  picture?: (object: SearchHit) => string
  /** URL of an object's page, without its key. */
  page: string
  /** URL of the page that lists and searches all of them, if there is one. */
  list?: string
}

/** Names and describes an object as fields do. */
const describe = (kind: Parameters<typeof getSource>[0]): Pick<SearchKind, 'getTitle' | 'getDetail' | 'picture'> => {
  const { getTitle, getDetail, picture } = getSource(kind)
  return { getTitle, ...(getDetail ? { getDetail } : {}), ...(picture ? { picture } : {}) }
}

/** The kinds of objects, by their names in `POST /api/search/`, in the order of the results. */
export const SEARCH_KINDS = {
  part: {
    title: 'found.parts',
    icon: 'chip',
    parameters: {},
    ...describe('part'),
    page: WEB_PAGES['/api/part/'],
    list: '/part/',
  },
  stockitem: {
    title: 'found.stock-items',
    icon: 'box',
    parameters: { part_detail: true, location_detail: true },
    ...describe('stockItem'),
    page: WEB_PAGES['/api/stock/'],
    list: '/stock/',
  },
  stocklocation: {
    title: 'found.locations',
    icon: 'place',
    parameters: {},
    ...describe('location'),
    page: WEB_PAGES['/api/stock/location/'],
    list: '/stock/location/',
  },
  partcategory: {
    title: 'found.categories',
    icon: 'columns',
    parameters: {},
    ...describe('category'),
    page: WEB_PAGES['/api/part/category/'],
  },
  purchaseorder: {
    title: 'found.purchase-orders',
    icon: 'cart',
    parameters: { supplier_detail: true },
    ...describe('purchaseOrder'),
    page: WEB_PAGES['/api/order/po/'],
    list: '/order/purchase-order/',
  },
  salesorder: {
    title: 'found.sales-orders',
    icon: 'truck',
    parameters: { customer_detail: true },
    ...describe('salesOrder'),
    page: WEB_PAGES['/api/order/so/'],
    list: '/order/sales-order/',
  },
  returnorder: {
    title: 'found.return-orders',
    icon: 'undo',
    parameters: { customer_detail: true },
    // as those of sales orders
    ...describe('salesOrder'),
    page: WEB_PAGES['/api/order/ro/'],
    list: '/order/return-order/',
  },
  build: {
    title: 'found.builds',
    icon: 'wrench',
    parameters: { part_detail: true },
    ...describe('build'),
    page: WEB_PAGES['/api/build/'],
    list: '/build/',
  },
  company: {
    title: 'found.companies',
    icon: 'building',
    parameters: {},
    ...describe('company'),
    page: WEB_PAGES['/api/company/'],
    list: '/company/',
  },
  supplierpart: {
    title: 'found.supplier-parts',
    icon: 'cart',
    parameters: { supplier_detail: true, part_detail: true },
    ...describe('supplierPart'),
    page: WEB_PAGES['/api/company/part/'],
  },
  manufacturerpart: {
    title: 'found.manufacturer-parts',
    icon: 'building',
    parameters: { manufacturer_detail: true, part_detail: true },
    ...describe('manufacturerPart'),
    page: '/manufacturer-part/',
  },
} satisfies Record<string, SearchKind>
