import type { notifications as words } from '../en/notifications.ts'

export const notifications: Record<keyof typeof words, string> = {
  'notifications.notifications': 'Neuigkeit',
  'notifications.none': 'Keine ungelesenen Mitteilungen',
  'notifications.empty': 'Dir wurde noch nichts mitgeteilt',
  'notifications.read-all': 'Alle als gelesen markieren',
  'notifications.some.one': '{count} ungelesene Mitteilung',
  'notifications.some.other': '{count} ungelesene Mitteilungen',
  'notifications.title': 'Mitteilungen',
}
