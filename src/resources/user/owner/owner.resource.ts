import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { readBoolean } from '../../../kit/definition/filter.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { userGroup } from '../group/user-group.table.ts'
import { userAccount } from '../user-account.table.ts'
import { owner as table } from './owner.table.ts'

const name = 'coalesce({user.username}, {group.name})'

export const owner = resource({
  path: '/api/user/owner/',
  name: 'Owner',
  description: 'A possible owner: a user or a group. It is created and deleted with that.',
  example: { pk: 1 },
  model: 'owner',
  table,
  access: signedIn,
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(table.pk),
    owner_id: f.computed(Type.Integer(), 'coalesce({user}, {group})', {
      api530: { metadata: { read_only: false, required: false } },
      help: 'The key of the user or group.',
    }),
    name: f.computed(Type.String(), name, { search: true, order: true, help: 'The name of the user or group.' }),
    label: f.computed(Type.String(), `case when {user} is null then 'group' else 'user' end`, {
      help: '`user` or `group`.',
    }),
    owner_model: f.extended(
      f.computed(Type.String(), `case when {user} is null then 'group' else 'user' end`, { help: 'The same as `label`.' }),
    ),
  },
  filters: {
    user: { kind: 'reference', table: () => userAccount, sql: '{user} = {@value}', help: 'The owner that stands for this user.' },
    group: {
      kind: 'reference',
      table: () => userGroup,
      sql: '{group} = {@value}',
      help: 'The owner that stands for this group.',
    },
    is_active: {
      kind: 'custom',
      names: { is_active: '`true` for active users, `false` for inactive ones; both include groups.' },
      read(query) {
        const active = readBoolean(query.is_active ?? '')
        return active === undefined
          ? undefined
          : { sql: `{user} is null or {user.is_active} = {@value}::boolean`, values: [active] }
      },
    },
  },
})

const RESPONSIBLE = {
  label: 'Responsible',
  help: 'The responsible user or group; empty for none.',
}

/** Declares a reference to the responsible owner. */
export const ownerRef = (column: PgColumn, texts: { label: string; help: string } = RESPONSIBLE) =>
  f.ref(column, { ...texts, model: 'owner', apiUrl: '/api/user/owner/' })

/** The owner a column refers to, inside another object. */
export const ownerDetail = (column: PgColumn) => f.nested(column, () => owner)
