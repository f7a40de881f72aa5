import type { Pool } from 'pg'
import { type Config, secretKey } from '../../config.ts'
import { Secrets } from '../../kit/services/secrets.ts'
import { OperatorError } from '../../operator-error.ts'
import { setupCode } from '../auth/registration/setup-code.ts'
import { hashPassword } from './password.ts'

export type NewAdmin = { username: string; password: string; email: string }

/** Makes a superuser. Throws OperatorError when the name is taken. */
export async function createSuperuser(pool: Pool, { username, password, email }: NewAdmin): Promise<void> {
  const { rowCount } = await pool.query(
    'insert into user_account (username, password, email, is_staff, is_superuser) values ($1, $2, $3, true, true) on conflict do nothing',
    [username, await hashPassword(password), email],
  )
  if (rowCount === 0) throw new OperatorError(`an account named ${username} exists already`)
}

/**
 * Makes the superuser of ADMIN_USERNAME when there is no account (decision 14).
 * @returns how the first account comes to be, in words for whoever started the service; with the setup code as long as it is
 *   good: while there is no superuser (decision 32)
 */
export async function ensureFirstAccount(pool: Pool, config: Config): Promise<string> {
  const { rows } = await pool.query('select count(*)::integer as accounts, bool_or(is_superuser) as superuser from user_account')
  const { accounts, superuser } = rows[0]
  const passedOver =
    accounts > 0 && config.adminUsername ? '; ADMIN_USERNAME is passed over, because there are accounts already' : ''
  if (superuser) return `Sign in with one of its accounts${passedOver}`
  if (accounts > 0 || config.adminUsername === undefined || config.adminPassword === undefined) {
    const code = setupCode(new Secrets([secretKey(config)]))
    const what = accounts > 0 ? 'There is no superuser yet' : 'There is no account yet'
    return `${what}: register with the setup code ${code}, or use "npx stockroom admin create"${accounts > 0 ? passedOver : ', or start with ADMIN_USERNAME and ADMIN_PASSWORD set'}`
  }
  await createSuperuser(pool, { username: config.adminUsername, password: config.adminPassword, email: config.adminEmail ?? '' })
  return `The first account, ${config.adminUsername}, was made from ADMIN_USERNAME`
}
