import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { ownRows } from '../user/own-rows.ts'
import { notification as table } from './notification.table.ts'

/** An object that a notification refers to. */
export type NotificationObject = {
  /** Its display name. */
  name: string
  /** Its type, as existing clients know it: `purchaseorder`. */
  model: string
  pk: number
  /** The path of its page in the web interface of existing clients. */
  link?: string
}

const objectSchema = Type.Union([
  Type.Object({
    name: Type.String({ description: 'The display name.' }),
    model: Type.String({ description: 'Its type, such as `purchaseorder`.' }),
    pk: Type.Integer({ description: 'Its primary key.' }),
    link: Type.Optional(Type.String({ description: 'Its page in interfaces that existing clients know.' })),
  }),
  Type.Null(),
])

const AGE_SECONDS = 'floor(extract(epoch from (now() - {creation})))::integer'

/** `3 hours ago`, in the largest unit that applies. */
const AGE_TEXT = `case ${(
  [
    ['year', 31_536_000],
    ['month', 2_592_000],
    ['week', 604_800],
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const
)
  .flatMap(([unit, length]) => [
    `when ${AGE_SECONDS} >= ${2 * length} then ${AGE_SECONDS} / ${length} || ' ${unit}s ago'`,
    `when ${AGE_SECONDS} >= ${length} then '1 ${unit} ago'`,
  ])
  .join(' ')} else 'just now' end`

/** Notifications are visible only to their recipient (docs/decisions.md#personal-records). */
export const notification = resource({
  path: '/api/notifications/',
  name: 'Notification',
  description:
    'A notification of the caller, about an order that it is responsible for or a part that it is subscribed to. Each account is notified of the same event of an object at most once a day. Notifications are deleted after the days of the setting `INVENTREE_DELETE_NOTIFICATIONS_DAYS`.',
  remarks: {
    list: 'Sorted by date, oldest first, unless `ordering` says otherwise.',
    'bulk-delete': 'Deletes only notifications of the caller; other keys are ignored.',
  },
  example: { pk: 16, change: { read: true }, replace: { read: false }, deletable: 17 },
  model: 'notificationmessage',
  table,
  access: signedIn,
  rows: ownRows,
  without: ['create'],
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    target: f.computed(objectSchema, '{target}', {
      help: 'The object of the notification, with its name at that time; it may have been deleted since.',
    }),
    source: f.computed(objectSchema, '{source}', { help: 'The account that caused it; null for none.' }),
    user: f.readonly(table.user, { api530: { metadata: { type: 'field' } }, help: 'The notified account: the caller.' }),
    category: f.readonly(table.category, {
      filter: true,
      order: true,
      help: 'The type of notification, such as `order.new_purchaseorder` or `part.notify_low_stock`.',
    }),
    name: f.readonly(table.name, { search: true, order: true, help: 'The title.' }),
    message: f.readonly(table.message, { search: true, api530: { metadata: { max_length: 250 } }, help: 'The message.' }),
    creation: f.readonly(table.creation, { order: true, help: 'When it was created.' }),
    age: f.computed(Type.Integer(), AGE_SECONDS, { api530: { metadata: { type: 'field' } }, help: 'Its age, in seconds.' }),
    age_human: f.computed(Type.String(), AGE_TEXT, { api530: { metadata: { type: 'field' } }, help: 'Its age, as text.' }),
    read: f.column(table.read, {
      // as in the index of unread notifications
      filter: { kind: 'boolean', sql: '{read}', whenFalse: 'not {read}' },
      order: true,
      api530: { metadata: { required: true } },
      help: 'Whether the caller has read it.',
    }),
  },
})
