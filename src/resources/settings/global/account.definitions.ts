import { mailDomains } from '../checks.ts'
import { choiceFrom, flag, text } from '../setting.ts'

/** Whoever changes these could give themselves, by way of a new account, rights that they were not given. */
const guarded = { superuserOnly: true }

/** Logging in, registration, and how people are shown. */
export const accountSettings = {
  LOGIN_ENABLE_PWD_FORGOT: flag(
    true,
    'Enable password forgot',
    'Whoever forgot their password can have a link mailed that sets another.',
  ),
  LOGIN_ENABLE_REG: flag(
    true,
    'Enable registration',
    'Anyone may make an account for themselves. Only a superuser changes this.',
    guarded,
  ),
  LOGIN_ENABLE_SSO: flag(
    false,
    'Enable SSO',
    'Accounts at other services can sign in here, as far as `SSO_PROVIDERS` of the configuration names them.',
  ),
  LOGIN_ENABLE_SSO_REG: flag(
    false,
    'Enable SSO registration',
    'Whoever signs in by another service and has no account here gets one. Only a superuser changes this.',
    guarded,
  ),
  LOGIN_MAIL_REQUIRED: flag(false, 'Email required', 'Whoever registers has to have a mail address.'),
  LOGIN_SIGNUP_SSO_AUTO: flag(
    true,
    'Auto-fill SSO users',
    'An account that is made by single sign-on takes name and mail address from the other service. Off: neither.',
  ),
  LOGIN_SIGNUP_MAIL_TWICE: flag(false, 'Mail twice', 'Interfaces ask whoever registers for the mail address twice.'),
  LOGIN_SIGNUP_PWD_TWICE: flag(true, 'Password twice', 'Interfaces ask whoever registers for the password twice.'),
  LOGIN_SIGNUP_MAIL_RESTRICTION: text(
    '',
    'Allowed domains',
    'Mail domains whose addresses may register, such as `@example.org,@example.com`; empty for all. By single sign-on, only verified addresses of them.',
    { check: mailDomains, objectsAsWhole: true },
  ),
  SIGNUP_GROUP: choiceFrom(
    'group',
    '',
    'Group on signup',
    'The group that a new account joins, by name. Empty: `Members`, made at the first registration with every right but in the role `admin`. Only a superuser changes this.',
    guarded,
  ),
  LOGIN_ENFORCE_MFA: flag(
    false,
    'Enforce MFA',
    'Everyone needs a second factor: an account without one can do no more than enrol. First enrol one yourself. Only a superuser changes this.',
    guarded,
  ),
  DISPLAY_FULL_NAMES: flag(
    false,
    'Display Users full names',
    'Interfaces show first and last names of people in place of user names.',
  ),
}
