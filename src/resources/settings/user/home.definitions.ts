import { flag } from '../setting.ts'

const panel = (initial: boolean, what: string) =>
  flag(initial, what, `Home page: ${what.charAt(0).toLowerCase()}${what.slice(1)}.`)

/** The panels of the home page. */
export const homeSettings = {
  HOMEPAGE_HIDE_INACTIVE: flag(true, 'Hide inactive parts', 'Home page: leave out parts that are not active.'),
  HOMEPAGE_PART_STARRED: panel(true, 'Subscribed parts'),
  HOMEPAGE_CATEGORY_STARRED: panel(true, 'Subscribed categories'),
  HOMEPAGE_PART_LATEST: panel(true, 'Newest parts'),
  HOMEPAGE_BOM_REQUIRES_VALIDATION: panel(false, 'Bills of materials to validate'),
  HOMEPAGE_STOCK_RECENT: panel(true, 'Stock changed lately'),
  HOMEPAGE_STOCK_LOW: panel(true, 'Low stock'),
  HOMEPAGE_SHOW_STOCK_DEPLETED: panel(false, 'Depleted stock'),
  HOMEPAGE_BUILD_STOCK_NEEDED: panel(false, 'Stock that builds wait for'),
  HOMEPAGE_STOCK_EXPIRED: panel(true, 'Expired stock'),
  HOMEPAGE_STOCK_STALE: panel(true, 'Stale stock'),
  HOMEPAGE_BUILD_PENDING: panel(true, 'Open builds'),
  HOMEPAGE_BUILD_OVERDUE: panel(true, 'Late builds'),
  HOMEPAGE_PO_OUTSTANDING: panel(true, 'Open purchase orders'),
  HOMEPAGE_PO_OVERDUE: panel(true, 'Late purchase orders'),
  HOMEPAGE_SO_OUTSTANDING: panel(true, 'Open sales orders'),
  HOMEPAGE_SO_OVERDUE: panel(true, 'Late sales orders'),
  HOMEPAGE_SO_SHIPMENTS_PENDING: panel(true, 'Shipments to send'),
  HOMEPAGE_NEWS: panel(false, 'News'),
}
