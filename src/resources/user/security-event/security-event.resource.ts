import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { staff } from '../../../kit/request/caller.ts'
import { securityEvent } from './security-event.table.ts'

/** What happened to accounts' ways in and rights: for staff to read, for nobody to write (decision 42). */
export const securityEvents = resource({
  path: '/api/user/security-event/',
  name: 'Security event',
  model: 'securityevent',
  table: securityEvent,
  access: staff,
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(securityEvent.pk),
    created: f.readonly(securityEvent.created, { order: true }),
    kind: f.readonly(securityEvent.kind, { filter: true, order: true }),
    user: f.ref(securityEvent.user, { readonly: true, filter: true, model: 'user', address: '/api/user/' }),
    username: f.readonly(securityEvent.username, { search: true, order: true }),
    actor: f.ref(securityEvent.actor, { readonly: true, filter: true, model: 'user', address: '/api/user/' }),
    address: f.readonly(securityEvent.address, { filter: true }),
    user_agent: f.readonly(securityEvent.user_agent),
    details: f.readonly(securityEvent.details),
  },
  filters: {
    created_after: { kind: 'date', sql: '{created} >= {@value}' },
    created_before: { kind: 'date', sql: '{created} < {@value} + 1' },
  },
  defaultOrder: ['-created'],
})
