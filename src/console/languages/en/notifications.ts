export const notifications = {
  'notifications.notifications': 'Notifications',
  'notifications.none': 'No unread notifications',
  'notifications.empty': 'No notifications yet',
  'notifications.read-all': 'Mark all as read',
  'notifications.some.one': '{count} unread notification',
  'notifications.some.other': '{count} unread notifications',
  'notifications.title': 'Notifications',
} as const
