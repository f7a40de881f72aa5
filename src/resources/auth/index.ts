import type { Area } from '../area.ts'
import { addEmailAddress } from './emails/add-email-address.action.ts'
import { emailAddress } from './emails/email-address.resource.ts'
import { makeEmailAddressPrimary } from './emails/primary.action.ts'
import { removeEmailAddress } from './emails/remove.action.ts'
import { verifyEmailAddress } from './emails/verify.action.ts'
import { login } from './login/login.action.ts'
import { logout, logoutByLink } from './logout/logout.action.ts'
import { disableSecondFactor } from './mfa/disable/disable.action.ts'
import { readSecondFactor } from './mfa/mfa.view.ts'
import { renewRecoveryCodes } from './mfa/recovery-codes/recovery-codes.action.ts'
import { confirmTotp } from './mfa/totp/confirm/confirm.action.ts'
import { beginTotp } from './mfa/totp/totp.action.ts'

export const auth: Area = {
  resources: [emailAddress],
  actions: [
    addEmailAddress,
    makeEmailAddressPrimary,
    removeEmailAddress,
    verifyEmailAddress,
    login,
    logout,
    logoutByLink,
    readSecondFactor,
    beginTotp,
    confirmTotp,
    renewRecoveryCodes,
    disableSecondFactor,
  ],
}
