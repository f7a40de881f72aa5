import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { staff } from '../../../kit/request/caller.ts'
import { securityEvent } from './security-event.table.ts'

/** Decision 42. */
export const securityEvents = resource({
  path: '/api/user/security-event/',
  name: 'Security event',
  description:
    "Something that happened to an account's ways in or rights: log-ins, good and bad, tokens, passwords, addresses, rights. Kept for a year; nobody writes or deletes one.",
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
      help: 'What happened, such as `sign_in`, `sign_in_failed` or `rights_changed`.',
    }),
    user: f.ref(securityEvent.user, {
      readonly: true,
      filter: true,
      model: 'user',
      address: '/api/user/',
      help: 'The account that it happened to; null for none, or one that is gone.',
    }),
    username: f.readonly(securityEvent.username, {
      search: true,
      order: true,
      help: 'The name of the account at that time, or the one that was tried.',
    }),
    actor: f.ref(securityEvent.actor, {
      readonly: true,
      filter: true,
      model: 'user',
      address: '/api/user/',
      help: 'Who did it: the account itself, or a superuser; null for nobody known, or one that is gone.',
    }),
    address: f.readonly(securityEvent.address, {
      filter: true,
      help: 'The network address that it came from; empty where it came from the machine of the service.',
    }),
    user_agent: f.readonly(securityEvent.user_agent, { help: 'What the client calls itself (`User-Agent`).' }),
    details: f.readonly(securityEvent.details, {
      help: 'Further facts, such as what a right was before and is now; never a secret.',
    }),
  },
  filters: {
    created_after: { kind: 'date', sql: '{created} >= {@value}', help: 'Those of this day (UTC) and of later ones.' },
    created_before: { kind: 'date', sql: '{created} < {@value} + 1', help: 'Those of this day (UTC) and of earlier ones.' },
  },
  defaultOrder: ['-created'],
})
