import type { Area } from '../area.ts'
import { accountSessions } from './all-sessions/account-session.resource.ts'
import { accountTokens } from './all-tokens/account-token.resource.ts'
import { revokeAccountToken } from './all-tokens/revoke-account-token.action.ts'
import { endAccountSessions } from './end-sessions/end-sessions.action.ts'
import { group } from './group/group.resource.ts'
import { acceptInvitationAction } from './invitation/accept/accept.action.ts'
import { checkInvitation } from './invitation/check/check.action.ts'
import { createInvitation } from './invitation/create-invitation.action.ts'
import { invitations } from './invitation/invitation.resource.ts'
import { renewInvitation } from './invitation/renew/renew.action.ts'
import { deleteMe } from './me/me.action.ts'
import { ownSecurityEvents } from './me/own-security-event.resource.ts'
import { profileOperations } from './me/profile/profile.action.ts'
import { owner } from './owner/owner.resource.ts'
import { createPasswordLink } from './password-link/password-link.action.ts'
import { revokeRights } from './ruleset/revoke-rights.action.ts'
import { ruleSetResource } from './ruleset/rule-set.resource.ts'
import { removeOtherSecondFactor } from './second-factor/second-factor.action.ts'
import { securityEvents } from './security-event/security-event.resource.ts'
import { endOtherSessions } from './session/end-others.action.ts'
import { sessions } from './session/user-session.resource.ts'
import { changeAccountPassword, setAccountPassword } from './set-password/set-password.action.ts'
import { readOwnToken, readToken } from './token/token.action.ts'
import { tokens } from './tokens/api-token.resource.ts'
import { createNamedToken } from './tokens/create-token.action.ts'
import { revokeToken } from './tokens/revoke-token.action.ts'
import { user as userResource } from './user.resource.ts'

export const user: Area = {
  resources: [
    userResource,
    group,
    owner,
    ruleSetResource,
    tokens,
    accountTokens,
    sessions,
    accountSessions,
    invitations,
    securityEvents,
    ownSecurityEvents,
  ],
  actions: [
    readToken,
    readOwnToken,
    createNamedToken,
    revokeToken,
    endOtherSessions,
    deleteMe,
    ...profileOperations,
    revokeRights,
    revokeAccountToken,
    endAccountSessions,
    createInvitation,
    renewInvitation,
    checkInvitation,
    acceptInvitationAction,
    setAccountPassword,
    changeAccountPassword,
    createPasswordLink,
    removeOtherSecondFactor,
  ],
}
