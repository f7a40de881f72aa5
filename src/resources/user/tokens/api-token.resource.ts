import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { ownRows } from '../own-rows.ts'
import { apiToken } from '../token/api-token.table.ts'
import { userBrief } from '../user.resource.ts'

const active = 'not {revoked} and coalesce({expiry} >= current_date, true)'

/** Tokens are visible to their owner alone (docs/decisions.md#personal-records). */
export const tokens = resource({
  path: '/api/user/tokens/',
  name: 'Token',
  description:
    'An API token of the caller. Keys are not shown here: `POST /api/user/tokens/` and `GET /api/user/token/` return one.',
  example: { pk: 1 },
  model: 'apitoken',
  table: apiToken,
  access: signedIn,
  rows: ownRows,
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(apiToken.pk),
    id: f.extended(f.computed(Type.Integer(), '{pk}', { label: 'ID', help: 'The primary key.' })),
    name: f.readonly(apiToken.name, {
      filter: true,
      search: true,
      order: true,
      api530: { metadata: { label: 'Token Name', read_only: false, required: false } },
      help: 'The name of the token; empty for the one that sign-in returns.',
    }),
    created: f.readonly(apiToken.created, { order: true, help: 'When it was created.' }),
    expiry: f.readonly(apiToken.expiry, {
      order: true,
      api530: { metadata: { label: 'Expiry Date', read_only: false, required: false } },
      help: 'The last day on which it is valid, in UTC; null for unlimited.',
    }),
    last_seen: f.readonly(apiToken.last_seen, {
      order: true,
      api530: { metadata: { label: 'Last Seen' } },
      help: 'The day of its last use; null for never.',
    }),
    revoked: f.readonly(apiToken.revoked, { filter: true, help: 'Whether it was revoked.' }),
    read_only: f.readonly(apiToken.read_only, { filter: true, help: 'Whether it may only read.' }),
    active: f.computed(Type.Boolean(), active, {
      type: 'boolean',
      api530: { metadata: { type: 'field' } },
      help: 'Whether it is valid: neither revoked nor expired.',
    }),
    in_use: f.computed(Type.Boolean(), '{pk} = {@token}', {
      type: 'boolean',
      api530: { metadata: { type: 'field' } },
      help: 'Whether it is the token of this request.',
    }),
    token: f.extended(
      f.computed(Type.String(), "'***'", { api530: { metadata: { type: 'field' } }, help: 'Always `***`: keys are not shown.' }),
    ),
    user: f.extended(
      f.ref(apiToken.user, {
        readonly: true,
        filter: true,
        model: 'user',
        apiUrl: '/api/user/',
        help: 'The account that the token belongs to.',
      }),
    ),
    user_detail: f.extended(f.nested(apiToken.user, () => userBrief(), { help: 'That account.' })),
  },
})
