export const notifications = {
  'notifications.news': 'News',
  'notifications.none': 'No unread notifications',
  'notifications.nothing': 'You have not been told of anything',
  'notifications.read-all': 'Mark all as read',
  'notifications.some.one': '{count} unread notification',
  'notifications.some.other': '{count} unread notifications',
  'notifications.title': 'Notifications',
} as const
