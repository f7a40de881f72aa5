import { Secret } from 'otpauth'
import { hashToken } from '../../../../kit/services/secrets.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'

/** How many codes an account gets at a time. */
const CODES = 10

/** Letters of one code, of five bits each: enough that its plain hash tells nothing (decision 39). */
const LETTERS = 20

/** A code without what only helps to read it. */
const plain = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase()

/** Makes an account's recovery codes, `ABCDE-FGHIJ-KLMNO-PQRST`; earlier ones are void. They are stored as hashes alone. */
export async function makeRecoveryCodes(tx: Tx, user: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => new Secret({ size: LETTERS }).base32.slice(0, LETTERS))
  await tx.query('delete from recovery_code where "user" = $1', [user])
  await tx.query('insert into recovery_code ("user", code_hash) select $1, unnest($2::bytea[])', [user, codes.map(hashToken)])
  return codes.map((code) => (code.match(/.{5}/g) as string[]).join('-'))
}

/** How many of its recovery codes an account has not used. */
export async function countRecoveryCodes(tx: Tx, user: number): Promise<number> {
  const row = await tx.first<{ count: number }>(
    'select count(*)::integer as count from recovery_code where "user" = $1 and used is null',
    [user],
  )
  return row?.count ?? 0
}

/** Uses a recovery code up, whatever its case, with or without its hyphens. False when there is none such, or it was used. */
export async function useRecoveryCode(tx: Tx, user: number, code: string): Promise<boolean> {
  const used = await tx.first(
    'update recovery_code set used = now() where "user" = $1 and code_hash = $2 and used is null returning pk',
    [user, hashToken(plain(code))],
  )
  return used !== undefined
}
