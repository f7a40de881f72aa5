import type { Pool } from 'pg'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../operator-error.ts'
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
 * @returns how the first account comes to be, in words for whoever started the service
 */
export async function ensureFirstAccount(pool: Pool, config: Config): Promise<string> {
  const { rows } = await pool.query('select exists (select 1 from user_account) as any')
  if (rows[0].any) return 'Sign in with one of its accounts'
  if (config.adminUsername === undefined || config.adminPassword === undefined)
    return 'There is no account yet: make the first with "npx stockroom admin create", or start with ADMIN_USERNAME and ADMIN_PASSWORD set'
  await createSuperuser(pool, { username: config.adminUsername, password: config.adminPassword, email: config.adminEmail ?? '' })
  return `The first account, ${config.adminUsername}, was made from ADMIN_USERNAME`
}
