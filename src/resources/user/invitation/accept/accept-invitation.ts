import type { Errors } from '../../../../kit/request/errors.ts'
import type { Exchange } from '../../../../kit/request/exchange.ts'
import { invalid } from '../../../../kit/request/problem.ts'
import type { Services } from '../../../../kit/services/services.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import { valueErrors } from '../../../../kit/values/value-errors.ts'
import { accountErrors } from '../../../auth/account-errors.ts'
import { addAddress } from '../../../auth/emails/addresses.ts'
import { PASSWORD_MISMATCH } from '../../../auth/password/new-password.ts'
import { validatePassword } from '../../../auth/password/password-rules.ts'
import { addSignUpAddress, checkSignUpAddress } from '../../../auth/registration/sign-up-address.ts'
import { isNameTaken, NAME_TAKEN } from '../../../auth/registration/username-rules.ts'
import { hashPassword } from '../../password.ts'
import { recordEvent } from '../../security-event/record-event.ts'
import { type Invitation, useInvitation } from '../invitation-token.ts'
import { createInvalidInvitationError, requireInvitation } from '../require-invitation.ts'

type Context = Services & { exchange: Exchange }

/** The account that an invited person chooses. */
type NewAccount = {
  token: string
  username: string
  first_name: string
  last_name: string
  /** Ignored if the invitation has an address. */
  email: string
  password1: string
  password2: string
}

/**
 * Creates the account of an invited person, and ends the invitation.
 * @throws Problem 400 on `token` or on the fields that break a rule, and 429 after too many wrong tokens
 */
export async function acceptInvitation(context: Context, account: NewAccount): Promise<void> {
  const invitation = await requireInvitation(context, account.token)
  await checkFields(context, invitation, account)
  const hash = await hashPassword(account.password1)
  await context.database.transaction((tx) => createAccount({ ...context, tx }, account, hash))
}

/** Validates the fields without looking up existing accounts. All errors are reported together. */
async function checkFields(context: Context, invitation: Invitation, account: NewAccount): Promise<void> {
  const errors: Errors = {}
  const problems = await validatePassword(account.password1, { ...account, email: invitation.email || account.email })
  if (problems.length) errors.password1 = problems
  if (account.password1 !== account.password2) errors.password2 = [PASSWORD_MISMATCH]
  const addressProblem = invitation.email === '' ? checkSignUpAddress(context, account.email) : undefined
  if (addressProblem === 'missing') errors.email = [valueErrors.required]
  if (addressProblem === 'other domain') errors.email = [accountErrors.email_domain_not_allowed]
  if (Object.keys(errors).length) throw invalid(errors)
}

/** @throws Problem 400 when the name is taken, or the invitation has been used in the meantime */
async function createAccount(context: Context & { tx: Tx }, account: NewAccount, hash: string): Promise<void> {
  const { tx } = context
  const { username, first_name, last_name } = account
  const invitation = await useInvitation(tx, account.token)
  if (!invitation) throw createInvalidInvitationError()
  const { is_staff, is_superuser, groups, invited_by } = invitation
  if (await isNameTaken(tx, username)) throw invalid({ username: [NAME_TAKEN] })
  const row = await tx.first<{ pk: number }>(
    `insert into user_account (username, first_name, last_name, password, is_staff, is_superuser) values ($1, $2, $3, $4, $5, $6)
     on conflict (lower(username)) do nothing returning pk`,
    [username, first_name, last_name, hash, is_staff, is_superuser],
  )
  // another kind of request has created it in the meantime
  if (!row) throw invalid({ username: [NAME_TAKEN] })
  await tx.query('insert into user_group_member ("user", "group") select $1, g from unnest($2::integer[]) as given (g)', [
    row.pk,
    groups.map(({ pk }) => pk),
  ])
  await recordEvent(context, {
    kind: 'registered',
    user: row.pk,
    details: { invitation: invitation.pk, invited_by, is_staff, is_superuser, groups: groups.map(({ name }) => name) },
  })
  await setAddress(context, row.pk, invitation, account.email)
}

/** Gives the account the address of the invitation, which is verified if the link was emailed to it, otherwise the one that was entered. */
async function setAddress(
  context: Context & { tx: Tx },
  user: number,
  { email, is_mailed }: Invitation,
  enteredEmail: string,
): Promise<void> {
  if (email !== '') await addAddress(context, user, email, { primary: true, proven: is_mailed })
  else if (enteredEmail !== '') {
    await context.tx.query('update user_account set email = $2 where pk = $1', [user, enteredEmail])
    await addSignUpAddress(context, user, enteredEmail)
  }
}
