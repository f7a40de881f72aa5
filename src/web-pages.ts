/**
 * Pages of web interfaces that show an object, without its key, by the list URL of its kind: `/part/` and `12/`. Every page URL in API
 * responses is one of these, or that of the print jobs, in both wire forms: web interfaces serve all of them.
 */
export const WEB_PAGES = {
  '/api/build/': '/build/',
  '/api/company/': '/company/',
  '/api/company/part/': '/supplier-part/',
  '/api/order/po/': '/order/purchase-order/',
  '/api/order/ro/': '/order/return-order/',
  '/api/order/so/': '/order/sales-order/',
  '/api/order/transfer-order/': '/order/transfer-order/',
  '/api/part/': '/part/',
  '/api/part/category/': '/part/category/',
  '/api/stock/': '/stock/item/',
  '/api/stock/location/': '/stock/location/',
} as const

/** Page with all print jobs of an account. */
export const PRINT_JOBS_PAGE = '/settings/print-jobs/'

type ListUrl = keyof typeof WEB_PAGES

/** Returns the page of one object; undefined for a kind that has none. */
export function getWebPage(path: ListUrl, pk: unknown): string
export function getWebPage(path: string, pk: unknown): string | undefined
export function getWebPage(path: string, pk: unknown): string | undefined {
  return Object.hasOwn(WEB_PAGES, path) ? `${WEB_PAGES[path as ListUrl]}${pk}/` : undefined
}

/** Builds the SQL of the page of an object. @param key the SQL of the key */
export const webPageSql = (path: ListUrl, key = '{pk}'): string => `'${WEB_PAGES[path]}' || ${key} || '/'`
