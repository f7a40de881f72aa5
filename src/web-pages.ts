/**
 * Pages of web interfaces that show an object, without its key, by the list URL of its kind: `/part/` and `12/`. Every page URL in API
 * responses is one of these, in both wire forms: web interfaces serve all of them.
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

/** Returns the page of one object; undefined for a kind that has none. */
export function webPage(path: Listed, pk: unknown): string
export function webPage(path: string, pk: unknown): string | undefined
export function webPage(path: string, pk: unknown): string | undefined {
  return Object.hasOwn(WEB_PAGES, path) ? `${WEB_PAGES[path as Listed]}${pk}/` : undefined
}

/** The same as SQL. @param key the SQL of the key */
export const webPageOf = (path: Listed, key = '{pk}'): string => `'${WEB_PAGES[path]}' || ${key} || '/'`
