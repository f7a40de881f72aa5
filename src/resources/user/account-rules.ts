import type { Deletion, Write } from '../../kit/definition/resource.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { accountErrors } from '../auth/account-errors.ts'
import { requireConfirmation } from '../auth/confirm/require-confirmation.ts'
import { validatePassword } from '../auth/password/password-rules.ts'
import { createUsernameInput, isNameTaken, NAME_TAKEN } from '../auth/registration/username-rules.ts'
import { invalidateAccounts } from './invalidate-accounts.ts'
import { isLastSuperuser, LAST_SUPERUSER } from './last-superuser.ts'
import { hashPassword } from './password.ts'
import { recordEvent } from './security-event/record-event.ts'

/** Checks the fields of an account that a superuser writes, or those that its owner writes. */
export async function checkAccount(write: Write): Promise<void> {
  const { before, values, errors } = write
  await checkName(write)
  if (before && values.email === '' && before.email !== '') errors.email = [accountErrors.email_removed_elsewhere]
  if (before && values.password !== undefined) errors.password = [accountErrors.password_set_elsewhere({ user: before.pk })]
  if (!before && values.password !== undefined) await applyPassword(write)
  if (before?.is_superuser && before.is_active && !(write.after('is_superuser') && write.after('is_active'))) {
    const field = write.after('is_superuser') ? 'is_active' : 'is_superuser'
    if (await isLastSuperuser(write.tx, before.pk)) errors[field] = [LAST_SUPERUSER]
  }
}

/** Fields of an account that decide who can use it, and for what. */
const RIGHTS_FIELDS = ['is_staff', 'is_superuser', 'is_active', 'group_ids', 'email', 'username']

/**
 * Requires a confirmation before a superuser creates an account, or changes the permissions of one. Names of people change without it.
 * @throws Problem 403
 */
export async function confirmRightsChange(write: Write): Promise<void> {
  const { before, values } = write
  const isRightsChange = !before || RIGHTS_FIELDS.some((name) => values[name] !== undefined && values[name] !== before[name])
  if (isRightsChange) await requireConfirmation(write)
}

/** Checks a new name against the rules for names; the current name of an account stays valid in any case. */
async function checkName({ tx, before, values, errors, ...services }: Write): Promise<void> {
  if (values.username === undefined) {
    if (!before) errors.username = [valueErrors.required]
    return
  }
  if (before && values.username === before.username) return
  try {
    const name = createUsernameInput().read(values.username, { references: [], services }, () => undefined)
    values.username = name
    if (await isNameTaken(tx, name, before?.pk)) errors.username = [NAME_TAKEN]
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    errors.username = error.entry
  }
}

/** Hashes the first password of an account that a superuser creates. This is so rare that the hashing does not delay other requests. */
async function applyPassword({ values, hidden, errors }: Write): Promise<void> {
  const password = String(values.password)
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '')
  const person = {
    username: text('username'),
    first_name: text('first_name'),
    last_name: text('last_name'),
    email: text('email'),
  }
  const problems = await validatePassword(password, person)
  if (problems.length) errors.password = problems
  else hidden.password = await hashPassword(password)
}

/**
 * Checks before a deletion that the account is not the last superuser. Records of its actions stay, without its name: the references to it
 * become null.
 */
export async function prepareAccountDeletion(deletion: Deletion): Promise<void> {
  const { tx, caller, row } = deletion
  if (row.is_superuser && row.is_active && (await isLastSuperuser(tx, row.pk))) throw invalidObject(LAST_SUPERUSER)
  invalidateAccounts(deletion)
  await recordEvent(deletion, { kind: 'account_deleted', user: row.pk, actor: caller.pk })
  // a row may refer to the account and, as responsible, to its owner: if one statement deleted both, setting the first reference to null
  // would check the second one while that still refers to a deleted owner
  await tx.query('delete from owner where "user" = $1', [row.pk])
}
