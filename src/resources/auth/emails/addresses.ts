import type { Caller } from '../../../kit/request/caller.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { invalid, invalidObject, notFound } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { sendMail } from '../../email/mail.ts'
import { invalidateAccounts } from '../../user/invalidate-accounts.ts'
import { type EventKind, recordEvent } from '../../user/security-event/record-event.ts'
import { accountErrors } from '../account-errors.ts'
import { lockAccount } from '../lock-account.ts'

/** A stored email address of an account. */
export type Address = { pk: number; user: number; email: string; verified: boolean; primary: boolean }

/** Context for changing an address; the request of an action has it. */
export type AddressContext = Pick<Services, 'config' | 'jobs' | 'accounts'> & { tx: Tx; exchange?: Exchange; caller?: Caller }

/** Maximum addresses of an account, and maximum additions in a day: each sends an email. */
const MAX_ADDRESSES = 50

const COLUMNS = 'pk, "user", email, verified, "primary"'

/**
 * Adds an address to an account, and emails the link that verifies it. Whether another account has the address makes no difference, and so
 * reveals nothing.
 * @param options.primary also makes it the primary one, if an unverified address can be that (docs/decisions.md#primary-email-address)
 * @param options.proven a third party, such as a single sign-on provider, vouches that the account owns it: it is verified immediately
 *   unless another account has verified it
 * @param options.mails whether the link is emailed; by default it is, unless the address is proven
 * @throws Problem 400 when the account has it already, or too many
 */
export async function addAddress(
  context: AddressContext,
  user: number,
  email: string,
  { primary = false, proven = false, mails = !proven }: { primary?: boolean; proven?: boolean; mails?: boolean } = {},
): Promise<Address> {
  const { tx } = context
  await lockAccount(tx, user)
  if (await hasTooManyAddresses(tx, user)) throw invalid({ email: [accountErrors.max_emails({ max_emails: MAX_ADDRESSES })] })
  const added = await tx.first<Address>(
    `insert into email_address ("user", email) values ($1, $2) on conflict ("user", lower(email)) do nothing returning ${COLUMNS}`,
    [user, email],
  )
  if (!added) throw invalidObject(accountErrors.email_exists)
  await recordAddressEvent(context, 'address_added', added)
  if (proven) await verifyAddress(context, added.pk)
  if (mails) await sendMail(context, { kind: 'verify', user, address: added.email })
  if (primary && !(await hasVerifiedPrimary(tx, user))) await makePrimary(context, added.pk)
  return getAddress(tx, added.pk)
}

/**
 * Marks an address as verified. It becomes the primary one if the account has none.
 * @returns false when another account has verified it: then nothing changes
 */
export async function verifyAddress(context: AddressContext, pk: number): Promise<boolean> {
  const { tx } = context
  const address = await lockAddress(tx, pk)
  if (address.verified) return true
  // of two accounts that verify one address concurrently, the second has to see the first one's change
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('address ' || lower($1::text collate "C"), 0))`, [address.email])
  if ((await findOwner(tx, address.email)) !== undefined) return false
  await tx.query('update email_address set verified = true where pk = $1', [pk])
  await recordAddressEvent(context, 'address_verified', address)
  const [primary] = await tx.query('select from email_address where "user" = $1 and "primary"', [address.user])
  if (primary) await updateAccountAddress(context, address.user)
  else await makePrimary(context, pk)
  return true
}

/**
 * Makes an address the primary one of its account. An unverified one qualifies only while there is no verified one.
 * @throws Problem 400
 */
export async function makePrimary(context: AddressContext, pk: number): Promise<Address> {
  const { tx } = context
  const address = await lockAddress(tx, pk)
  if (address.primary) return address
  if (!address.verified && (await hasVerifiedPrimary(tx, address.user)))
    throw invalidObject(accountErrors.primary_email_unverified)
  await tx.query('update email_address set "primary" = false where "user" = $1 and "primary"', [address.user])
  await tx.query('update email_address set "primary" = true where pk = $1', [pk])
  await recordAddressEvent(context, 'address_primary', address)
  await updateAccountAddress(context, address.user)
  return getAddress(tx, pk)
}

/**
 * Removes an address from its account; the primary one only when it is the last.
 * @throws Problem 400
 */
export async function removeAddress(context: AddressContext, pk: number): Promise<Address> {
  const { tx } = context
  const address = await lockAddress(tx, pk)
  if (address.primary) {
    const [other] = await tx.query('select from email_address where "user" = $1 and pk <> $2 limit 1', [address.user, pk])
    if (other) throw invalidObject(accountErrors.primary_email_needed)
  }
  await tx.query('delete from email_address where pk = $1', [pk])
  await recordAddressEvent(context, 'address_removed', address)
  await updateAccountAddress(context, address.user, address.email)
  return address
}

/**
 * Returns an address of an account, and locks both.
 * @throws Problem 404 when the account has no such address: it does not exist, or belongs to another
 */
export async function lockOwnAddress(tx: Tx, user: number, pk: number): Promise<Address> {
  await lockAccount(tx, user)
  const [addressRow] = await tx.query<Address>(`select ${COLUMNS} from email_address where pk = $1 and "user" = $2`, [pk, user])
  if (!addressRow) throw notFound()
  return addressRow
}

/** Returns the account that has verified an address; undefined if there is none. */
export async function findOwner(tx: Tx, email: string): Promise<number | undefined> {
  const text = 'select "user" from email_address where lower(email) = lower($1::text collate "C") and verified'
  return (await tx.first<{ user: number }>(text, [email]))?.user
}

/**
 * Updates the account's own address to the primary one: immediately when that is verified, or when the account has no own address; otherwise as
 * soon as it is verified (docs/decisions.md#verified-email-addresses). The previous address is notified.
 * @param removed address that the account no longer has
 */
async function updateAccountAddress(context: AddressContext, user: number, removed?: string): Promise<void> {
  const { tx } = context
  const account = await tx.first<{ before: string; own: string; email: string | null; verified: boolean | null }>(
    `select u.email as before, case when lower(u.email) = lower($2::text collate "C") then '' else u.email end as own,
       e.email, e.verified
     from user_account u left join email_address e on e."user" = u.pk and e."primary" where u.pk = $1`,
    [user, removed ?? null],
  )
  if (!account) return
  const { before, own, email, verified } = account
  const next = email !== null && (verified || own === '') ? email : own
  if (next === before) return
  invalidateAccounts(context)
  await tx.query('update user_account set email = $2 where pk = $1', [user, next])
  if (before !== '' && before.toLowerCase() !== next.toLowerCase())
    await sendMail(context, { kind: 'address_changed', user, address: before })
}

async function hasTooManyAddresses(tx: Tx, user: number): Promise<boolean> {
  const row = await tx.first<{ many: boolean }>(
    `select greatest((select count(*) from email_address where "user" = $1),
       (select count(*) from security_event where "user" = $1 and kind = 'address_added' and created > now() - interval '1 day')) >= $2 as many`,
    [user, MAX_ADDRESSES],
  )
  return row?.many ?? false
}

async function hasVerifiedPrimary(tx: Tx, user: number): Promise<boolean> {
  return (await tx.first('select from email_address where "user" = $1 and "primary" and verified', [user])) !== undefined
}

/** @throws Problem 404 */
async function lockAddress(tx: Tx, pk: number): Promise<Address> {
  await lockAccount(tx, (await getAddress(tx, pk)).user)
  // it may have changed while waiting for the lock
  return getAddress(tx, pk)
}

async function getAddress(tx: Tx, pk: number): Promise<Address> {
  const addressRow = await tx.first<Address>(`select ${COLUMNS} from email_address where pk = $1`, [pk])
  if (!addressRow) throw notFound()
  return addressRow
}

const recordAddressEvent = (context: AddressContext, kind: EventKind, { user, email }: Address) =>
  recordEvent(context, { kind, user, actor: context.caller?.pk, details: { address: email } })
