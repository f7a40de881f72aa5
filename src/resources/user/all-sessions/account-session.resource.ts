import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { requireStillSuperuser } from '../recheck-superuser.ts'
import { sessions } from '../session/user-session.resource.ts'
import { userSession } from '../session/user-session.table.ts'

/** The sessions of all accounts, for superusers, who can end them (docs/decisions.md#personal-records). */
export const accountSessions = resource({
  ...sessions,
  path: '/api/user/all-sessions/',
  name: 'Session of an account',
  description: 'A browser session of any account.',
  remarks: { delete: 'Signs the browser out immediately.' },
  model: 'accountsession',
  access: superuser,
  rows: undefined,
  fields: {
    ...sessions.fields,
    user: f.ref(userSession.user, {
      readonly: true,
      filter: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that is signed in.',
    }),
  },
  async beforeDelete(deletion) {
    await requireStillSuperuser(deletion)
    await sessions.beforeDelete?.(deletion)
  },
})
