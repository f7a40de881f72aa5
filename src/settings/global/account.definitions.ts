import { validateEmailDomains, validateJsonObject } from '../checks.ts'
import { choiceFrom, flag, text } from '../setting.ts'

/** A user who can change these settings could gain additional permissions through a new account. */
const SUPERUSER_ONLY = { superuserOnly: true }

/** Login, registration, and names of users. */
export const accountSettings = {
  LOGIN_ENABLE_PWD_FORGOT: flag(
    true,
    'Enable password forgot',
    'Accounts with a forgotten password can request a reset link by email.',
  ),
  LOGIN_ENABLE_REG: flag(
    true,
    'Enable registration',
    'Anyone can register an account. Only a superuser can change this.',
    SUPERUSER_ONLY,
  ),
  LOGIN_ENABLE_SSO: flag(false, 'Enable SSO', 'Accounts can sign in with the providers in the configuration (`SSO_PROVIDERS`).'),
  LOGIN_ENABLE_SSO_REG: flag(
    false,
    'Enable SSO registration',
    'Single sign-on creates missing accounts. Only a superuser can change this.',
    SUPERUSER_ONLY,
  ),
  LOGIN_ENABLE_SSO_GROUP_SYNC: flag(
    false,
    'Enable SSO group sync',
    'At each single sign-on, an account joins the groups that its provider states. Only a superuser can change this.',
    SUPERUSER_ONLY,
  ),
  SSO_GROUP_KEY: text(
    'groups',
    'SSO group key',
    'The claim of the provider with the groups of an account. Without it, the groups of the account stay. Only a superuser can change this.',
    SUPERUSER_ONLY,
  ),
  SSO_GROUP_MAP: text(
    '{}',
    'SSO group map',
    'The names of existing groups by group of the provider, such as `{"staff": "Members"}`; other groups are ignored. Only a superuser can change this.',
    { check: validateJsonObject, ...SUPERUSER_ONLY },
  ),
  SSO_REMOVE_GROUPS: flag(
    true,
    'Remove groups outside of SSO',
    'At single sign-on, an account leaves all groups that its provider does not state. Only a superuser can change this.',
    SUPERUSER_ONLY,
  ),
  LOGIN_MAIL_REQUIRED: flag(false, 'Email required', 'Registration requires an email address.'),
  LOGIN_SIGNUP_SSO_AUTO: flag(
    true,
    'Auto-fill SSO users',
    'Accounts that single sign-on creates take name and email address from the provider. Off: neither.',
  ),
  LOGIN_SIGNUP_MAIL_TWICE: flag(false, 'Mail twice', 'Clients ask for the email address twice at registration.', {
    usedBy: 'clients',
  }),
  LOGIN_SIGNUP_PWD_TWICE: flag(true, 'Password twice', 'Clients ask for the password twice at registration.', {
    usedBy: 'clients',
  }),
  LOGIN_SIGNUP_MAIL_RESTRICTION: text(
    '',
    'Allowed domains',
    'Mail domains whose addresses can register, such as `@example.org,@example.com`; empty for all. Single sign-on accepts only verified addresses of these.',
    { check: validateEmailDomains, reportsOnObject: true },
  ),
  SIGNUP_GROUP: choiceFrom(
    'group',
    '',
    'Group on signup',
    'The name of the group that a new account joins. Empty: `Members`, created at the first registration with all permissions except the role `admin`. Only a superuser can change this.',
    SUPERUSER_ONLY,
  ),
  LOGIN_ENFORCE_MFA: flag(
    false,
    'Enforce MFA',
    'All accounts need a second factor: an account without one can only enroll. Enroll one yourself first. Only a superuser can change this.',
    SUPERUSER_ONLY,
  ),
  DISPLAY_FULL_NAMES: flag(false, 'Display Users full names', 'Clients show first and last names instead of usernames.', {
    usedBy: 'clients',
  }),
  DISPLAY_PROFILE_INFO: flag(true, 'Display User Profiles', "The web client of InvenTree shows users' profiles on their pages.", {
    usedBy: 'clients',
  }),
}
