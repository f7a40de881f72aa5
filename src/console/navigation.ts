import type { PlainKey } from './kit/language/language.ts'
import type { IconName } from './kit/page/icon.tsx'
import { hasPermission } from './kit/service/session.ts'

/** A feature in the navigation of the header, which the search finds as well. */
export type NavigationEntry = {
  title: PlainKey
  /** Other words that people search for. */
  synonyms: PlainKey
  /** The address that it opens, with its initial filters. */
  to: string
  icon: IconName
  /** The keys that open it. */
  keys: string
  /** Whether the account can use it. Others do not see it. */
  isFor: () => boolean
}

/** The entries of the navigation, in their order. Their pages are in `pages.ts`. */
export const navigationEntries: readonly NavigationEntry[] = [
  { title: 'home.name', synonyms: 'search.home.words', to: '/', icon: 'home', keys: 'g h', isFor: () => true },
  { title: 'scan.title', synonyms: 'search.scan.words', to: '/scan/', icon: 'scan', keys: 'g b', isFor: () => true },
  {
    title: 'parts.title',
    synonyms: 'search.parts.words',
    to: '/part/',
    icon: 'chip',
    keys: 'g p',
    isFor: () => hasPermission('view', 'part'),
  },
  {
    title: 'stock.title',
    synonyms: 'search.stock.words',
    to: '/stock/?in_stock=true',
    icon: 'box',
    keys: 'g s',
    isFor: () => hasPermission('view', 'stock'),
  },
  {
    title: 'locations.title',
    synonyms: 'search.locations.words',
    to: '/stock/location/',
    icon: 'place',
    keys: 'g l',
    isFor: () => hasPermission('view', 'stock_location'),
  },
  {
    title: 'builds.title',
    synonyms: 'search.builds.words',
    to: '/build/?active=true',
    icon: 'wrench',
    keys: 'g m',
    isFor: () => hasPermission('view', 'build'),
  },
  {
    title: 'count.title',
    synonyms: 'search.count.words',
    to: '/stock/count/',
    icon: 'count',
    keys: 'g k',
    isFor: () => hasPermission('add', 'stock'),
  },
  {
    title: 'purchase.title',
    synonyms: 'search.purchase.words',
    to: '/order/purchase-order/?outstanding=true',
    icon: 'cart',
    keys: 'g o',
    isFor: () => hasPermission('view', 'purchase_order'),
  },
  {
    title: 'sales.title',
    synonyms: 'search.sales.words',
    to: '/order/sales-order/?outstanding=true',
    icon: 'truck',
    keys: 'g v',
    isFor: () => hasPermission('view', 'sales_order'),
  },
  {
    title: 'returns.title',
    synonyms: 'search.returns.words',
    to: '/order/return-order/?outstanding=true',
    icon: 'undo',
    keys: 'g r',
    isFor: () => hasPermission('view', 'return_order'),
  },
  {
    title: 'companies.title',
    synonyms: 'search.companies.words',
    to: '/company/',
    icon: 'building',
    keys: 'g c',
    isFor: () => hasPermission('view', 'purchase_order', 'sales_order', 'return_order'),
  },
  {
    title: 'transfers.title',
    synonyms: 'search.transfers.words',
    to: '/order/transfer-order/?outstanding=true',
    icon: 'move',
    keys: 'g t',
    isFor: () => hasPermission('view', 'transfer_order'),
  },
  {
    title: 'calendar.title',
    synonyms: 'search.calendar.words',
    to: '/calendar/',
    icon: 'calendar',
    keys: 'g d',
    isFor: () => hasPermission('view', 'purchase_order', 'sales_order', 'return_order', 'transfer_order', 'build'),
  },
]
