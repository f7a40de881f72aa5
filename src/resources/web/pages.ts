/**
 * The page of a web interface that shows an object, without its key, by the address of the kind: `/part/` and `12/`. Every page that the
 * interface names is one of these, in both forms: a web interface answers under all of them.
 */
export const WEB_PAGES = {
  '/api/build/': '/build/',
  '/api/company/': '/company/',
  '/api/company/part/': '/supplier-part/',
  '/api/order/po/': '/order/purchase-order/',
  '/api/order/ro/': '/order/return-order/',
  '/api/order/so/': '/order/sales-order/',
  '/api/part/': '/part/',
  '/api/part/category/': '/part/category/',
  '/api/stock/': '/stock/item/',
  '/api/stock/location/': '/stock/location/',
} as const

type Listed = keyof typeof WEB_PAGES

/** The page of one object; undefined for a kind that has none. */
export function webPage(path: Listed, pk: unknown): string
export function webPage(path: string, pk: unknown): string | undefined
export function webPage(path: string, pk: unknown): string | undefined {
  return Object.hasOwn(WEB_PAGES, path) ? `${WEB_PAGES[path as Listed]}${pk}/` : undefined
}

/** The same as SQL. @param key the SQL of the key */
export const webPageOf = (path: Listed, key = '{pk}'): string => `'${WEB_PAGES[path]}' || ${key} || '/'`
