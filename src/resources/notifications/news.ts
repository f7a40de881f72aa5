import type { NotificationObject } from './notification.resource.ts'

/** Something that happened, as it was noted: `notice`. */
export type Notice = { pk: number; kind: string; model: string; target: number; actor: number | null }

/** What accounts are told of a notice. */
export type News = {
  category: string
  name: string
  message: string
  target: NotificationObject
  /** Who is told, as far as they are active. */
  accounts: readonly number[]
  /** What is told once for good has a name; without one the object's news of this category is told once a day. */
  occasion?: string
  /** It is told each time. */
  isRepeated?: boolean
}
