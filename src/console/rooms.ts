import type { ComponentType } from 'preact'
import type { PlainKey } from './kit/language/language.ts'
import { match } from './kit/navigation/router.ts'
import type { IconName } from './kit/page/icon.tsx'
import type { PageProperties } from './kit/page/page.tsx'
import { may } from './kit/service/session.ts'

/** A room of the console: some pages that belong together, which are loaded when one of them is first opened. */
export type Room = {
  /** Its pages, by the pattern of their address: `/company/:pk/`. They are those that the API gives as `url` and `web_url`. */
  pages: Record<string, () => Promise<ComponentType<PageProperties>>>
  /** Where it is in the navigation. Rooms without it are reached from others. */
  entry?: { title: PlainKey; to: string; icon: IconName; keys: string; isFor: () => boolean }
}

/**
 * All rooms, in the order of the navigation. To add one: its folder in `rooms/`, its words in `languages/en` and `languages/de`, and its lines
 * here.
 */
export const rooms: readonly Room[] = [
  {
    pages: { '/': async () => (await import('./rooms/home/home.tsx')).Home },
    entry: { title: 'home.name', to: '/', icon: 'home', keys: 'g h', isFor: () => true },
  },
  {
    pages: {
      '/scan/': async () => (await import('./rooms/scan/scan.tsx')).ScanPage,
      '/scan/:mode/': async () => (await import('./rooms/scan/scan.tsx')).ScanPage,
    },
    entry: { title: 'scan.title', to: '/scan/', icon: 'scan', keys: 'g b', isFor: () => true },
  },
  {
    pages: { '/notifications/': async () => (await import('./rooms/notifications/notifications.tsx')).Notifications },
  },
  {
    pages: {
      '/part/': async () => (await import('./rooms/parts/parts.tsx')).Parts,
      '/part/:pk/': async () => (await import('./rooms/parts/part.tsx')).PartPage,
      '/part/:pk/bom/': async () => (await import('./rooms/parts/bill/part-bill.tsx')).PartBill,
      '/part/:pk/used-in/': async () => (await import('./rooms/parts/bill/part-uses.tsx')).PartUses,
      '/part/:pk/variants/': async () => (await import('./rooms/parts/part-variants.tsx')).PartVariants,
      '/part/:pk/prices/': async () => (await import('./rooms/parts/part-prices.tsx')).PartPrices,
      '/supplier-part/:pk/': async () => (await import('./rooms/parts/supplier-part.tsx')).SupplierPartPage,
      '/manufacturer-part/:pk/': async () => (await import('./rooms/companies/manufacturer-part.tsx')).ManufacturerPartPage,
      '/part/category/:pk/': async () => (await import('./rooms/parts/category/category.tsx')).CategoryPage,
    },
    entry: { title: 'parts.title', to: '/part/', icon: 'chip', keys: 'g p', isFor: () => may('view', 'part') },
  },
  {
    pages: {
      '/stock/': async () => (await import('./rooms/stock/stock.tsx')).Stock,
      '/stock/item/:pk/': async () => (await import('./rooms/stock/stock-item.tsx')).StockItemPage,
    },
    entry: { title: 'stock.title', to: '/stock/?in_stock=true', icon: 'box', keys: 'g s', isFor: () => may('view', 'stock') },
  },
  {
    pages: {
      '/stock/location/': async () => (await import('./rooms/locations/locations.tsx')).Locations,
      '/stock/location/:pk/': async () => (await import('./rooms/locations/location.tsx')).LocationPage,
    },
    entry: {
      title: 'locations.title',
      to: '/stock/location/',
      icon: 'place',
      keys: 'g l',
      isFor: () => may('view', 'stock_location'),
    },
  },
  {
    pages: {
      '/build/': async () => (await import('./rooms/builds/builds.tsx')).Builds,
      '/build/:pk/': async () => (await import('./rooms/builds/build.tsx')).BuildPage,
    },
    entry: { title: 'builds.title', to: '/build/?active=true', icon: 'wrench', keys: 'g m', isFor: () => may('view', 'build') },
  },
  {
    pages: {
      '/stock/count/': async () => (await import('./rooms/count/choose-place.tsx')).ChoosePlace,
      '/stock/count/:pk/': async () => (await import('./rooms/count/count-sheet.tsx')).CountSheet,
    },
    entry: { title: 'count.title', to: '/stock/count/', icon: 'count', keys: 'g k', isFor: () => may('add', 'stock') },
  },
  {
    pages: {
      '/order/purchase-order/': async () => (await import('./rooms/purchase-orders/purchase-orders.tsx')).PurchaseOrders,
      '/order/purchase-order/:pk/': async () => (await import('./rooms/purchase-orders/purchase-order.tsx')).PurchaseOrderPage,
      '/order/purchase-order/:pk/receive/': async () => (await import('./rooms/purchase-orders/receive.tsx')).ReceivePage,
    },
    entry: {
      title: 'purchase.title',
      to: '/order/purchase-order/?outstanding=true',
      icon: 'cart',
      keys: 'g o',
      isFor: () => may('view', 'purchase_order'),
    },
  },
  {
    pages: {
      '/order/sales-order/': async () => (await import('./rooms/sales-orders/sales-orders.tsx')).SalesOrders,
      '/order/sales-order/:pk/': async () => (await import('./rooms/sales-orders/sales-order.tsx')).SalesOrderPage,
    },
    entry: {
      title: 'sales.title',
      to: '/order/sales-order/?outstanding=true',
      icon: 'truck',
      keys: 'g v',
      isFor: () => may('view', 'sales_order'),
    },
  },
  {
    pages: {
      '/order/return-order/': async () => (await import('./rooms/return-orders/return-orders.tsx')).ReturnOrders,
      '/order/return-order/:pk/': async () => (await import('./rooms/return-orders/return-order.tsx')).ReturnOrderPage,
    },
    entry: {
      title: 'returns.title',
      to: '/order/return-order/?outstanding=true',
      icon: 'undo',
      keys: 'g r',
      isFor: () => may('view', 'return_order'),
    },
  },
  {
    pages: {
      '/company/': async () => (await import('./rooms/companies/companies.tsx')).Companies,
      '/company/:pk/': async () => (await import('./rooms/companies/company.tsx')).CompanyPage,
    },
    entry: {
      title: 'companies.title',
      to: '/company/',
      icon: 'building',
      keys: 'g c',
      isFor: () => may('view', 'purchase_order', 'sales_order', 'return_order'),
    },
  },
]

/** The page of an address: how it is loaded, and what of the address it is given. */
export function pageAt(path: string) {
  for (const { pages } of rooms)
    for (const [pattern, load] of Object.entries(pages)) {
      const at = match(pattern, path)
      if (at) return { load, at }
    }
  return undefined
}
