import { Type } from 'typebox'
import { reading, signedIn, superuser } from '../../kit/caller.ts'
import * as f from '../../kit/field.ts'
import { resource } from '../../kit/resource.ts'
import { userAccount } from './user-account.table.ts'

const groups = Type.Array(Type.Object({ pk: Type.Integer(), name: Type.String() }))

/** Accounts, as others see them. How accounts are made and changed belongs to the account endpoints. */
export const user = resource({
  path: '/api/user/',
  name: 'User',
  model: 'user',
  table: userAccount,
  access: reading(signedIn, superuser),
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(userAccount.pk),
    username: f.readonly(userAccount.username, { search: true, order: true }),
    first_name: f.readonly(userAccount.first_name, { search: true, order: true }),
    last_name: f.readonly(userAccount.last_name, { search: true, order: true }),
    email: f.readonly(userAccount.email, { order: true }),
    groups: f.computed(
      groups,
      `coalesce((select json_agg(json_build_object('pk', g.pk, 'name', g.name) order by g.name) from user_group_member m join user_group g on g.pk = m."group" where m."user" = {pk}), '[]')`,
    ),
    is_staff: f.readonly(userAccount.is_staff, { filter: true, order: true }),
    is_superuser: f.readonly(userAccount.is_superuser, { filter: true, order: true }),
    is_active: f.readonly(userAccount.is_active, { filter: true, order: true }),
  },
})
