import { invalid, Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import type { Tx } from '../sql/tx.ts'
import { toCanonicalJson } from '../values/json.ts'

/** The response to the first request with a key. */
export type StoredResponse = { status: number; body: string }

export type KeyedRequest = { key: string; user: number; method: string; path: string; bodyHash: Buffer }

/** Reads an `Idempotency-Key`. The body's digest distinguishes a repeated request from another one under the same key. */
export function readKeyedRequest(key: string, user: number, method: string, path: string, bodyHash: Buffer): KeyedRequest {
  if (key.length < 1 || key.length > 255) throw invalid({ non_field_errors: [requestErrors.invalid_idempotency_key] })
  return { key, user, method, path, bodyHash }
}

/**
 * Claims a key in the transaction of its write. A second request with the key waits here until the first has ended: then it gets the stored
 * response, or, if the first was rejected and left nothing, is processed itself.
 */
export async function claimKey(tx: Tx, request: KeyedRequest): Promise<StoredResponse | undefined> {
  if (await insertKey(tx, request)) return undefined
  const stored = await readResponse(tx, request)
  if (!stored) throw new Problem('idempotency_in_progress')
  return stored
}

/** Stores a key, unless it exists: waits for a transaction that stores the same key. @returns whether it is new */
async function insertKey(tx: Tx, request: KeyedRequest): Promise<boolean> {
  const inserted = await tx.first(
    `insert into idempotency_key (key, "user", method, path, body_hash) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning key`,
    [request.key, request.user, request.method, request.path, request.bodyHash],
  )
  return inserted !== undefined
}

/**
 * Returns the response to the first request with a key; undefined if there was none.
 * @throws Problem 422 if that was a different request
 */
async function readResponse(tx: Tx, request: KeyedRequest): Promise<StoredResponse | undefined> {
  const stored = await tx.first<{ method: string; path: string; body_hash: Buffer; status: number | null; body: string | null }>(
    `select method, path, body_hash, status, body from idempotency_key where key = $1 and "user" = $2`,
    [request.key, request.user],
  )
  if (!stored) return undefined
  if (stored.method !== request.method || stored.path !== request.path || !stored.body_hash.equals(request.bodyHash))
    throw new Problem('idempotency_mismatch')
  if (stored.status === null) return undefined
  return { status: stored.status, body: stored.body ?? '' }
}

/**
 * Notes that a request with a key begins, if its work has transactions of its own and may run again.
 * @returns the response to the first request with the key; otherwise whether an earlier request began and did not end
 */
export async function beginKey(tx: Tx, request: KeyedRequest): Promise<StoredResponse | { isRepeated: boolean }> {
  return (await insertKey(tx, request)) ? { isRepeated: false } : ((await readResponse(tx, request)) ?? { isRepeated: true })
}

/** Forgets a key whose request was rejected: the next one with it is processed. */
export async function releaseKey(tx: Tx, request: KeyedRequest): Promise<void> {
  await tx.query(`delete from idempotency_key where key = $1 and "user" = $2 and status is null`, [request.key, request.user])
}

/** Stores the response with the write, in its transaction. */
export async function storeResponse(tx: Tx, request: KeyedRequest, response: StoredResponse): Promise<void> {
  await tx.query(`update idempotency_key set status = $3, body = $4 where key = $1 and "user" = $2`, [
    request.key,
    request.user,
    response.status,
    response.body,
  ])
}

/** Converts a body to canonical JSON, in which key order and number notation make no difference. */
export function toComparableText(body: unknown): string {
  try {
    return toCanonicalJson(body)
  } catch {
    throw new Problem('malformed', requestErrors.repeatable_request_too_deep)
  }
}
