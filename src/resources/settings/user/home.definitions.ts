import { flag } from '../setting.ts'

/** The panels of the home page. */
export const homeSettings = {
  HOMEPAGE_HIDE_INACTIVE: flag(true, 'Hide inactive parts', 'The home page leaves out parts that are not active.'),
  HOMEPAGE_PART_STARRED: flag(true, 'Show subscribed parts', 'The home page shows the parts that you follow.'),
  HOMEPAGE_CATEGORY_STARRED: flag(true, 'Show subscribed categories', 'The home page shows the part categories that you follow.'),
  HOMEPAGE_PART_LATEST: flag(true, 'Show latest parts', 'The home page shows the newest parts.'),
  HOMEPAGE_BOM_REQUIRES_VALIDATION: flag(
    false,
    'Show invalid BOMs',
    'The home page shows assemblies whose bill of materials waits to be validated.',
  ),
  HOMEPAGE_STOCK_RECENT: flag(true, 'Show recent stock changes', 'The home page shows the stock items that were changed last.'),
  HOMEPAGE_STOCK_LOW: flag(true, 'Show low stock', 'The home page shows parts of which there is less than their minimum stock.'),
  HOMEPAGE_SHOW_STOCK_DEPLETED: flag(false, 'Show depleted stock', 'The home page shows parts of which nothing is left.'),
  HOMEPAGE_BUILD_STOCK_NEEDED: flag(false, 'Show needed stock', 'The home page shows parts that builds are waiting for.'),
  HOMEPAGE_STOCK_EXPIRED: flag(true, 'Show expired stock', 'The home page shows stock that has expired.'),
  HOMEPAGE_STOCK_STALE: flag(true, 'Show stale stock', 'The home page shows stock that expires soon.'),
  HOMEPAGE_BUILD_PENDING: flag(true, 'Show pending builds', 'The home page shows builds that are not complete.'),
  HOMEPAGE_BUILD_OVERDUE: flag(true, 'Show overdue builds', 'The home page shows builds that are late.'),
  HOMEPAGE_PO_OUTSTANDING: flag(true, 'Show outstanding POs', 'The home page shows purchase orders that are open.'),
  HOMEPAGE_PO_OVERDUE: flag(true, 'Show overdue POs', 'The home page shows purchase orders that are late.'),
  HOMEPAGE_SO_OUTSTANDING: flag(true, 'Show outstanding SOs', 'The home page shows sales orders that are open.'),
  HOMEPAGE_SO_OVERDUE: flag(true, 'Show overdue SOs', 'The home page shows sales orders that are late.'),
  HOMEPAGE_SO_SHIPMENTS_PENDING: flag(
    true,
    'Show pending SO shipments',
    'The home page shows shipments of sales orders that are still to be sent.',
  ),
  HOMEPAGE_NEWS: flag(false, 'Show News', 'The home page shows news.'),
}
