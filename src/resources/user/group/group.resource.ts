import { reading, signedIn, superuser } from '../../../kit/caller.ts'
import * as f from '../../../kit/field.ts'
import { resource } from '../../../kit/resource.ts'
import { userGroup } from './user-group.table.ts'

export const group = resource({
  path: '/api/user/group/',
  name: 'Group',
  model: 'group',
  table: userGroup,
  access: reading(signedIn, superuser),
  without: ['create', 'update', 'delete'],
  fields: {
    pk: f.pk(userGroup.pk),
    name: f.readonly(userGroup.name, { search: true, order: true }),
  },
})
