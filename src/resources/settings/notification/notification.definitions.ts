import { flag, type Setting } from '../setting.ts'

/** A setting about one way of being notified. */
export type NotificationSetting = Setting & { method: string }

/** Every setting that each account has about the ways of being notified (decision 41). */
export const notificationSettings: { readonly [key: string]: NotificationSetting } = {
  NOTIFICATION_METHOD_MAIL: {
    ...flag(true, 'Mail notifications', 'Mail notifications to the address of this account'),
    method: 'mail',
  },
}
