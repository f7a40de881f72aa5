import * as f from '../../../../kit/definition/field.ts'
import { type Resource, resource, type Write } from '../../../../kit/definition/resource.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { accountErrors } from '../../../auth/account-errors.ts'
import { userProfile as table } from './user-profile.table.ts'

const USER_TYPES = [
  { value: 'bot', label: 'Bot' },
  { value: 'internal', label: 'Internal' },
  { value: 'external', label: 'External' },
  { value: 'guest', label: 'Guest' },
]

/** The profile of an account, as its owner reads and writes it. It grants no permissions. */
export const ownProfile: Resource = resource({
  path: '/api/user/me/profile/',
  name: 'Profile',
  description:
    "Details that an account gives of itself, and its preferences for web interfaces. It does not change the account's permissions.",
  example: { pk: 1 },
  model: 'userprofile',
  table,
  access: signedIn,
  fields: {
    language: f.column(table.language, {
      help: 'The language of web interfaces, such as en or de; empty for that of the browser.',
    }),
    theme: f.column(table.theme, { help: 'The appearance of web interfaces, as they store it; empty for none.' }),
    widgets: f.column(table.widgets, { help: 'The arrangement of web interfaces, as they store it; empty for none.' }),
    displayname: f.column(table.displayname, {
      label: 'Display Name',
      help: 'The name that others see; empty for the name of the account.',
    }),
    position: f.column(table.position, { help: 'The position, such as head of stores; may be empty.' }),
    status: f.column(table.status, { help: 'A status message for others; may be empty.' }),
    location: f.column(table.location, { help: 'Where the person is, as free text; may be empty.' }),
    active: f.column(table.active, { help: 'Whether the person is available.' }),
    contact: f.column(table.contact, { help: 'The preferred contact, as free text; may be empty.' }),
    type: f.column(table.type, {
      choices: () => USER_TYPES,
      label: 'User Type',
      help: 'The type of the account: bot, internal, external or guest. It grants no permissions.',
    }),
    organisation: f.column(table.organisation, { help: 'The organization of the person; may be empty.' }),
    primary_group: f.ref(table.primary_group, {
      model: 'group',
      address: '/api/user/group/',
      label: 'Primary Group',
      help: 'The main group, one of those of the account; empty for none.',
    }),
  },
  rules: requireMembership,
})

/** Rejects a primary group of which the account is no member. */
async function requireMembership({ tx, before, values, errors }: Write): Promise<void> {
  const { primary_group: group } = values
  if (group === undefined || group === null || group === before?.primary_group) return
  const isMember = await tx.first('select from user_group_member where "user" = $1 and "group" = $2', [before?.user, group])
  if (!isMember) errors.primary_group = [accountErrors.not_in_group]
}
