import { flag, text } from '../setting.ts'

/** The panels of the home page. */
export const homeSettings = {
  HOMEPAGE_HIDE_INACTIVE: flag(true, 'Hide inactive parts', 'The home page hides inactive parts.', { usedBy: 'clients' }),
  HOMEPAGE_PART_STARRED: flag(true, 'Show subscribed parts', 'The home page shows the parts that you are subscribed to.', {
    usedBy: 'clients',
  }),
  HOMEPAGE_CATEGORY_STARRED: flag(
    true,
    'Show subscribed categories',
    'The home page shows the part categories that you are subscribed to.',
    { usedBy: 'clients' },
  ),
  HOMEPAGE_PART_LATEST: flag(true, 'Show latest parts', 'The home page shows the newest parts.', { usedBy: 'clients' }),
  HOMEPAGE_BOM_REQUIRES_VALIDATION: flag(
    false,
    'Show invalid BOMs',
    'The home page shows assemblies whose BOM is not validated.',
    { usedBy: 'clients' },
  ),
  HOMEPAGE_STOCK_RECENT: flag(true, 'Show recent stock changes', 'The home page shows recently changed stock items.', {
    usedBy: 'clients',
  }),
  HOMEPAGE_STOCK_LOW: flag(true, 'Show low stock', 'The home page shows parts with low stock.', { usedBy: 'clients' }),
  HOMEPAGE_SHOW_STOCK_DEPLETED: flag(false, 'Show depleted stock', 'The home page shows parts that are out of stock.', {
    usedBy: 'clients',
  }),
  HOMEPAGE_BUILD_STOCK_NEEDED: flag(false, 'Show needed stock', 'The home page shows parts that builds are short of.', {
    usedBy: 'clients',
  }),
  HOMEPAGE_STOCK_EXPIRED: flag(true, 'Show expired stock', 'The home page shows stock that has expired.', { usedBy: 'clients' }),
  HOMEPAGE_STOCK_STALE: flag(true, 'Show stale stock', 'The home page shows stock that expires soon.', { usedBy: 'clients' }),
  HOMEPAGE_BUILD_PENDING: flag(true, 'Show pending builds', 'The home page shows builds that are not complete.', {
    usedBy: 'clients',
  }),
  HOMEPAGE_BUILD_OVERDUE: flag(true, 'Show overdue builds', 'The home page shows overdue builds.', { usedBy: 'clients' }),
  HOMEPAGE_PO_OUTSTANDING: flag(true, 'Show outstanding POs', 'The home page shows outstanding purchase orders.', {
    usedBy: 'clients',
  }),
  HOMEPAGE_PO_OVERDUE: flag(true, 'Show overdue POs', 'The home page shows overdue purchase orders.', { usedBy: 'clients' }),
  HOMEPAGE_SO_OUTSTANDING: flag(true, 'Show outstanding SOs', 'The home page shows outstanding sales orders.', {
    usedBy: 'clients',
  }),
  HOMEPAGE_SO_OVERDUE: flag(true, 'Show overdue SOs', 'The home page shows overdue sales orders.', { usedBy: 'clients' }),
  HOMEPAGE_SO_SHIPMENTS_PENDING: flag(
    true,
    'Show pending SO shipments',
    'The home page shows pending shipments of sales orders.',
    { usedBy: 'clients' },
  ),
  HOMEPAGE_HIDDEN_FIGURES: text(
    '',
    'Hidden figures',
    'Figures that the home page hides, separated by commas: value, overdue, low, builds, received, shipped.',
    { usedBy: 'console' },
  ),
  HOMEPAGE_NEWS: flag(false, 'Show News', 'The home page shows news.', { usedBy: 'clients' }),
}
