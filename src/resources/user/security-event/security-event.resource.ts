import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { staff } from '../../../kit/request/caller.ts'
import { userBrief } from '../user.resource.ts'
import { securityEvent } from './security-event.table.ts'

/** Staff can read security events; no one can change them (docs/decisions.md#security-events). */
export const securityEvents = resource({
  path: '/api/user/security-event/',
  name: 'Security event',
  description:
    'A security event: successful and failed sign-ins, changes of tokens, passwords, addresses, accounts, permissions, global settings and templates. Stored for a year; events cannot be changed or deleted.',
  example: { pk: 1 },
  model: 'securityevent',
  table: securityEvent,
  access: staff,
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(securityEvent.pk),
    created: f.readonly(securityEvent.created, { order: true, help: 'When it happened.' }),
    kind: f.readonly(securityEvent.kind, {
      filter: true,
      order: true,
      help: 'The type of event, such as `sign_in`, `sign_in_failed` or `rights_changed`.',
    }),
    user: f.ref(securityEvent.user, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account; null for none, or a deleted one.',
    }),
    username: f.readonly(securityEvent.username, {
      search: true,
      order: true,
      help: 'The name of the account at that time, or the name that was tried.',
    }),
    actor: f.ref(securityEvent.actor, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that acted: the account itself, or a superuser; null if unknown or deleted.',
    }),
    actor_detail: f.nested(securityEvent.actor, userBrief, {
      flag: { name: 'actor_detail' },
      help: 'The account that acted.',
    }),
    address: f.readonly(securityEvent.address, {
      filter: true,
      help: 'The IP address of the client; empty for the machine of the service.',
    }),
    user_agent: f.readonly(securityEvent.user_agent, { help: 'The `User-Agent` of the client.' }),
    details: f.readonly(securityEvent.details, {
      help: 'Details, such as a value before and after the change; never a secret.',
    }),
  },
  filters: {
    created_after: { kind: 'date', sql: '{created} >= {@value}', help: 'Events on or after this day, in UTC.' },
    created_before: { kind: 'date', sql: '{created} < {@value} + 1', help: 'Events on or before this day, in UTC.' },
  },
  defaultOrder: ['-created'],
})
