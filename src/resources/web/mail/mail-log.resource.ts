import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { orNull } from '../../../kit/definition/input.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { outgoingMail as table } from '../../email/outgoing-mail.table.ts'

/** Other rows ask who has an address that anyone may have typed: each account that has it gets a row of its own. */
export const mailLog = resource({
  path: '/api/web/mail/',
  name: 'Sent email',
  description:
    'An email that the service sent to an account or as an invitation, or could not send: when, to whom, of which kind, and the result. Contents are not stored, as they may hold links that sign in. The newest 10,000 are stored, for 30 days.',
  example: { pk: 1, hasNoObject: true },
  model: 'outgoingmail',
  table,
  access: superuser,
  without: ['create', 'update', 'delete'],
  rows: () => ({ sql: '({user} is not null or {invitation} is not null)', values: [] }),
  fields: {
    pk: f.pk(table.pk),
    created: f.readonly(table.created, { order: true, help: 'When it was queued.' }),
    kind: f.readonly(table.kind, {
      filter: true,
      help: 'The kind of email, such as `verify`, `reset`, `notification` or `test`.',
    }),
    subject: f.computed(orNull(Type.String()), '{notification.name}', {
      help: 'The title of a notification; null for other kinds, and once the notification is deleted.',
    }),
    user: f.ref(table.user, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that it was sent to; null for an invitation.',
    }),
    username: f.computed(orNull(Type.String()), '{user.username}', {
      search: true,
      help: 'The name of the account; null for an invitation.',
    }),
    address: f.readonly(table.address, { search: true, help: 'The email address that it was sent to.' }),
    state: f.readonly(table.state, {
      help: '`queued`, `sending`, `sent`, `failed`, or `unknown` if it may or may not have arrived.',
    }),
    attempts: f.readonly(table.attempts, { help: 'The number of attempts.' }),
    error: f.readonly(table.error, {
      help: 'Why the last attempt failed; of a `sent` email the file that it was written to, without a mail server.',
    }),
    sent: f.readonly(table.sent, { help: 'When the mail server accepted it, or it was written to a file.' }),
  },
  filters: {
    failed: {
      kind: 'boolean',
      sql: `{state} in ('failed', 'unknown') or {error} is not null and {state} <> 'sent'`,
      help: 'Emails that did not arrive, may not have arrived, or have not been accepted yet after an attempt.',
    },
  },
  defaultOrder: ['-created'],
})
