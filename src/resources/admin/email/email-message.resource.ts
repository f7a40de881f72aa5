import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { isoTimestamp } from '../../../kit/definition/field.ts'
import { orNull } from '../../../kit/definition/input.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { outgoingMail as table } from '../../email/outgoing-mail.table.ts'
import { mailLog } from '../../web/mail/mail-log.resource.ts'

/** SQL: the key of a mail as clients know it, derived from its own. @param pk SQL of the latter */
export const mailUuid = (pk: string): string => `md5('outgoing_mail ' || ${pk})::uuid::text`

const UUID = Type.String({ format: 'uuid' })
const nothing = (help: string) => f.computed(Type.Null(), 'null', { type: 'field', help })
const ERROR = `case when {state} in ('failed', 'unknown') then {error} end`

/** The log of mails as clients of API 353 know it; `/api/web/mail/` has more details. */
export const emailMessage = resource({
  path: '/api/admin/email/',
  name: 'Email message',
  description:
    'An email that the service sent, or could not send. Contents are not stored, as they may hold links that sign in. The newest 10,000 are stored, for 30 days.',
  model: 'emailmessage',
  table,
  access: superuser,
  without: ['detail', 'create', 'update', 'delete'],
  rows: mailLog.rows,
  fields: {
    pk: f.computed(UUID, mailUuid('{pk}'), { type: 'string', help: 'The key of the mail.' }),
    global_id: f.computed(UUID, mailUuid('{pk}'), { type: 'string', help: 'The same.' }),
    message_id_key: nothing('Nothing.'),
    thread_id_key: nothing('Nothing.'),
    thread: nothing('Nothing.'),
    subject: f.computed(Type.String(), `coalesce({notification.name}, {kind})`, {
      type: 'string',
      help: 'The title of a notification, else the kind of mail, such as `reset`.',
    }),
    body: f.computed(Type.String(), `''`, { type: 'string', help: 'Empty: contents are not stored.' }),
    to: f.computed(Type.String(), '{address}', { type: 'email', search: true, help: 'The address that it was sent to.' }),
    sender: f.computed(Type.String(), '{@sender}', { type: 'email', help: 'The address that the service sends from.' }),
    status: f.computed(
      Type.String({ enum: ['A', 'S', 'F'] }),
      `case {state} when 'sent' then 'S' when 'failed' then 'F' when 'unknown' then 'F' else 'A' end`,
      {
        type: 'choice',
        help: '`A`: it waits or is being sent; `S`: it was sent; `F`: it failed, or may not have arrived.',
      },
    ),
    timestamp: f.computed(Type.String({ format: 'date-time' }), isoTimestamp('{created}'), {
      type: 'datetime',
      help: 'When it was queued.',
    }),
    headers: nothing('Nothing.'),
    full_message: nothing('Nothing.'),
    direction: f.computed(Type.String(), `'O'`, { type: 'choice', help: '`O`: outgoing.' }),
    priority: f.computed(Type.Integer(), '3', { type: 'choice', help: '3: normal.' }),
    error_code: nothing('Nothing.'),
    error_message: f.computed(orNull(Type.String()), ERROR, { type: 'string', help: 'Why it failed; null if it did not.' }),
    error_timestamp: nothing('Nothing.'),
    delivery_options: nothing('Nothing.'),
  },
  parameters: { sender: ({ config }) => config.mailFrom ?? '' },
  search: ['{notification.name}'],
  order: {
    timestamp: ['{created}'],
    created: ['{created}'],
    subject: [`coalesce({notification.name}, {kind})`],
    to: ['{address}'],
    status: ['{state}'],
  },
  defaultOrder: ['-timestamp'],
})
