export const notifications = {
  'notifications.news': 'Notifications',
  'notifications.none': 'No unread notifications',
  'notifications.nothing': 'No notifications yet',
  'notifications.read-all': 'Mark all as read',
  'notifications.some.one': '{count} unread notification',
  'notifications.some.other': '{count} unread notifications',
  'notifications.title': 'Notifications',
} as const
