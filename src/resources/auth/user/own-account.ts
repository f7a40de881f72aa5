import * as f from '../../../kit/definition/field.ts'
import { type Resource, resource } from '../../../kit/definition/resource.ts'
import { checkAccount } from '../../user/account-rules.ts'
import { user } from '../../user/user.resource.ts'
import { userAccount } from '../../user/user-account.table.ts'
import { username } from '../registration/username-rules.ts'

/**
 * What an account may see and change of itself, under the rules for all accounts. Its address follows the primary one of its
 * addresses (decision 26).
 */
export const ownAccount: Resource = resource({
  ...user,
  rules: checkAccount,
  path: '/api/auth/user/',
  name: 'Own account',
  fields: {
    pk: f.pk(userAccount.pk),
    // read by the rules: the name that the account has already need not follow them
    username: { ...f.column(userAccount.username), input: { ...username({ required: true }), read: (value) => value } },
    email: f.readonly(userAccount.email, { format: 'email', label: 'Email address' }),
    first_name: f.column(userAccount.first_name),
    last_name: f.column(userAccount.last_name),
  },
})
