import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { secretKey } from '../../../config.ts'
import { action } from '../../../kit/action.ts'
import { signedIn } from '../../../kit/caller.ts'
import { texts } from '../../../kit/errors.ts'
import { invalid } from '../../../kit/problem.ts'
import { deriveKey, hashKey } from './key.ts'

/** Days that a token lives. */
const LIFETIME = 365

/**
 * The caller's live token of this name; it is made when there is none. Asking again gives the same key.
 */
export const readToken = action({
  method: 'GET',
  path: '/api/user/token/',
  summary: 'The token of this name, made on first request',
  access: signedIn,
  query: { name: 'The name of the token; clients use one name each.' },
  answer: Type.Object({
    token: Type.String({ minLength: 50, maxLength: 100 }),
    name: Type.String(),
    expiry: Type.String({ format: 'date' }),
  }),
  async run({ tx, caller, query, config }) {
    const name = readName(query.name ?? '')
    const secret = secretKey(config)
    // two requests of one account at once would make two tokens of one name
    await tx.query('select 1 from user_account where pk = $1 for no key update', [caller.pk])
    const live = await tx.query<{ salt: Buffer; created: string; expiry: string; key_hash: Buffer }>(
      `select salt, to_char(created, 'YYYY-MM-DD') as created, expiry, key_hash from api_token where "user" = $1 and name = $2 and not revoked and expiry >= current_date order by pk`,
      [caller.pk, name],
    )
    // a token made under another secret cannot be shown again
    for (const token of live) {
      const key = deriveKey(secret, token.salt, token.created)
      if (hashKey(key).equals(token.key_hash)) return { token: key, name, expiry: token.expiry }
    }
    const salt = randomBytes(32)
    const created = new Date().toISOString().slice(0, 10)
    const key = deriveKey(secret, salt, created)
    const made = await tx.first<{ expiry: string }>(
      `insert into api_token ("user", name, salt, key_hash, created, expiry) values ($1, $2, $3, $4, $5::date, $5::date + $6::integer) returning expiry`,
      [caller.pk, name, salt, hashKey(key), created, LIFETIME],
    )
    return { token: key, name, expiry: made?.expiry }
  },
})

/** A name as it is kept: trimmed, without control characters, blanks as hyphens, at most 100 characters. */
function readName(given: string): string {
  if (/<\/?[a-zA-Z!][^<>]*>/.test(given)) throw invalid({ name: [texts.html] })
  return given.trim().replaceAll(/\p{C}/gu, '').replaceAll(/\s/g, '-').slice(0, 100)
}
