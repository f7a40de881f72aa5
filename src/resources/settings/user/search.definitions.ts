import { flag, integer } from '../setting.ts'

const section = (initial: boolean, what: string) => flag(initial, `Search ${what}`, `The search panel finds ${what}.`)
const without = (initial: boolean, what: string) => flag(initial, `Leave out ${what}`, `The search panel leaves out ${what}.`)

/** The search panel. */
export const searchSettings = {
  SEARCH_PREVIEW_SHOW_PARTS: section(true, 'parts'),
  SEARCH_PREVIEW_SHOW_SUPPLIER_PARTS: section(true, 'supplier parts'),
  SEARCH_PREVIEW_SHOW_MANUFACTURER_PARTS: section(true, 'manufacturer parts'),
  SEARCH_HIDE_INACTIVE_PARTS: without(false, 'inactive parts'),
  SEARCH_PREVIEW_SHOW_CATEGORIES: section(false, 'categories'),
  SEARCH_PREVIEW_SHOW_STOCK: section(true, 'stock'),
  SEARCH_PREVIEW_HIDE_UNAVAILABLE_STOCK: without(false, 'stock that is not available'),
  SEARCH_PREVIEW_SHOW_LOCATIONS: section(false, 'locations'),
  SEARCH_PREVIEW_SHOW_COMPANIES: section(true, 'companies'),
  SEARCH_PREVIEW_SHOW_BUILD_ORDERS: section(true, 'build orders'),
  SEARCH_PREVIEW_SHOW_PURCHASE_ORDERS: section(true, 'purchase orders'),
  SEARCH_PREVIEW_EXCLUDE_INACTIVE_PURCHASE_ORDERS: without(true, 'closed purchase orders'),
  SEARCH_PREVIEW_SHOW_SALES_ORDERS: section(true, 'sales orders'),
  SEARCH_PREVIEW_EXCLUDE_INACTIVE_SALES_ORDERS: without(true, 'closed sales orders'),
  SEARCH_PREVIEW_SHOW_RETURN_ORDERS: section(true, 'return orders'),
  SEARCH_PREVIEW_EXCLUDE_INACTIVE_RETURN_ORDERS: without(true, 'closed return orders'),
  SEARCH_PREVIEW_RESULTS: integer(10, 'Hits', 'The search panel shows this many hits of each kind.', { min: 1 }),
  SEARCH_REGEX: flag(false, 'Regular expressions', 'Search terms are regular expressions.'),
  SEARCH_WHOLE: flag(false, 'Whole words', 'Search terms match whole words only.'),
}
