import { count, type Key, language, t } from '../../../kit/language/language.ts'

/** A number of minutes in the largest unit that it is a multiple of: `2 days`. */
export function formatInterval(minutes: number): string {
  if (minutes % 1_440 === 0) return count('operation.days', minutes / 1_440)
  return minutes % 60 === 0 ? count('operation.hours', minutes / 60) : count('operation.minutes', minutes)
}

/** Names of the queues of background tasks. */
const TASK_KEYS = {
  backup: 'task.backup',
  'currency-rates': 'task.currency-rates',
  demo: 'task.demo',
  housekeeping: 'task.housekeeping',
  machine: 'task.machine',
  mail: 'task.mail',
  news: 'task.news',
  'part-prices': 'task.part-prices',
  'plugin-schedule': 'task.plugin-schedule',
  print: 'task.print',
  'stock-verification': 'task.stock-verification',
  stocktake: 'task.stocktake',
} as const satisfies Record<string, Key>

/** The name of a task by its queue; the queue itself if the console does not know it, such as that of a plugin. */
export function getTaskName(queue: string): string {
  const key = (TASK_KEYS as Record<string, (typeof TASK_KEYS)[keyof typeof TASK_KEYS] | undefined>)[queue]
  return key ? t(key) : queue
}

/** The German text for a text of the service, which has placeholders or is in a table; the text itself in English and without a translation. */
export const inGerman = (translate: (text: string) => string, text: string): string =>
  language.value === 'de' ? translate(text) : text
