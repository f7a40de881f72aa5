import type { PlainKey } from '../../../kit/language/language.ts'

/** The kinds of notifications: the key of the setting that emails them, their name, and their explanation. */
export const NOTIFICATION_KINDS: readonly (readonly [key: string, name: PlainKey, about: PlainKey])[] = [
  ['NOTIFICATION_MAIL_RESPONSIBLE', 'account.notify.responsible', 'account.notify.responsible.about'],
  ['NOTIFICATION_MAIL_OVERDUE', 'account.notify.overdue', 'account.notify.overdue.about'],
  ['NOTIFICATION_MAIL_RECEIVED', 'account.notify.received', 'account.notify.received.about'],
  ['NOTIFICATION_MAIL_LOW_STOCK', 'account.notify.low-stock', 'account.notify.low-stock.about'],
  ['NOTIFICATION_MAIL_RELEASED', 'account.notify.released', 'account.notify.released.about'],
  ['NOTIFICATION_MAIL_TASKS', 'account.notify.tasks', 'account.notify.tasks.about'],
]
