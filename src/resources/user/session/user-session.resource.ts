import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { endSession } from '../../auth/sessions.ts'
import { forgetAccounts } from '../forget-accounts.ts'
import { ownRows } from '../own-rows.ts'
import { recordEvent } from '../security-event/record-event.ts'
import { userSession } from './user-session.table.ts'

/** The browsers that are signed in as an account, for its owner alone (decision 16). To delete one signs that browser out. */
export const sessions = resource({
  path: '/api/user/session/',
  name: 'Session',
  model: 'usersession',
  table: userSession,
  access: signedIn,
  rows: ownRows,
  without: ['create', 'update'],
  fields: {
    pk: f.pk(userSession.pk),
    created: f.readonly(userSession.created, { order: true }),
    /** When it was last used, to the hour. */
    last_seen: f.readonly(userSession.last_seen, { order: true }),
    expires: f.readonly(userSession.expires, { order: true }),
    /** It has not expired. One that has is swept away with the next log-in. */
    active: f.computed(Type.Boolean(), '{expires} > now()', { type: 'boolean' }),
    address: f.readonly(userSession.address),
    user_agent: f.readonly(userSession.user_agent),
    second_factor: f.readonly(userSession.second_factor),
    /** The request that asks belongs to it. */
    in_use: f.computed(Type.Boolean(), '{pk} = {@session}', { type: 'boolean' }),
  },
  defaultOrder: ['-last_seen'],
  async deleting(deletion) {
    const { caller, row } = deletion
    forgetAccounts(deletion)
    await recordEvent(deletion, { kind: 'session_ended', user: caller.pk, details: { address: row.address } })
    // the browser that asks forgets its cookies too
    if (row.pk === caller.session) await endSession(deletion)
  },
})
