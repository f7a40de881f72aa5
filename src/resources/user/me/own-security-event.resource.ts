import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { ownRows } from '../own-rows.ts'
import { securityEvents } from '../security-event/security-event.resource.ts'

const { user: _, ...fields } = securityEvents.fields

/** The security events of the caller's own account (docs/decisions.md#security-events). */
export const ownSecurityEvents = resource({
  ...securityEvents,
  path: '/api/user/me/security-event/',
  name: 'Own security event',
  description:
    "A security event of the caller's own account: sign-ins, and changes of its tokens, password, addresses and permissions. Stored for a year.",
  // the first events of the demo workshop are those of its settings and templates
  example: { pk: 18 },
  access: signedIn,
  rows: ownRows,
  fields,
})
