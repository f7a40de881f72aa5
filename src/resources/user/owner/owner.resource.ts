import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { readBoolean } from '../../../kit/definition/filter.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { owner as table } from './owner.table.ts'

const name = 'coalesce({user.username}, {group.name})'

/** Whoever can be made responsible for something: an account or a group. Made and removed with it. */
export const owner = resource({
  path: '/api/user/owner/',
  name: 'Owner',
  model: 'owner',
  table,
  access: signedIn,
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(table.pk),
    owner_id: f.computed(Type.Integer(), 'coalesce({user}, {group})'),
    name: f.computed(Type.String(), name, { search: true }),
    label: f.computed(Type.String(), `case when {user} is null then 'group' else 'user' end`),
  },
  filters: {
    is_active: {
      kind: 'custom',
      names: { is_active: 'Whether the account is active; groups always are.' },
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
  help: 'Who answers for it: an account or a group, by its key in `/api/user/owner/`; null for nobody.',
}

/** A reference to whoever is responsible. */
export const ownerRef = (column: PgColumn, words: { label: string; help: string } = RESPONSIBLE) =>
  f.ref(column, { ...words, model: 'owner', address: '/api/user/owner/' })

/** The owner a column refers to, inside another object. */
export const ownerDetail = (column: PgColumn) => f.nested(column, () => owner)
