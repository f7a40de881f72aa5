import { type Resource, resource } from '../../../kit/definition/resource.ts'
import { checkAccount, prepareAccountDeletion } from '../account-rules.ts'
import { user } from '../user.resource.ts'

/** Fields that every account can change of itself; an address only after verification. */
const OWN_FIELDS = new Set(['first_name', 'last_name', 'email'])

/** An account as its owner writes it, without the fields that only lists of accounts can add. */
export const ownAccount: Resource = resource({
  ...user,
  rules: checkAccount,
  beforeDelete: prepareAccountDeletion,
  fields: Object.fromEntries(
    Object.entries(user.fields)
      .filter(([, field]) => field.flag === undefined)
      .map(([name, field]) => [
        name,
        OWN_FIELDS.has(name) ? { ...field, changedInput: undefined } : { ...field, input: undefined },
      ]),
  ),
})
