import type { Deletion, Write } from '../../kit/definition/resource.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { accountErrors } from '../auth/account-errors.ts'
import { passwordProblems } from '../auth/password/password-rules.ts'
import { isNameTaken, NAME_TAKEN, username } from '../auth/registration/username-rules.ts'
import { forgetAccounts } from './forget-accounts.ts'
import { isLastSuperuser, LAST_SUPERUSER } from './last-superuser.ts'
import { hashPassword } from './password.ts'
import { recordEvent } from './security-event/record-event.ts'

/** Checks what a superuser writes of an account, or its owner of their own. */
export async function checkAccount(write: Write): Promise<void> {
  const { before, values, errors } = write
  await checkName(write)
  if (before && values.email === '' && before.email !== '') errors.email = [accountErrors.email_removed_elsewhere]
  if (before && values.password !== undefined) errors.password = [accountErrors.password_set_elsewhere({ user: before.pk })]
  if (!before && values.password !== undefined) await takePassword(write)
  if (before?.is_superuser && before.is_active && !(write.after('is_superuser') && write.after('is_active'))) {
    const field = write.after('is_superuser') ? 'is_active' : 'is_superuser'
    if (await isLastSuperuser(write.tx, before.pk)) errors[field] = [LAST_SUPERUSER]
  }
}

/** A new name follows the rules for names; the one that an account has stays, whatever it is. */
async function checkName({ tx, before, values, errors, ...services }: Write): Promise<void> {
  if (values.username === undefined) {
    if (!before) errors.username = [valueErrors.required]
    return
  }
  if (before && values.username === before.username) return
  try {
    const name = username().read(values.username, { references: [], services }, () => undefined)
    values.username = name
    if (await isNameTaken(tx, name, before?.pk)) errors.username = [NAME_TAKEN]
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    errors.username = error.entry
  }
}

/** The first password of an account that a superuser makes, which happens too seldom for its hashing to hold up others. */
async function takePassword({ values, hidden, errors }: Write): Promise<void> {
  const password = String(values.password)
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '')
  const person = {
    username: text('username'),
    first_name: text('first_name'),
    last_name: text('last_name'),
    email: text('email'),
  }
  const problems = await passwordProblems(password, person)
  if (problems.length) errors.password = problems
  else hidden.password = await hashPassword(password)
}

/**
 * Before an account is deleted: it is not the last superuser. What it did stays, without its name: the references to it become
 * null.
 */
export async function releaseAccount(deletion: Deletion): Promise<void> {
  const { tx, caller, row } = deletion
  if (row.is_superuser && row.is_active && (await isLastSuperuser(tx, row.pk))) throw invalidObject(LAST_SUPERUSER)
  forgetAccounts(deletion)
  await recordEvent(deletion, { kind: 'account_deleted', user: row.pk, actor: caller.pk })
  // a row may name the account and, as responsible, its owner: were both to go in one statement, the first reference that becomes
  // null would have the second one checked while that still names an owner who is gone
  await tx.query('delete from owner where "user" = $1', [row.pk])
}
