import * as f from '../../../kit/definition/field.ts'
import { type Resource, resource } from '../../../kit/definition/resource.ts'
import { checkAccount } from '../../user/account-rules.ts'
import { nameFields, user, usernameField } from '../../user/user.resource.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** The fields of the caller's own account, under the rules for all accounts. */
export const ownAccount: Resource = resource({
  ...user,
  rules: checkAccount,
  path: '/api/auth/user/',
  name: 'Own account',
  description: 'The name and address of the caller.',
  fields: {
    pk: f.pk(userAccount.pk),
    username: usernameField(true),
    email: f.readonly(userAccount.email, {
      format: 'email',
      label: 'Email address',
      help: 'The primary email address of the account, once it is verified (`/api/auth/emails/`).',
    }),
    ...nameFields,
  },
})
