import { flag, type Setting } from './setting.ts'

/** A setting for one notification method, and for the notifications of one kind, or of all kinds. */
export type NotificationSetting = Setting & {
  method: string
  /** Categories of the notifications that it is about; without it, all. */
  categories?: RegExp
}

/** Whether notifications of some categories are emailed as well, while `NOTIFICATION_METHOD_MAIL` is on. */
const mailFlag = (name: string, description: string, categories: RegExp): NotificationSetting => ({
  ...flag(true, name, description),
  method: 'mail',
  categories,
})

/** Settings of each account for the notification methods. */
export const notificationSettings: { readonly [key: string]: NotificationSetting } = {
  NOTIFICATION_METHOD_MAIL: {
    ...flag(true, 'Mail notifications', 'Notifications are also emailed to your primary address, once it is verified.'),
    method: 'mail',
  },
  NOTIFICATION_MAIL_RESPONSIBLE: mailFlag(
    'Mail assigned orders',
    'Orders and build orders that are assigned to you, or canceled, are also mailed.',
    /^(order|build)\.(new|responsible|canceled)_/,
  ),
  NOTIFICATION_MAIL_RECEIVED: mailFlag(
    'Mail receipts',
    'Received goods and completed build orders are also mailed.',
    /\.items_received$|^build\.completed$/,
  ),
  NOTIFICATION_MAIL_OVERDUE: mailFlag(
    'Mail overdue orders',
    'Overdue orders and build orders are also mailed.',
    /^(order|build)\.overdue_/,
  ),
  NOTIFICATION_MAIL_LOW_STOCK: mailFlag(
    'Mail low stock',
    'Parts that are low on stock, and build orders that are short of stock, are also mailed.',
    /^part\.notify_low_stock$|^build\.stock_required$/,
  ),
  NOTIFICATION_MAIL_RELEASED: mailFlag(
    'Mail released allocations',
    'Allocations that a count released are also mailed.',
    /\.stock_released$/,
  ),
  NOTIFICATION_MAIL_TASKS: mailFlag(
    'Mail background work',
    'Failed prints, finished stocktake reports and errors of the service are also mailed.',
    /\.printing_failed$|^generate_stocktake_report$|^inventree\.error_log$/,
  ),
}
