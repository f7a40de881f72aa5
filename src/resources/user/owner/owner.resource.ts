import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { readBoolean } from '../../../kit/definition/filter.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { owner as table } from './owner.table.ts'

const name = 'coalesce({user.username}, {group.name})'

export const owner = resource({
  path: '/api/user/owner/',
  name: 'Owner',
  description: 'Whoever can be made responsible for something: an account or a group. It is made and removed with that.',
  example: { pk: 1 },
  model: 'owner',
  table,
  access: signedIn,
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(table.pk),
    owner_id: f.computed(Type.Integer(), 'coalesce({user}, {group})', { help: 'The key of the account, or of the group.' }),
    name: f.computed(Type.String(), name, { search: true, help: 'The name of the account, or of the group.' }),
    label: f.computed(Type.String(), `case when {user} is null then 'group' else 'user' end`, {
      help: '`user` for an account, `group` for a group.',
    }),
  },
  filters: {
    is_active: {
      kind: 'custom',
      names: { is_active: 'With `true` the active accounts, with `false` the others; groups with both.' },
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
  help: 'Who answers for it: an account or a group; empty for nobody.',
}

/** A reference to whoever is responsible. */
export const ownerRef = (column: PgColumn, words: { label: string; help: string } = RESPONSIBLE) =>
  f.ref(column, { ...words, model: 'owner', address: '/api/user/owner/' })

/** The owner a column refers to, inside another object. */
export const ownerDetail = (column: PgColumn) => f.nested(column, () => owner)
