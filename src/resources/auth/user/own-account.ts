import { signedIn } from '../../../kit/caller.ts'
import * as f from '../../../kit/field.ts'
import { resource } from '../../../kit/resource.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { userAccount } from '../../user/user-account.table.ts'
import { isNameTaken, NAME_TAKEN, username } from '../registration/username-rules.ts'

const taken = { username: [NAME_TAKEN] }

/** What an account may see and change of itself. Its address follows the primary one of its addresses (decision 26). */
export const ownAccount = resource({
  path: '/api/auth/user/',
  name: 'Own account',
  model: 'user',
  table: userAccount,
  access: signedIn,
  fields: {
    pk: f.pk(userAccount.pk),
    username: { ...f.column(userAccount.username), input: username({ required: true }) },
    email: f.readonly(userAccount.email, { format: 'email', label: 'Email address' }),
    first_name: f.column(userAccount.first_name),
    last_name: f.column(userAccount.last_name),
  },
  constraints: { user_account_username_key: taken },
  async rules({ tx, before, values, errors }) {
    const name = values.username
    if (typeof name === 'string' && name !== before?.username && (await isNameTaken(tx, name, before?.pk)))
      Object.assign(errors, taken)
  },
  /** The name is a way in: a new one is recorded (decision 42). */
  async updated(write, pk) {
    const [before, after] = [write.before?.username, write.after('username')]
    if (before !== after)
      await recordEvent(write, { kind: 'account_changed', user: pk, details: { username: { before, after } } })
  },
})
