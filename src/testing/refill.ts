import type { Pool } from 'pg'

/** What PostgreSQL says of a statement that it ended because two waited for each other. */
const DEADLOCK = '40P01'

/**
 * Carries out statements that empty tables and perhaps fill them anew, all of them or none. Emptying takes one table after another, and
 * what the service does by itself reads them in an order of its own: where each waits for the other, PostgreSQL ends one, and this is
 * asked again.
 */
export async function refill({ pool }: { pool: Pool }, statements: string): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      await pool.query(statements)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || round === 10) throw error
    }
  }
}
