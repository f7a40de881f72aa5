import type { NotificationObject } from './notification.resource.ts'

/** A pending notification, as recorded in the table `notice`, possibly several times before its delivery. */
export type PendingNotification = {
  pk: number
  kind: string
  model: string
  target: number
  /** The accounts that caused it, each time, the last one last; null where none did. At least one entry. */
  actors: readonly (number | null)[]
}

/** SQL of the accounts of an owner: the account itself, or those of the group. */
export const selectOwnerAccounts = (owner: string): string =>
  `select w."user" from owner w where w.pk = ${owner} and w."user" is not null
   union select m."user" from owner w join user_group_member m on m."group" = w."group" where w.pk = ${owner}`

/** SQL of the accounts that subscribe to the part `part`: to itself, a template above it, its category or one above that. */
export const SELECT_SUBSCRIBERS = `select s."user" from part_star s where s.part = any(part.path)
  union select s."user" from part_category_star s join part_category c on c.pk = part.category where s.category = any(c.path)`

/** The notification to accounts that a pending notification results in. */
export type NotificationContent = {
  category: string
  name: string
  message: string
  target: NotificationObject
  /** The accounts to notify, if active. */
  accounts: readonly number[]
  /** Name of a notification that is sent only once; without it, each account is notified of the object at most once a day per category. */
  occasion?: string
  /** Whether it is sent every time. */
  isRepeated?: boolean
}

/** A type of object that can be overdue. */
export type OverdueKind = {
  model: string
  /** Its table, quoted. */
  table: string
  category: string
  /** SQL: the row `o` is open, and its target date has passed. */
  isOverdueSql: string
  /** Columns of the accounts and owners to notify, of which one must be set. */
  recipientColumns: readonly string[]
}
