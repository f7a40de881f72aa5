import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { ownRows } from '../../user/own-rows.ts'
import { socialAccount as table } from './social-account.table.ts'

/** Only its owner sees it (docs/decisions.md#personal-records). */
export const socialAccount = resource({
  path: '/api/auth/social/',
  name: 'Social account',
  description: "An account at a single sign-on provider that is linked to the caller's account and can be used to sign in.",
  model: 'socialaccount',
  table,
  access: signedIn,
  rows: ownRows,
  without: ['detail', 'create', 'update', 'delete'],
  fields: {
    id: f.pk(table.pk),
    provider: f.readonly(table.provider, { help: 'The provider, by its id in `/api/auth/providers/`.' }),
    uid: f.readonly(table.uid, { help: 'The id of the account at the provider.' }),
    last_login: f.readonly(table.last_login, { help: 'The last sign-in with it.' }),
    date_joined: f.readonly(table.date_joined, { help: 'When it was linked.' }),
  },
})
