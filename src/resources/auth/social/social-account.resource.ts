import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { ownRows } from '../../user/own-rows.ts'
import { socialAccount as table } from './social-account.table.ts'

/** The accounts at providers of single sign-on that are linked to an account: only its owner sees them (decision 16). */
export const socialAccount = resource({
  path: '/api/auth/social/',
  name: 'Social account',
  model: 'socialaccount',
  table,
  access: signedIn,
  rows: ownRows,
  without: ['detail', 'create', 'update', 'delete'],
  fields: {
    id: f.pk(table.pk),
    provider: f.readonly(table.provider),
    uid: f.readonly(table.uid),
    last_login: f.readonly(table.last_login),
    date_joined: f.readonly(table.date_joined),
  },
})
