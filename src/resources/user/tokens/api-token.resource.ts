import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { ownRows } from '../own-rows.ts'
import { apiToken } from '../token/api-token.table.ts'

const active = 'not {revoked} and coalesce({expiry} >= current_date, true)'

/** The tokens of an account, for its owner alone (decision 16). Their keys are not told: GET `/api/user/token/` gives one. */
export const tokens = resource({
  path: '/api/user/tokens/',
  name: 'Token',
  model: 'apitoken',
  table: apiToken,
  access: signedIn,
  rows: ownRows,
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(apiToken.pk),
    name: f.readonly(apiToken.name, { filter: true, search: true, order: true }),
    created: f.readonly(apiToken.created, { order: true }),
    /** The last day on which it is good. */
    expiry: f.readonly(apiToken.expiry, { order: true }),
    /** The last day on which it was used. */
    last_seen: f.readonly(apiToken.last_seen, { order: true }),
    revoked: f.readonly(apiToken.revoked, { filter: true }),
    /** Neither revoked nor over. */
    active: f.computed(Type.Boolean(), active, { type: 'boolean' }),
    /** The request that asks was sent with it. */
    in_use: f.computed(Type.Boolean(), '{pk} = {@token}', { type: 'boolean' }),
  },
})
