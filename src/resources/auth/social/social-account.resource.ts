import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { ownRows } from '../../user/own-rows.ts'
import { socialAccount as table } from './social-account.table.ts'

/** Only its owner sees it (decision 16). */
export const socialAccount = resource({
  path: '/api/auth/social/',
  name: 'Social account',
  description: 'An account at a provider of single sign-on that is linked to your own: whoever signs in there can sign in here.',
  model: 'socialaccount',
  table,
  access: signedIn,
  rows: ownRows,
  without: ['detail', 'create', 'update', 'delete'],
  fields: {
    id: f.pk(table.pk),
    provider: f.readonly(table.provider, { help: 'The provider, by its id in `/api/auth/providers/`.' }),
    uid: f.readonly(table.uid, { help: 'What the provider knows the account by.' }),
    last_login: f.readonly(table.last_login, { help: 'When somebody last signed in here with it.' }),
    date_joined: f.readonly(table.date_joined, { help: 'When it was linked.' }),
  },
})
