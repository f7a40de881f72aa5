import { flag, type Setting } from './setting.ts'

/** A setting for one notification method. */
export type NotificationSetting = Setting & { method: string }

/** Settings of each account for the notification methods. */
export const notificationSettings: { readonly [key: string]: NotificationSetting } = {
  NOTIFICATION_METHOD_MAIL: {
    ...flag(true, 'Mail notifications', 'Notifications are also mailed to your primary address, once it is verified.'),
    method: 'mail',
  },
}
