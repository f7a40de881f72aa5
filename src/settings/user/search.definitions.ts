import { flag, integer } from '../setting.ts'

/** The search panel. */
export const searchSettings = {
  SEARCH_PREVIEW_SHOW_PARTS: flag(true, 'Search Parts', 'The search panel finds parts.', { usedBy: 'clients' }),
  SEARCH_PREVIEW_SHOW_SUPPLIER_PARTS: flag(true, 'Search Supplier Parts', 'The search panel finds supplier parts.', {
    usedBy: 'clients',
  }),
  SEARCH_PREVIEW_SHOW_MANUFACTURER_PARTS: flag(true, 'Search Manufacturer Parts', 'The search panel finds manufacturer parts.', {
    usedBy: 'clients',
  }),
  SEARCH_HIDE_INACTIVE_PARTS: flag(false, 'Hide Inactive Parts', 'The search panel hides inactive parts.', { usedBy: 'clients' }),
  SEARCH_PREVIEW_SHOW_CATEGORIES: flag(false, 'Search Categories', 'The search panel finds part categories.', {
    usedBy: 'clients',
  }),
  SEARCH_PREVIEW_SHOW_STOCK: flag(true, 'Search Stock', 'The search panel finds stock items.', { usedBy: 'clients' }),
  SEARCH_PREVIEW_HIDE_UNAVAILABLE_STOCK: flag(
    false,
    'Hide Unavailable Stock Items',
    'The search panel hides unavailable stock items.',
    { usedBy: 'clients' },
  ),
  SEARCH_PREVIEW_SHOW_LOCATIONS: flag(false, 'Search Locations', 'The search panel finds stock locations.', {
    usedBy: 'clients',
  }),
  SEARCH_PREVIEW_SHOW_COMPANIES: flag(true, 'Search Companies', 'The search panel finds companies.', { usedBy: 'clients' }),
  SEARCH_PREVIEW_SHOW_BUILD_ORDERS: flag(true, 'Search Build Orders', 'The search panel finds build orders.', {
    usedBy: 'clients',
  }),
  SEARCH_PREVIEW_SHOW_PURCHASE_ORDERS: flag(true, 'Search Purchase Orders', 'The search panel finds purchase orders.', {
    usedBy: 'clients',
  }),
  SEARCH_PREVIEW_EXCLUDE_INACTIVE_PURCHASE_ORDERS: flag(
    true,
    'Exclude Inactive Purchase Orders',
    'The search panel excludes closed purchase orders.',
    { usedBy: 'clients' },
  ),
  SEARCH_PREVIEW_SHOW_SALES_ORDERS: flag(true, 'Search Sales Orders', 'The search panel finds sales orders.', {
    usedBy: 'clients',
  }),
  SEARCH_PREVIEW_EXCLUDE_INACTIVE_SALES_ORDERS: flag(
    true,
    'Exclude Inactive Sales Orders',
    'The search panel excludes closed sales orders.',
    { usedBy: 'clients' },
  ),
  SEARCH_PREVIEW_SHOW_SALES_ORDER_SHIPMENTS: flag(
    true,
    'Search Sales Order Shipments',
    'The search panel finds shipments of sales orders.',
    { usedBy: 'clients' },
  ),
  SEARCH_PREVIEW_SHOW_RETURN_ORDERS: flag(true, 'Search Return Orders', 'The search panel finds return orders.', {
    usedBy: 'clients',
  }),
  SEARCH_PREVIEW_EXCLUDE_INACTIVE_RETURN_ORDERS: flag(
    true,
    'Exclude Inactive Return Orders',
    'The search panel excludes closed return orders.',
    { usedBy: 'clients' },
  ),
  SEARCH_PREVIEW_RESULTS: integer(10, 'Search Preview Results', 'The number of results of each type in the search panel.', {
    min: 1,
  }),
  SEARCH_REGEX: flag(false, 'Regex Search', 'The search panel treats its input as a regular expression.', { usedBy: 'clients' }),
  SEARCH_WHOLE: flag(false, 'Whole Word Search', 'The search panel finds whole words only.', { usedBy: 'clients' }),
  SEARCH_NOTES: flag(false, 'Search Notes', 'The search panel searches in notes as well.', { usedBy: 'clients' }),
  SEARCH_RESULTS_PREVIEW_PANEL: flag(
    false,
    'Search Results Preview Panel',
    'The web client of InvenTree opens search results in a panel next to them.',
    { usedBy: 'clients' },
  ),
}
