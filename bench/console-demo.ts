import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { loadConfig } from '../src/config.ts'
import { openDatabase } from '../src/database/with-database.ts'
import { fillDemo } from '../src/demo-command.ts'
import { createSuperuser } from '../src/resources/user/first-account.ts'
import { USER } from './databases.ts'

/** Passes a database with the demo data, and the account of the benchmark, to `work`. It is deleted afterwards. */
export async function withDemoDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-bench-'))
  const log = pino({ level: 'silent' })
  const config = loadConfig({ SECRET_KEY: 'a secret of the benchmark that is long enough', DATA_DIR: folder })
  const { pool, url, stop } = await openDatabase(config, log)
  try {
    await fillDemo({ config, pool, databaseUrl: url, log })
    await createSuperuser(pool, { ...USER, email: '' })
    return await work(url)
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
