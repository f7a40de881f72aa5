import { randomBytes } from 'node:crypto'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { hashToken } from '../../../kit/services/secrets.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { lockAccount } from '../../auth/lock-account.ts'
import { recordEvent } from '../security-event/record-event.ts'
import { deriveKey } from './key.ts'

/** Lifetime of a token in days. */
const LIFETIME_DAYS = 365

/** Maximum number of live tokens of an account, in addition to the unnamed one, which every log-in returns. */
const MAX_TOKENS = 100

/** The key of a token, and the last day on which it is valid. */
export type LiveToken = { token: string; expiry: string }

/** A new token: `expiry` undefined for a year, null for unlimited. */
type TokenValues = { name: string; expiry?: string | null; readOnly?: boolean; isShownOnce?: boolean }

type Context = Pick<Services, 'secrets'> & { tx: Tx; exchange: Exchange }
type Row = { salt: Buffer; created: string; expiry: string; key_hash: Buffer }

/**
 * Returns an account's live token with this name, neither revoked nor expired. It is created when there is none, so that repeated requests
 * return the same key.
 * @throws Problem 400 on `name` when the account has too many
 */
export async function ensureLiveToken({ tx, secrets, exchange }: Context, user: number, name: string): Promise<LiveToken> {
  // two concurrent requests of one account would create two tokens with one name
  await lockAccount(tx, user)
  const live = await tx.query<Row>(
    `select salt, to_char(created, 'YYYY-MM-DD') as created, expiry, key_hash from api_token where "user" = $1 and name = $2 and not revoked and not read_only and length(salt) > 0 and expiry >= current_date order by pk`,
    [user, name],
  )
  for (const row of live) {
    const token = deriveTokenKey(secrets.all, row)
    if (token) return { token, expiry: row.expiry }
  }
  const { token, expiry } = await createToken({ tx, secrets, exchange }, user, { name })
  return { token, expiry: expiry as string }
}

/**
 * Creates a token of an account, which must be locked.
 * @param values.isShownOnce whether its key is never returned again: its salt, without which the key cannot be derived, is not stored
 * @throws Problem 400 on `name` when the account has too many
 */
export async function createToken(
  { tx, secrets, exchange }: Context,
  user: number,
  { name, expiry, readOnly = false, isShownOnce = false }: TokenValues,
) {
  if (name !== '' && (await countNamedTokens(tx, user)) >= MAX_TOKENS)
    throw invalid({ name: [accountErrors.max_tokens({ max_tokens: MAX_TOKENS })] })
  const salt = randomBytes(32)
  const created = new Date().toISOString().slice(0, 10)
  const token = deriveKey(secrets.all[0] as string, salt, created)
  const row = await tx.first<{ pk: number; expiry: string | null }>(
    `insert into api_token ("user", name, salt, key_hash, created, expiry, read_only)
     values ($1, $2, $3, $4, $5::date, case when $6 then $7::date else $5::date + $8::integer end, $9) returning pk, expiry`,
    [
      user,
      name,
      isShownOnce ? Buffer.alloc(0) : salt,
      hashToken(token),
      created,
      expiry !== undefined,
      expiry ?? null,
      LIFETIME_DAYS,
      readOnly,
    ],
  )
  await recordEvent({ tx, exchange }, { kind: 'token_made', user, details: { name, ...(readOnly && { read_only: true }) } })
  return { pk: row?.pk as number, name, expiry: row?.expiry ?? null, read_only: readOnly, token }
}

async function countNamedTokens(tx: Tx, user: number): Promise<number> {
  const text = `select count(*)::integer as count from api_token
    where "user" = $1 and name <> '' and not revoked and coalesce(expiry >= current_date, true)`
  return ((await tx.first<{ count: number }>(text, [user])) as { count: number }).count
}

/** Derives the key of a token; undefined when it was created under a secret that is no longer configured, so that it cannot be shown again. */
function deriveTokenKey(secrets: readonly string[], { salt, created, key_hash }: Row): string | undefined {
  return secrets.map((secret) => deriveKey(secret, salt, created)).find((key) => hashToken(key).equals(key_hash))
}
