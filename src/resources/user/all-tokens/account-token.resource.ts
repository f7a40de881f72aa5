import type * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { tokens } from '../tokens/api-token.resource.ts'

/** The tokens of all accounts, without their keys, for superusers, who can revoke them (docs/decisions.md#personal-records). */
export const accountTokens = resource({
  ...tokens,
  path: '/api/user/all-tokens/',
  name: 'Token of an account',
  description: 'An API token of any account, without its key.',
  model: 'accounttoken',
  access: superuser,
  rows: undefined,
  fields: {
    ...tokens.fields,
    user: { ...(tokens.fields.user as f.Field), flag: undefined },
  },
})
