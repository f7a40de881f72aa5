import { Secret } from 'otpauth'
import { hashToken } from '../../../../kit/services/secrets.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'

/** Number of codes that an account gets at once. */
const CODE_COUNT = 10

/** Letters of one code, of five bits each: enough that its unsalted hash reveals nothing. */
const CODE_LENGTH = 20

/** Removes the separators of a code, which only help to read it. */
const normalizeCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase()

/** Creates an account's recovery codes, `ABCDE-FGHIJ-KLMNO-PQRST`; earlier ones are invalidated. Only their hashes are stored. */
export async function createRecoveryCodes(tx: Tx, user: number): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, () => new Secret({ size: CODE_LENGTH }).base32.slice(0, CODE_LENGTH))
  await tx.query('delete from recovery_code where "user" = $1', [user])
  await tx.query('insert into recovery_code ("user", code_hash) select $1, unnest($2::bytea[])', [user, codes.map(hashToken)])
  return codes.map((code) => (code.match(/.{5}/g) as string[]).join('-'))
}

/** Counts the unused recovery codes of an account. */
export async function countRecoveryCodes(tx: Tx, user: number): Promise<number> {
  const row = await tx.first<{ count: number }>(
    'select count(*)::integer as count from recovery_code where "user" = $1 and used is null',
    [user],
  )
  return row?.count ?? 0
}

/** Marks a recovery code as used, ignoring case and hyphens. False when it does not exist, or was already used. */
export async function useRecoveryCode(tx: Tx, user: number, code: string): Promise<boolean> {
  const used = await tx.first(
    'update recovery_code set used = now() where "user" = $1 and code_hash = $2 and used is null returning pk',
    [user, hashToken(normalizeCode(code))],
  )
  return used !== undefined
}
