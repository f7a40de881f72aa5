import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { endSession } from '../../auth/sessions.ts'
import { forgetAccounts } from '../forget-accounts.ts'
import { ownRows } from '../own-rows.ts'
import { recordEvent } from '../security-event/record-event.ts'
import { userSession } from './user-session.table.ts'

/** For its owner alone (decision 16). */
export const sessions = resource({
  path: '/api/user/session/',
  name: 'Session',
  description: 'A browser that is signed in to your own account.',
  remarks: { delete: 'The browser is signed out at once; if it is the one that asks, its cookies go, too.' },
  example: { pk: 1, deletable: 1 },
  model: 'usersession',
  table: userSession,
  access: signedIn,
  rows: ownRows,
  without: ['create', 'update'],
  fields: {
    pk: f.pk(userSession.pk),
    created: f.readonly(userSession.created, { order: true, help: 'When the browser signed in.' }),
    last_seen: f.readonly(userSession.last_seen, { order: true, help: 'When it was last used, to the hour.' }),
    expires: f.readonly(userSession.expires, { order: true, help: 'When it ends by itself.' }),
    active: f.computed(Type.Boolean(), '{expires} > now()', {
      type: 'boolean',
      help: 'Whether it has not expired. One that has is swept away with the next log-in.',
    }),
    address: f.readonly(userSession.address, { help: 'The network address that it was opened from.' }),
    user_agent: f.readonly(userSession.user_agent, { help: 'What the browser calls itself (`User-Agent`).' }),
    second_factor: f.readonly(userSession.second_factor, { help: 'Whether it was opened with the second factor.' }),
    in_use: f.computed(Type.Boolean(), '{pk} = {@session}', {
      type: 'boolean',
      help: 'Whether this very request belongs to it.',
    }),
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
