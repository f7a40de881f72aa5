import type { Pool } from 'pg'
import { verifyPassword } from '../resources/user/password.ts'
import { OWNER, PASSWORD } from '../resources/web/demo/demo-accounts.ts'

/** Sign-in instructions for the demo, shown when the service starts; undefined if there is no demo, or its password was changed. */
export async function describeDemoSignIn(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query('select password from user_account where username = $1 and is_active', [OWNER])
  const isAvailable = rows[0] !== undefined && (await verifyPassword(PASSWORD, rows[0].password))
  return isAvailable ? `sign in as ${OWNER} with the password ${PASSWORD}` : undefined
}
