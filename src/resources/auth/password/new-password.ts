import { Type } from 'typebox'
import * as input from '../../../kit/definition/input.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { sendMail } from '../../email/mail.ts'
import { hashPassword } from '../../user/password.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { accountErrors } from '../account-errors.ts'
import { endAccess } from '../sessions.ts'
import { type Person, validatePassword } from './password-rules.ts'

/** Rules for a new password, for forms. */
export const PASSWORD_HELP =
  '8 to 128 characters, not only digits, not a common password, and not similar to the name or address of the account.'

/** Body fields that set a password. */
export const newPasswordFields = {
  new_password1: input.secret({ required: true, max: 128, help: PASSWORD_HELP }),
  new_password2: input.secret({
    required: true,
    max: 128,
    help: 'The new password again. Errors of the password are reported on this field.',
  }),
}

/** Response to setting or requesting a password. */
export const detailSchema = Type.Object({ detail: Type.String() })

/** An account whose password is to be set, and its current hash. */
export type PasswordAccount = Required<Person> & { pk: number; password: string }

/** Reads the account, for the rules of its new password; undefined when it no longer exists. */
export async function readPasswordAccount(
  { database }: Pick<Services, 'database'>,
  pk: number,
): Promise<PasswordAccount | undefined> {
  const text = 'select pk, username, first_name, last_name, email, password from user_account where pk = $1'
  const [holder] = await database.read<PasswordAccount>({ text, name: 'password_holder', values: [pk] })
  return holder
}

/**
 * Hashes a new password. Call it outside a transaction: it is slow.
 * @throws Problem 400 on `new_password2`, both when the two differ and when a rule is violated
 */
export async function hashNewPassword(
  { new_password1, new_password2 }: { new_password1: string; new_password2: string },
  holder: Person,
): Promise<string> {
  if (new_password1 !== new_password2) throw invalid({ new_password2: [PASSWORD_MISMATCH] })
  const problems = await validatePassword(new_password1, holder)
  if (problems.length) throw invalid({ new_password2: problems })
  return hashPassword(new_password1)
}

export const PASSWORD_MISMATCH = accountErrors.passwords_differ

/**
 * Replaces the password of an account. Its sessions, tokens and emailed links end, except for those of the request itself, and an email
 * notifies its owner (docs/decisions.md#changing-a-password).
 * @param options.actor who does it, if not the owner
 */
export async function setPassword(
  context: Pick<Services, 'config' | 'jobs' | 'accounts'> & { tx: Tx; exchange: Exchange },
  { pk: user }: PasswordAccount,
  hash: string,
  {
    event,
    except,
    actor,
  }: { event: 'password_changed' | 'password_reset'; except?: { session?: number; token?: number }; actor?: number },
): Promise<void> {
  const { tx } = context
  const changed = await tx.first<{ address: string | null }>(
    `update user_account u set password = $2 where pk = $1
     returning coalesce(nullif(u.email, ''), (select e.email from email_address e where e."user" = u.pk and e.verified order by e.pk limit 1)) as address`,
    [user, hash],
  )
  await endAccess(context, user, except)
  await recordEvent(context, { kind: event, user, actor })
  if (changed?.address) await sendMail(context, { kind: 'password_changed', user, address: changed.address })
}
