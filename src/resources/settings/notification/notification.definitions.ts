import { flag, type Setting } from '../setting.ts'

/** A setting about one way of being notified. */
export type NotificationSetting = Setting & { method: string }

/** Every setting that each account has about the ways of being notified (decision 41). */
export const notificationSettings: { readonly [key: string]: NotificationSetting } = {
  NOTIFICATION_METHOD_MAIL: {
    ...flag(true, 'Mail notifications', 'Notifications are also mailed to your primary address, once it is verified.'),
    method: 'mail',
  },
}
