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
