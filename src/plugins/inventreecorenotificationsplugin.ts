import { definePlugin } from '../plugin-api/index.ts'

export default definePlugin({
  slug: 'inventreecorenotificationsplugin',
  name: 'InvenTreeCoreNotificationsPlugin',
  title: 'InvenTree Notifications',
  version: '1.0.0',
  description: 'Sends notifications by email.',
  author: 'Stockroom',
  settings: {
    ENABLE_NOTIFICATION_EMAILS: {
      type: 'boolean',
      default: false,
      name: 'Enable email notifications',
      description: 'Accounts are notified by email, unless they opt out.',
    },
    ENABLE_NOTIFICATION_SLACK: {
      type: 'boolean',
      default: false,
      name: 'Enable slack notifications',
      description: 'Stockroom does not send to Slack. The setting is only stored.',
    },
    NOTIFICATION_SLACK_URL: {
      type: 'string',
      default: '',
      protected: true,
      name: 'Slack incoming webhook url',
      description:
        'The webhook URL of a Slack channel. It is a secret, and never shown. Stockroom does not send to Slack. The setting is only stored.',
    },
  },
})
