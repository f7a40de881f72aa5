import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { createPool } from '../database/connect.ts'
import { startEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'

/** Runs `work` on an empty migrated database, which is deleted afterwards. */
export async function withMigratedDatabase<Result>(work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-documents-'))
  try {
    const server = await startEmbedded(folder, pino({ level: 'warn' }), { durable: false })
    const pool = createPool(server.url, 1)
    try {
      await migrate(pool)
      return await work(pool)
    } finally {
      await pool.end()
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
