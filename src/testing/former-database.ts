import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../database/migrate.ts'
import { MIGRATIONS } from '../paths.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'

/** Creates an empty database as it was after this migration. `migrate` brings it to the current version. */
export async function createFormerDatabase(tag: string): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-migrations-'))
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as { entries: { tag: string }[] }
  const entries = journal.entries.slice(0, journal.entries.findIndex((entry) => entry.tag === tag) + 1)
  mkdirSync(join(folder, 'meta'))
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  for (const entry of entries) cpSync(join(MIGRATIONS, `${entry.tag}.sql`), join(folder, `${entry.tag}.sql`))
  const database = await cloneDatabase('template0', 2)
  try {
    await migrate(database.pool, { folder })
  } finally {
    rmSync(folder, { recursive: true })
  }
  return database
}
