import { type Area, markSecrets } from '../area.ts'
import { confirmAccount } from './confirm/confirm.action.ts'
import { readConfirmation } from './confirm/confirm.view.ts'
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
import { startTotp } from './mfa/totp/totp.action.ts'
import { changePassword } from './password/change/change.action.ts'
import { confirmReset } from './password/reset/confirm/confirm.action.ts'
import { requestReset } from './password/reset/reset.action.ts'
import { readProviders } from './providers/providers.view.ts'
import { register } from './registration/registration.action.ts'
import { resendEmail } from './registration/resend-email/resend-email.action.ts'
import { verifyEmail } from './registration/verify-email/verify-email.action.ts'
import { socialCallback } from './social/callback/social-callback.action.ts'
import { socialConnect } from './social/connect/social-connect.action.ts'
import { disconnect } from './social/disconnect/disconnect.action.ts'
import { socialLogin } from './social/login/social-login.action.ts'
import { socialAccount } from './social/social-account.resource.ts'
import { changeOwnAccount, readOwnAccount, replaceOwnAccount } from './user/own-account.action.ts'

export const auth: Area = {
  resources: [emailAddress, socialAccount],
  actions: markSecrets([
    addEmailAddress,
    makeEmailAddressPrimary,
    verifyEmailAddress,
    removeEmailAddress,
    login,
    logout,
    logoutByLink,
    readConfirmation,
    confirmAccount,
    readSecondFactor,
    startTotp,
    confirmTotp,
    renewRecoveryCodes,
    disableSecondFactor,
    changePassword,
    requestReset,
    confirmReset,
    register,
    verifyEmail,
    resendEmail,
    readOwnAccount,
    replaceOwnAccount,
    changeOwnAccount,
    readProviders,
    socialLogin,
    socialConnect,
    socialCallback,
    disconnect,
  ]),
}
