import * as input from '../../kit/definition/input.ts'
import type { Services } from '../../kit/services/services.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { setting } from '../../settings/live.ts'
import type { LockedItem } from './movement/locked-items.ts'
import { stockErrors } from './stock-errors.ts'
import { STOCK_STATUS } from './stock-status.ts'

/** The settings that allow expired stock, by what the stock is used for. */
const ALLOWING_SETTINGS = { sale: 'STOCK_ALLOW_EXPIRED_SALE', build: 'STOCK_ALLOW_EXPIRED_BUILD' } as const

/** Purposes that stock is used for. */
export type StockUse = keyof typeof ALLOWING_SETTINGS

type Settings = Pick<Services, 'settings'>

/** Whether the settings forbid expired stock for a use. While STOCK_ENABLE_EXPIRY is off, expiry dates are ignored. */
export const forbidsExpired = (services: Settings, use: StockUse): boolean =>
  setting(services, 'STOCK_ENABLE_EXPIRY') && !setting(services, ALLOWING_SETTINGS[use])

/** Whether the expiry date of an item has passed; days are in UTC, as in the list of stock items. */
const isExpired = ({ expiry_date }: Pick<LockedItem, 'expiry_date'>): boolean =>
  expiry_date !== null && expiry_date < new Date().toISOString().slice(0, 10)

/**
 * Whether the service may select an item by itself: only with the status OK, as someone has to look at stock that is damaged, was returned
 * or needs attention, and not expired, unless the settings allow that.
 */
export const isUsable = (services: Settings, item: Pick<LockedItem, 'status' | 'expiry_date'>, use: StockUse): boolean =>
  item.status === STOCK_STATUS.OK.key && !(isExpired(item) && forbidsExpired(services, use))

/** Returns the error of allocating an expired item by hand with `check_expiry`; undefined if it is not expired, or the settings allow it. */
export const findExpiryError = (
  services: Settings,
  item: Pick<LockedItem, 'expiry_date'>,
  use: StockUse,
): ErrorMessage | undefined => (isExpired(item) && forbidsExpired(services, use) ? stockErrors.stock_item_expired : undefined)

const HELP: Record<StockUse, string> = {
  sale: 'Whether to reject expired stock, unless the settings allow selling it.',
  build: 'Whether to reject expired stock, unless the settings allow using it in builds.',
}

/** The field with which a client has expired stock rejected: the settings alone do not reject it, as they are hints for clients. */
export const checkExpiryInput = (use: StockUse) =>
  input.boolean({
    default: false,
    help: HELP[use],
  })
