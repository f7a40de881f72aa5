import type { Area } from '../area.ts'
import { login } from './login/login.action.ts'
import { logout, logoutByLink } from './logout/logout.action.ts'
import { disableSecondFactor } from './mfa/disable/disable.action.ts'
import { readSecondFactor } from './mfa/mfa.view.ts'
import { renewRecoveryCodes } from './mfa/recovery-codes/recovery-codes.action.ts'
import { confirmTotp } from './mfa/totp/confirm/confirm.action.ts'
import { beginTotp } from './mfa/totp/totp.action.ts'

export const auth: Area = {
  resources: [],
  actions: [login, logout, logoutByLink, readSecondFactor, beginTotp, confirmTotp, renewRecoveryCodes, disableSecondFactor],
}
