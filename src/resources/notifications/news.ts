import type { NotificationObject } from './notification.resource.ts'

/** Something that happened, as it was noted in `notice`, perhaps several times before anybody looked. */
export type Notice = {
  pk: number
  kind: string
  model: string
  target: number
  /** Who did it, each time, the last one last; null where no account did. There is at least one. */
  actors: readonly (number | null)[]
}

/** SQL of the accounts behind an owner: the account itself, or those of the group. */
export const accountsOf = (owner: string): string =>
  `select w."user" from owner w where w.pk = ${owner} and w."user" is not null
   union select m."user" from owner w join user_group_member m on m."group" = w."group" where w.pk = ${owner}`

/** SQL of the accounts that follow the part `part`: itself, a template above it, its category or one above that. */
export const FOLLOWERS = `select s."user" from part_star s where s.part = any(part.path)
  union select s."user" from part_category_star s join part_category c on c.pk = part.category where s.category = any(c.path)`

/** What accounts are told of a notice. */
export type News = {
  category: string
  name: string
  message: string
  target: NotificationObject
  /** Who is told, as far as they are active. */
  accounts: readonly number[]
  /** What is told once for good has a name; without one each account is told of the object's news of this category once a day. */
  occasion?: string
  /** It is told each time. */
  isRepeated?: boolean
}

/** What may be overdue. */
export type Overdue = {
  model: string
  /** Its table, quoted. */
  table: string
  category: string
  /** SQL: the row `o` is open, and its day has passed. */
  isSo: string
  /** The columns of those who are told, of which one must name somebody. */
  people: readonly string[]
}
