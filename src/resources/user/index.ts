import type { Area } from '../area.ts'
import { group } from './group/group.resource.ts'
import { readMe } from './me/me.view.ts'
import { owner } from './owner/owner.resource.ts'
import { readRoles } from './roles/roles.view.ts'
import { removeSecondFactorOf } from './second-factor/second-factor.action.ts'
import { readToken } from './token/token.action.ts'
import { user as userResource } from './user.resource.ts'

export const user: Area = {
  resources: [userResource, group, owner],
  actions: [readToken, readMe, readRoles, removeSecondFactorOf],
}
