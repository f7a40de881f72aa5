import { t } from '../../../kit/language/language.ts'
import type { Account } from '../../../kit/service/session.ts'
import { getRoleName, RIGHT_KEYS } from './people.ts'

/** A permission of a rule set. */
export type RightField = keyof typeof RIGHT_KEYS
export const RIGHT_FIELDS = Object.keys(RIGHT_KEYS) as readonly RightField[]

/** The permissions of a group in one role. */
export type RuleSet = { pk: number; name: string } & Record<RightField, boolean>

/** A member of a group. */
export type Member = Pick<Account, 'pk' | 'username' | 'first_name' | 'last_name'> & { email: string }

export type Group = { pk: number; name: string; roles: RuleSet[]; users: Member[] }

/** Summarizes the permissions of a group: the roles that it can change, and those that it may only view. */
export function summarizeRights(roles: readonly RuleSet[]): string {
  const listNames = (matches: (role: RuleSet) => boolean) => roles.filter(matches).map(({ name }) => getRoleName(name))
  const canWrite = ({ can_add, can_change, can_delete }: RuleSet) => can_add || can_change || can_delete
  const writable = listNames(canWrite)
  const readable = listNames((role) => role.can_view && !canWrite(role))
  const isAll = (names: readonly string[]) => names.length === roles.length && names.length > 0
  if (isAll(writable)) return t('people.changes-all')
  if (isAll(readable)) return t('people.views-all')
  return (
    [
      writable.length > 0 && t('people.changes', { roles: writable.join(', ') }),
      readable.length > 0 && t('people.views', { roles: readable.join(', ') }),
    ]
      .filter(Boolean)
      .join('; ') || t('people.no-rights')
  )
}
