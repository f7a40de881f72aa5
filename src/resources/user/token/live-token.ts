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
    `select salt, to_char(created, 'YYYY-MM-DD') as created, expiry, key_hash from api_token where "user" = $1 and name = $2 and not revoked and expiry >= current_date order by pk`,
    [user, name],
  )
  for (const row of live) {
    const token = deriveTokenKey(secrets.all, row)
    if (token) return { token, expiry: row.expiry }
  }
  if (name !== '' && (await countNamedTokens(tx, user)) >= MAX_TOKENS)
    throw invalid({ name: [accountErrors.max_tokens({ max_tokens: MAX_TOKENS })] })
  const salt = randomBytes(32)
  const created = new Date().toISOString().slice(0, 10)
  const token = deriveKey(secrets.all[0] as string, salt, created)
  const insertedRow = await tx.first<{ expiry: string }>(
    `insert into api_token ("user", name, salt, key_hash, created, expiry) values ($1, $2, $3, $4, $5::date, $5::date + $6::integer) returning expiry`,
    [user, name, salt, hashToken(token), created, LIFETIME_DAYS],
  )
  await recordEvent({ tx, exchange }, { kind: 'token_made', user, details: { name } })
  return { token, expiry: insertedRow?.expiry as string }
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
