import type { Pool } from 'pg'
import type { Config } from '../../config.ts'
import { Secrets } from '../../kit/services/secrets.ts'
import { OperatorError } from '../../operator-error.ts'
import { getSecretKey } from '../../secret-key.ts'
import { deriveSetupCode } from '../auth/registration/setup-code.ts'
import { hashPassword } from './password.ts'

export type NewAdmin = { username: string; password: string; email: string }

/** Creates a superuser. Throws OperatorError when the name is taken. */
export async function createSuperuser(pool: Pool, { username, password, email }: NewAdmin): Promise<void> {
  const { rowCount } = await pool.query(
    'insert into user_account (username, password, email, is_staff, is_superuser) values ($1, $2, $3, true, true) on conflict do nothing',
    [username, await hashPassword(password), email],
  )
  if (rowCount === 0) throw new OperatorError(`an account named ${username} exists already`)
}

/**
 * Creates the superuser of ADMIN_USERNAME when there is no account (docs/decisions.md#first-account).
 * @returns instructions for the operator to sign in, `sign in with ...`, or to create the first account, with the
 *   setup code while it is valid: as long as there is no superuser
 */
export async function ensureFirstAccount(pool: Pool, config: Config): Promise<string> {
  const { rows } = await pool.query('select count(*)::integer as accounts, bool_or(is_superuser) as superuser from user_account')
  const { accounts, superuser } = rows[0]
  const ignoredNote =
    accounts > 0 && config.adminUsername ? '; ADMIN_USERNAME is ignored, because there are accounts already' : ''
  if (superuser) return `sign in with one of its accounts${ignoredNote}`
  const { adminUsername: username, adminPassword: password, adminEmail: email = '' } = config
  if (accounts === 0 && username !== undefined && password !== undefined) {
    await createSuperuser(pool, { username, password, email })
    return `sign in as ${username} with the password in ADMIN_PASSWORD`
  }
  const code = deriveSetupCode(new Secrets([getSecretKey(config)]))
  const missing = accounts > 0 ? 'there is no superuser yet' : 'there is no account yet'
  return `create a superuser (${missing}): register with the setup code ${code}, or stop and run "npx stockroom admin create"${ignoredNote}`
}
