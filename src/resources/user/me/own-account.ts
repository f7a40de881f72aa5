import { type Resource, resource } from '../../../kit/definition/resource.ts'
import { checkAccount, prepareAccountDeletion } from '../account-rules.ts'
import { user } from '../user.resource.ts'

/** Fields that every account may change of itself; an address only after verification. */
const OWN_FIELDS = new Set(['first_name', 'last_name', 'email'])

/** An account as its owner writes it. */
export const ownAccount: Resource = resource({
  ...user,
  rules: checkAccount,
  deleting: prepareAccountDeletion,
  fields: Object.fromEntries(
    Object.entries(user.fields).map(([name, field]) => [name, OWN_FIELDS.has(name) ? field : { ...field, input: undefined }]),
  ),
})
