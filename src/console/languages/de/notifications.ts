import type { notifications as words } from '../en/notifications.ts'

export const notifications: Record<keyof typeof words, string> = {
  'notifications.notifications': 'Benachrichtigungen',
  'notifications.none': 'Keine ungelesenen Benachrichtigungen',
  'notifications.empty': 'Noch keine Benachrichtigungen',
  'notifications.read-all': 'Alle als gelesen markieren',
  'notifications.some.one': '{count} ungelesene Benachrichtigung',
  'notifications.some.other': '{count} ungelesene Benachrichtigungen',
  'notifications.title': 'Benachrichtigungen',
}
