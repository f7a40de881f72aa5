import type { Write } from '../../kit/definition/resource.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { addAddress, makePrimary } from '../auth/emails/addresses.ts'
import { endAccess } from '../auth/sessions.ts'
import { sendMail } from '../email/mail.ts'
import { invalidateAccounts } from './invalidate-accounts.ts'
import { listChanges } from './security-event/list-changes.ts'
import { type EventKind, recordEvent } from './security-event/record-event.ts'

type Details = Record<string, unknown>

/**
 * Completes the creation of an account by a superuser: sets its groups and its address and, if it has no password, sends its owner an email
 * for setting one.
 */
export async function completeAccount(write: Write, pk: number): Promise<void> {
  const { tx, caller, values } = write
  const groups = await setGroups(write, pk)
  await recordEvent(write, {
    kind: 'account_made',
    user: pk,
    actor: caller.pk,
    details: { is_staff: values.is_staff === true, is_superuser: values.is_superuser === true, groups: groups?.after ?? [] },
  })
  if (typeof values.email !== 'string' || values.email === '') return
  await addAddress(write, pk, values.email, { primary: true })
  const account = await tx.first<{ email: string; needs_password: boolean }>(
    `select email, is_active and password = '' as needs_password from user_account where pk = $1`,
    [pk],
  )
  if (account?.needs_password) await sendMail(write, { kind: 'welcome', user: pk, address: account.email })
}

/** Completes a change of an account: updates its groups and its address, ends its access when it is deactivated, and records the events. */
export async function completeAccountChange(write: Write, pk: number): Promise<void> {
  const { caller, before, values } = write
  if (!before) return
  invalidateAccounts(write)
  const isChanged = (name: string) => values[name] !== undefined && values[name] !== before[name]
  const changes = (...names: string[]): Details =>
    listChanges(
      names,
      (name) => before[name],
      (name) => values[name] ?? before[name],
    )
  const groups = await setGroups(write, pk)
  const record = async (kind: EventKind, details: Details) => {
    if (Object.keys(details).length) await recordEvent(write, { kind, user: pk, actor: caller.pk, details })
  }
  await record('account_changed', changes('username', 'first_name', 'last_name', 'is_active'))
  await record('rights_changed', { ...changes('is_staff', 'is_superuser'), ...(groups && { groups }) })
  if (isChanged('is_active') && values.is_active === false) await endAccess(write, pk)
  if (typeof values.email === 'string' && values.email !== '' && values.email !== before.email)
    await changeEmail(write, pk, values.email)
}

/**
 * Sets the groups of an account to those that a write lists.
 * @returns the names of its groups before and after; undefined when the write lists none, or nothing changed
 */
async function setGroups(write: Write, pk: number): Promise<GroupChange | undefined> {
  const { group_ids } = write.values
  if (!Array.isArray(group_ids)) return undefined
  return changeGroups(write, pk, [...new Set(group_ids as number[])], { removesOthers: true })
}

/** The names of an account's groups before and after a change. */
type GroupChange = { before: string[]; after: string[] }

/**
 * Adds an account to groups, and removes it from all others if asked to. The caller holds the lock of the account.
 * @returns the names of its groups before and after; undefined when nothing changed
 */
export async function changeGroups(
  context: Pick<Services, 'accounts'> & { tx: Tx },
  pk: number,
  groups: readonly number[],
  { removesOthers }: { removesOthers: boolean },
): Promise<GroupChange | undefined> {
  const { tx } = context
  const before = await listGroupNames(tx, pk)
  const removedRows = removesOthers
    ? await tx.query('delete from user_group_member where "user" = $1 and "group" <> all($2::integer[]) returning pk', [
        pk,
        groups,
      ])
    : []
  const addedRows = await tx.query(
    `insert into user_group_member ("user", "group") select $1, g from unnest($2::integer[]) as given (g)
     on conflict do nothing returning pk`,
    [pk, groups],
  )
  if (removedRows.length + addedRows.length === 0) return undefined
  invalidateAccounts(context)
  // the account's version (its ETag) covers its groups
  await tx.query('update user_account set is_active = is_active where pk = $1', [pk])
  return { before, after: await listGroupNames(tx, pk) }
}

/** The names of an account's groups, sorted. */
async function listGroupNames(tx: Tx, user: number): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    'select g.name from user_group_member m join user_group g on g.pk = m."group" where m."user" = $1 order by g.name',
    [user],
  )
  return rows.map(({ name }) => name)
}

/**
 * Changes the account's address, which requires verification (docs/decisions.md#verified-email-addresses): the new address receives a
 * verification mail, and becomes the account's own when it is verified. An address that was verified before is accepted immediately.
 */
async function changeEmail(write: Write, user: number, email: string): Promise<void> {
  const existing = await write.tx.first<{ pk: number; email: string; verified: boolean }>(
    'select pk, email, verified from email_address where "user" = $1 and lower(email) = lower($2::text collate "C")',
    [user, email],
  )
  if (!existing) await addAddress(write, user, email, { primary: true })
  else if (existing.verified) await makePrimary(write, existing.pk)
  else await sendMail(write, { kind: 'verify', user, address: existing.email })
}
