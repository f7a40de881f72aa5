import { mailDomains } from '../checks.ts'
import { choiceFrom, flag, text } from '../setting.ts'

/** Whoever changes these could give themselves, by way of a new account, rights that they were not given. */
const guarded = { superuserOnly: true }

/** Logging in, registration, and how people are shown. */
export const accountSettings = {
  LOGIN_ENABLE_PWD_FORGOT: flag(true, 'Password reset', 'A forgotten password can be set anew by mail.'),
  LOGIN_ENABLE_REG: flag(true, 'Registration', 'Anyone may create an account.', guarded),
  LOGIN_ENABLE_SSO: flag(false, 'Single sign-on', 'Accounts of other services may log in.'),
  LOGIN_ENABLE_SSO_REG: flag(false, 'Registration by single sign-on', 'Accounts of other services may register here.', guarded),
  LOGIN_MAIL_REQUIRED: flag(false, 'Mail required', 'Registration needs an e-mail address.'),
  LOGIN_SIGNUP_SSO_AUTO: flag(true, 'Fill in from single sign-on', 'Registration takes name and address from the other service.'),
  LOGIN_SIGNUP_MAIL_TWICE: flag(false, 'Mail twice', 'Registration asks for the e-mail address twice.'),
  LOGIN_SIGNUP_PWD_TWICE: flag(true, 'Password twice', 'Registration asks for the password twice.'),
  LOGIN_SIGNUP_MAIL_RESTRICTION: text(
    '',
    'Allowed mail domains',
    'Domains that may register, such as @example.org,@example.com; empty for all.',
    {
      check: mailDomains,
      objectsAsWhole: true,
    },
  ),
  SIGNUP_GROUP: choiceFrom('group', '', 'Group of new accounts', 'Group that a new account joins.', guarded),
  LOGIN_ENFORCE_MFA: flag(false, 'Require a second factor', 'Everyone must log in with a second factor.', guarded),
  DISPLAY_FULL_NAMES: flag(false, 'Full names', 'Show the full names of people instead of their usernames.'),
}
