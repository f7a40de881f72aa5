import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, Pool } from 'pg'
import { OperatorError } from '../operator-error.ts'
import { MIGRATIONS } from '../paths.ts'
import { withDedicatedConnection } from './own-connection.ts'

type Migration = { tag: string; text: string; hash: string }

/** Any number works, as long as every version of the program uses the same. */
const MIGRATION_LOCK_KEY = 7_215_839_046

/**
 * Migrates the database to the version that this program needs, each migration in its own transaction. Programs that start at the same time
 * wait for each other.
 * @param folder as drizzle-kit writes it: `meta/_journal.json`, and one `.sql` file for each of its entries
 * @returns the tags of the migrations applied now, in order
 * @throws OperatorError when the database is newer than the program, or a migration was changed after it was applied
 */
export async function migrate(pool: Pool, folder = MIGRATIONS): Promise<string[]> {
  const migrations = readMigrations(folder)
  return await withMigrationLock(pool, (client) => applyMissingMigrations(client, migrations))
}

/** A migration applied to a database, with the hash of its text. */
export type AppliedMigration = Pick<Migration, 'tag' | 'hash'>

/** The migrations applied to a database, in order; empty if Stockroom has never used it. */
export async function readAppliedMigrations(database: Pool | Client): Promise<AppliedMigration[]> {
  const { rows } = await database.query(`select to_regclass('migration') is not null as exists`)
  if (!rows[0].exists) return []
  return (await database.query<AppliedMigration>('select tag, hash from migration order by tag collate "C"')).rows
}

/**
 * Migrates an empty database to the version of another, which may be an earlier one.
 * @throws OperatorError when this program does not have those migrations
 */
export async function migrateTo(pool: Pool, appliedMigrations: readonly AppliedMigration[]): Promise<void> {
  const knownTags = new Map(readMigrations(MIGRATIONS).map((migration) => [migration.tag, migration]))
  const migrations = appliedMigrations.map(({ tag, hash }) => {
    const migration = knownTags.get(tag)
    if (migration?.hash === hash) return migration
    throw new OperatorError(
      migration
        ? `the migration ${tag} differs in this program`
        : `a newer program is required: this one does not have the migration ${tag}`,
    )
  })
  await withMigrationLock(pool, (client) => applyMissingMigrations(client, migrations))
}

/**
 * Runs a change of the database's structure under a lock, without a timeout, on its own connection: building an index over a large table,
 * or waiting for another program that does, may take longer than any request.
 */
export async function withMigrationLock<Result>(pool: Pool, work: (client: Client) => Promise<Result>): Promise<Result> {
  return await withDedicatedConnection(pool, async (client) => {
    // closing the connection releases the lock, even after an error
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK_KEY])
    return await work(client)
  })
}

async function applyMissingMigrations(client: Client, migrations: Migration[]): Promise<string[]> {
  await client.query(
    'create table if not exists migration (tag text primary key, hash text not null, applied timestamptz not null)',
  )
  const { rows } = await client.query<{ tag: string; hash: string }>('select tag, hash from migration order by tag collate "C"')
  const hashByTag = new Map(rows.map(({ tag, hash }) => [tag, hash]))

  const knownTags = new Set(migrations.map(({ tag }) => tag))
  const unknown = [...hashByTag.keys()].filter((tag) => !knownTags.has(tag))
  if (unknown.length > 0) {
    throw new OperatorError(
      `the database is newer than this program: it has ${unknown.join(', ')}, which this program does not have`,
    )
  }
  const changed = migrations.filter(({ tag, hash }) => hashByTag.has(tag) && hashByTag.get(tag) !== hash)
  if (changed.length > 0) {
    const tags = changed.map(({ tag }) => tag).join(', ')
    throw new OperatorError(
      `the migration ${tags} differs from the one that was applied to this database: it was changed afterwards`,
    )
  }

  const missing = migrations.filter(({ tag }) => !hashByTag.has(tag))
  for (const migration of missing) await applyMigration(client, migration)
  return missing.map(({ tag }) => tag)
}

async function applyMigration(client: Client, { tag, text, hash }: Migration): Promise<void> {
  try {
    // changes by a migration emit no events
    await client.query('begin; set local stockroom.events = off')
    // The breakpoints between the statements are comments for PostgreSQL, which executes the file as a whole.
    await client.query(text)
    await client.query('insert into migration (tag, hash, applied) values ($1, $2, now())', [tag, hash])
    await client.query('commit')
  } catch (error) {
    throw new Error(`the migration ${tag} failed: ${(error as Error).message}`, { cause: error })
  }
}

function readMigrations(folder: string): Migration[] {
  const journal = join(folder, 'meta', '_journal.json')
  if (!existsSync(journal)) throw new OperatorError(`this program is incomplete: ${journal} is missing`)
  const { entries } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { idx: number; tag: string }[] }
  return entries
    .toSorted((one, other) => one.idx - other.idx)
    .map(({ tag }) => {
      const text = readFileSync(join(folder, `${tag}.sql`), 'utf8')
      return { tag, text, hash: createHash('sha256').update(text).digest('hex') }
    })
}
