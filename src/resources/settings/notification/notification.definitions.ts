import { flag, type Setting } from '../setting.ts'

/** A setting about one way of being notified. */
export type NotificationSetting = Setting & { method: string }

/** Every setting that each account has about the ways of being notified (decision 41). */
export const notificationSettings: { readonly [key: string]: NotificationSetting } = {
  NOTIFICATION_METHOD_MAIL: {
    ...flag(
      true,
      'Mail notifications',
      'What you are notified of is mailed to your primary address, too, once that is verified.',
    ),
    method: 'mail',
  },
}
