import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { endSession } from '../../auth/sessions.ts'
import { invalidateAccounts } from '../invalidate-accounts.ts'
import { ownRows } from '../own-rows.ts'
import { recordEvent } from '../security-event/record-event.ts'
import { userSession } from './user-session.table.ts'

/** Sessions are visible to their owner alone (docs/decisions.md#personal-records). */
export const sessions = resource({
  path: '/api/user/session/',
  name: 'Session',
  description: 'A browser session of the caller.',
  remarks: { delete: 'Signs the browser out immediately; if it is the session of the request, its cookies are deleted too.' },
  example: { pk: 1 },
  model: 'usersession',
  table: userSession,
  access: signedIn,
  rows: ownRows,
  without: ['create', 'update'],
  fields: {
    pk: f.pk(userSession.pk),
    created: f.readonly(userSession.created, { order: true, help: 'When it signed in.' }),
    last_seen: f.readonly(userSession.last_seen, { order: true, help: 'When it was last used, to the hour.' }),
    expires: f.readonly(userSession.expires, { order: true, help: 'When it expires.' }),
    active: f.computed(Type.Boolean(), '{expires} > now()', {
      type: 'boolean',
      help: 'Whether it has not expired. Expired sessions are deleted at the next sign-in.',
    }),
    address: f.readonly(userSession.address, { help: 'The IP address that opened it.' }),
    user_agent: f.readonly(userSession.user_agent, { help: 'The `User-Agent` of the browser.' }),
    second_factor: f.readonly(userSession.second_factor, { help: 'Whether it was opened with the second factor.' }),
    in_use: f.computed(Type.Boolean(), '{pk} = {@session}', {
      type: 'boolean',
      help: 'Whether it is the session of this request.',
    }),
  },
  defaultOrder: ['-last_seen'],
  async beforeDelete(deletion) {
    const { caller, row } = deletion
    invalidateAccounts(deletion)
    await recordEvent(deletion, {
      kind: 'session_ended',
      user: row.user as number,
      actor: caller.pk,
      details: { address: row.address },
    })
    // the requesting browser's cookies are cleared as well
    if (row.pk === caller.session) await endSession(deletion)
  },
})
