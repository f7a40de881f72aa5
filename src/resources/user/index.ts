import type { Area } from '../area.ts'
import { group } from './group/group.resource.ts'
import { deleteMe, patchMe, replaceMe } from './me/me.action.ts'
import { readMe } from './me/me.view.ts'
import { ownSecurityEvents } from './me/own-security-event.resource.ts'
import { owner } from './owner/owner.resource.ts'
import { readRoles } from './roles/roles.view.ts'
import { ruleSetResource } from './ruleset/rule-set.resource.ts'
import { removeOtherSecondFactor } from './second-factor/second-factor.action.ts'
import { securityEvents } from './security-event/security-event.resource.ts'
import { endOtherSessions } from './session/end-others.action.ts'
import { sessions } from './session/user-session.resource.ts'
import { setAccountPassword } from './set-password/set-password.action.ts'
import { readToken } from './token/token.action.ts'
import { tokens } from './tokens/api-token.resource.ts'
import { createNamedToken } from './tokens/create-token.action.ts'
import { revokeToken } from './tokens/revoke-token.action.ts'
import { user as userResource } from './user.resource.ts'

export const user: Area = {
  resources: [userResource, group, owner, ruleSetResource, tokens, sessions, securityEvents, ownSecurityEvents],
  actions: [
    readToken,
    createNamedToken,
    revokeToken,
    endOtherSessions,
    readMe,
    replaceMe,
    patchMe,
    deleteMe,
    readRoles,
    setAccountPassword,
    removeOtherSecondFactor,
  ],
}
