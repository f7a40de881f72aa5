import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { ownRows } from '../own-rows.ts'
import { apiToken } from '../token/api-token.table.ts'

const active = 'not {revoked} and coalesce({expiry} >= current_date, true)'

/** For its owner alone (decision 16). */
export const tokens = resource({
  path: '/api/user/tokens/',
  name: 'Token',
  description:
    'A token of your own account, with which a program signs its requests. Keys are not told here: `GET /api/user/token/` gives one.',
  example: { pk: 1 },
  model: 'apitoken',
  table: apiToken,
  access: signedIn,
  rows: ownRows,
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(apiToken.pk),
    name: f.readonly(apiToken.name, {
      filter: true,
      search: true,
      order: true,
      help: 'The name that it was asked for by; empty for the one that log-ins give.',
    }),
    created: f.readonly(apiToken.created, { order: true, help: 'When it was made.' }),
    expiry: f.readonly(apiToken.expiry, { order: true, help: 'The last day on which it is good, in UTC; null without an end.' }),
    last_seen: f.readonly(apiToken.last_seen, { order: true, help: 'The last day on which it was used; null for never.' }),
    revoked: f.readonly(apiToken.revoked, { filter: true, help: 'Whether it was revoked.' }),
    active: f.computed(Type.Boolean(), active, { type: 'boolean', help: 'Whether it is good: neither revoked nor over.' }),
    in_use: f.computed(Type.Boolean(), '{pk} = {@token}', {
      type: 'boolean',
      help: 'Whether this very request was sent with it.',
    }),
  },
})
