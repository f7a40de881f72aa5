import type { Action, View } from '../kit/action.ts'
import type { Resource } from '../kit/resource.ts'
import type { Services } from '../kit/services.ts'
import { readRoot } from './api.view.ts'
import { address } from './company/address/address.resource.ts'
import { contact } from './company/contact/contact.resource.ts'
import { projectCode } from './project-code/project-code.resource.ts'
import { globalSettingActions, userSettingActions } from './settings/settings.action.ts'
import { group } from './user/group/group.resource.ts'
import { readMe } from './user/me/me.view.ts'
import { owner } from './user/owner/owner.resource.ts'
import { readRoles } from './user/roles/roles.view.ts'
import { readToken } from './user/token/token.action.ts'
import { user } from './user/user.resource.ts'
import { readVersion } from './version/version.view.ts'

/** Every resource. The folder of a definition is its address. */
export const resources: readonly Resource[] = [user, group, owner, projectCode, contact, address]

/** Every action and view: the addresses that are no plain list, detail or write of a resource. */
export const actions = (services: Services): readonly (Action | View)[] => [
  readRoot,
  readVersion,
  readToken,
  readMe,
  readRoles,
  ...globalSettingActions(services),
  ...userSettingActions(),
]
