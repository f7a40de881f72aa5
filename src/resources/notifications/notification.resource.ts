import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { ownRows } from '../user/own-rows.ts'
import { notification as table } from './notification.table.ts'

/** An object that a notification names. */
export type NotificationObject = {
  /** What people call it. */
  name: string
  /** Its kind, as existing clients know it: `purchaseorder`. */
  model: string
  pk: number
  /** Its page in interfaces that existing clients know. */
  link?: string
}

const objectSchema = Type.Union([
  Type.Object({
    name: Type.String({ description: 'What people call it.' }),
    model: Type.String({ description: 'Its kind, such as `purchaseorder`.' }),
    pk: Type.Integer({ description: 'Its primary key.' }),
    link: Type.Optional(Type.String({ description: 'Its page in interfaces that existing clients know.' })),
  }),
  Type.Null(),
])

const seconds = 'floor(extract(epoch from (now() - {creation})))::integer'

/** `3 hours ago`, in the largest unit of which there is one. */
const ago = `case ${(
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
    `when ${seconds} >= ${2 * length} then ${seconds} / ${length} || ' ${unit}s ago'`,
    `when ${seconds} >= ${length} then '1 ${unit} ago'`,
  ])
  .join(' ')} else 'just now' end`

/** For its owner alone (decision 16). */
export const notification = resource({
  path: '/api/notifications/',
  name: 'Notification',
  description:
    'Something that happened of which your own account is told: an order that it answers for, a part that it follows. Each account is told of the same news of an object once a day. After some days, which the setting `INVENTREE_DELETE_NOTIFICATIONS_DAYS` says, it is deleted.',
  remarks: {
    list: 'The oldest comes first, unless `ordering` says otherwise.',
    'bulk-delete': 'Only your own are deleted; keys of others are passed over.',
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
      help: 'The object that it is about, as it was called then; it may be gone meanwhile.',
    }),
    source: f.computed(objectSchema, '{source}', { help: 'The account that caused it; null where none did.' }),
    user: f.readonly(table.user, { help: 'The account that is told: your own.' }),
    category: f.readonly(table.category, {
      filter: true,
      order: true,
      help: 'The kind of news, such as `order.new_purchaseorder` or `part.notify_low_stock`.',
    }),
    name: f.readonly(table.name, { search: true, order: true, help: 'The news in a few words.' }),
    message: f.readonly(table.message, { search: true, help: 'The news in a sentence.' }),
    creation: f.readonly(table.creation, { order: true, help: 'When it was told.' }),
    age: f.computed(Type.Integer(), seconds, { help: 'How many seconds ago it was told.' }),
    age_human: f.computed(Type.String(), ago, { help: 'How long ago it was told, in words.' }),
    read: f.column(table.read, {
      // as the index of what is unread says it
      filter: { kind: 'boolean', sql: '{read}', otherwise: 'not {read}' },
      order: true,
      help: 'Whether you have read it.',
    }),
  },
})
