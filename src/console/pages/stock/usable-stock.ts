import { withQuery } from '../../kit/service/api.ts'
import { isEnabled } from '../../kit/service/session.ts'
import { getExpiry, OK_STATUS, type StockItem } from './stock-details.tsx'

/** Purposes that stock is used for, as in the names of settings. */
type StockUse = 'SALE' | 'BUILD'

const allowsExpired = (use: StockUse): boolean => isEnabled(`STOCK_ALLOW_EXPIRED_${use}`)

/** Whether a quantity of an item is proposed: its status is OK, and it is not expired unless the settings allow that. */
export const isUsable = (item: Pick<StockItem, 'status' | 'expired' | 'stale'>, use: StockUse): boolean =>
  item.status === OK_STATUS && (getExpiry(item) !== 'expired' || allowsExpired(use))

/** Maximum number of expired items shown, which are only shown so that no one wonders where they are. */
const MAX_EXPIRED_ITEMS = 10

/**
 * URLs of the available stock for a use, earliest expiry date first. If expired stock may not be used, it has a URL of its own, so that it
 * does not take the place of good stock.
 */
export function getUsableStockUrls(
  query: Record<string, string | number | undefined>,
  use: StockUse,
  limit: number,
): [string] | [string, string] {
  const available = {
    ...query,
    in_stock: true,
    available: true,
    part_detail: true,
    location_detail: true,
    ordering: 'expiry_date',
  }
  if (!isEnabled('STOCK_ENABLE_EXPIRY') || allowsExpired(use)) return [withQuery('/api/stock/', { ...available, limit })]
  return [
    withQuery('/api/stock/', { ...available, expired: false, limit }),
    withQuery('/api/stock/', { ...available, expired: true, limit: MAX_EXPIRED_ITEMS }),
  ]
}
