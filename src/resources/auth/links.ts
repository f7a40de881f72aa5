import { hashToken, randomToken } from '../../kit/services/secrets.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { lockAccount } from './lock-account.ts'

/** Purpose of a link: confirm an address, set a new password, sign in. */
export type LinkKind = 'verify' | 'reset' | 'sign_in'

/** A link that was emailed to an account. */
export type Link = { pk: number; user: number; address: string }

const DAY_SECONDS = 86_400

/** Lifetime of each kind of link, in seconds. */
export const LIFETIME_SECONDS: Readonly<Record<LinkKind, number>> = { verify: 3 * DAY_SECONDS, reset: DAY_SECONDS, sign_in: 300 }

/**
 * Whether an address (`{address}`) gives access to an account (`u`): it is the account's own, or it was verified for it. The own one counts
 * even before it is verified: it was given at registration as the way to reach the account, and its owner has no other way back in. A
 * further address, added later without verification, is not enough: its reader could take the account over; it becomes the own one only
 * when verified (docs/decisions.md#verified-email-addresses).
 */
const HAS_ADDRESS = `(lower(u.email) = lower({address}) or exists (select 1 from email_address e
  where e."user" = u.pk and e.verified and lower(e.email) = lower({address})))`

/**
 * Queries for the state of the account that a link depends on, as one string: a link is void as soon as the state changes. Undefined when there is no
 * such state. The rows are locked, so that no two links of one account are used concurrently.
 */
const STATE_QUERIES: Readonly<Record<LinkKind, string>> = {
  verify: `select e.pk || ' ' || lower(e.email) as state from email_address e join user_account u on u.pk = e."user"
    where e."user" = $1 and lower(e.email) = lower($2::text collate "C") and not e.verified and u.is_active for no key update of e`,
  reset: `select u.password as state from user_account u
    where u.pk = $1 and u.is_active and ${HAS_ADDRESS.replaceAll('{address}', '$2::text collate "C"')} for no key update of u`,
  get sign_in() {
    return this.reset
  },
}

async function hashState(tx: Tx, kind: LinkKind, user: number, address: string): Promise<Buffer | undefined> {
  const row = await tx.first<{ state: string }>(STATE_QUERIES[kind], [user, address])
  return row && hashToken(row.state)
}

/**
 * Returns the accounts that a link of this kind may be sent to at an address, each with its own spelling of the address: first the one that
 * has verified it, then the oldest, before those that others may have registered with it.
 */
export async function findAccountsByAddress(
  tx: Tx,
  kind: LinkKind,
  address: string,
): Promise<{ user: number; address: string }[]> {
  const addressValue = '$1::text collate "C"'
  if (kind === 'verify')
    return tx.query(
      `select e."user", e.email as address from email_address e join user_account u on u.pk = e."user"
       where lower(e.email) = lower(${addressValue}) and not e.verified and u.is_active order by e.pk`,
      [address],
    )
  return tx.query(
    `select u.pk as user, coalesce((select e.email from email_address e
       where e."user" = u.pk and e.verified and lower(e.email) = lower(${addressValue})), u.email) as address
     from user_account u where u.is_active and ${HAS_ADDRESS.replaceAll('{address}', addressValue)}
     order by exists (select from email_address e
       where e."user" = u.pk and e.verified and lower(e.email) = lower(${addressValue})) desc, u.pk`,
    [address],
  )
}

/**
 * Creates a link and returns its token, of which only the hash is stored. Earlier links of the kind for the same account and
 * address are invalidated.
 * @param lifetime seconds
 * @returns undefined when the account is inactive, the address is not its own, or is verified already
 */
export async function createLink(
  tx: Tx,
  { kind, user, address }: { kind: LinkKind; user: number; address: string },
  lifetime = LIFETIME_SECONDS[kind],
): Promise<string | undefined> {
  await lockAccount(tx, user)
  const state = await hashState(tx, kind, user, address)
  if (!state) return undefined
  await tx.query(
    `delete from account_link where "user" = $1
     and ((kind = $2 and lower(address) = lower($3::text collate "C")) or expires < now())`,
    [user, kind, address],
  )
  const token = randomToken()
  await tx.query(
    `insert into account_link (kind, "user", address, token_hash, bound_to, expires)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
    [kind, user, address, hashToken(token), state, lifetime],
  )
  return token
}

/**
 * Finds the unused link of a token and locks it together with its account; undefined when there is none, it was used, has expired, or its
 * state has changed: the password was changed, the account closed, the address removed or verified.
 */
export async function findLink(tx: Tx, kind: LinkKind, token: string): Promise<Link | undefined> {
  const holder = await tx.first<{ user: number }>('select "user" from account_link where token_hash = $1', [hashToken(token)])
  if (!holder) return undefined
  await lockAccount(tx, holder.user)
  const linkRow = await tx.first<Link & { bound_to: Buffer }>(
    `select pk, "user", address, bound_to from account_link
     where token_hash = $1 and kind = $2 and used is null and expires > now() for no key update`,
    [hashToken(token), kind],
  )
  if (!linkRow) return undefined
  const { bound_to, ...link } = linkRow
  const state = await hashState(tx, kind, link.user, link.address)
  return state?.equals(bound_to) ? link : undefined
}

/** Like `findLink`, but also marks the link as used. */
export async function useLink(tx: Tx, kind: LinkKind, token: string): Promise<Link | undefined> {
  const link = await findLink(tx, kind, token)
  if (link) await tx.query('update account_link set used = now() where pk = $1', [link.pk])
  return link
}

/** Encodes the key of an account in base 36, for a link that sets a password. */
export const encodeUid = (user: number): string => user.toString(36)

/** Decodes the key of the account in a link; undefined when it is malformed (docs/decisions.md#password-reset-links). */
export function decodeUid(uid: string): number | undefined {
  const user = /^[0-9a-z]{1,6}$/.test(uid) ? Number.parseInt(uid, 36) : 0
  return user > 0 && user < 2 ** 31 ? user : undefined
}
