import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, Pool } from 'pg'
import { OperatorError } from '../operator-error.ts'
import { MIGRATIONS } from '../paths.ts'
import { VERSION } from '../version.ts'
import { formatReason } from './connect.ts'
import { withDedicatedConnection } from './own-connection.ts'

type Migration = { tag: string; text: string; hash: string }

/** Any number works, as long as every version of the program uses the same. */
const MIGRATION_LOCK_KEY = 7_215_839_046

/** The migrations of an older database: those applied to it, and the names of those that it still needs. */
export type PendingUpdate = { applied: AppliedMigration[]; missing: string[] }

export type MigrateOptions = {
  /** The folder of migrations, as drizzle-kit writes it: `meta/_journal.json`, and one `.sql` file for each of its entries. */
  folder?: string
  /**
   * Called before an older database is changed, while other programs that start wait. If it throws, nothing is changed. Not called for a
   * database without migrations.
   */
  prepare?: (update: PendingUpdate) => Promise<unknown>
}

/**
 * Migrates the database to the version that this program needs, in one transaction: a failure leaves it in the state of the previous version.
 * Programs that start at the same time wait for each other.
 * @returns the tags of the migrations applied now, in order
 * @throws OperatorError when the database is newer than the program, a migration was changed after it was applied, or one fails
 */
export async function migrate(pool: Pool, { folder = MIGRATIONS, prepare }: MigrateOptions = {}): Promise<string[]> {
  const migrations = readMigrations(folder)
  return await withMigrationLock(pool, async (client) => {
    const applied = await readAppliedMigrations(client)
    const missing = findMissingMigrations(applied, migrations)
    if (missing.length === 0) return []
    if (applied.length > 0) await prepare?.({ applied, missing: missing.map(({ tag }) => tag) })
    await applyMigrations(client, missing)
    return missing.map(({ tag }) => tag)
  })
}

/**
 * Compares a database with this program.
 * @param applied the migrations of the database, or of a backup
 * @returns the names of the migrations that it needs to be used by this program; empty if it is current
 * @throws OperatorError when it is newer than the program, or a migration was changed after it was applied
 */
export const listMissingMigrations = (applied: readonly AppliedMigration[], holder?: 'database' | 'backup'): string[] =>
  findMissingMigrations(applied, readMigrations(MIGRATIONS), holder).map(({ tag }) => tag)

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
  const all = readMigrations(MIGRATIONS)
  findMissingMigrations(appliedMigrations, all, 'backup')
  const tags = new Set(appliedMigrations.map(({ tag }) => tag))
  await withMigrationLock(pool, async (client) => {
    const migrations = all.filter(({ tag }) => tags.has(tag))
    const missing = findMissingMigrations(await readAppliedMigrations(client), migrations)
    await applyMigrations(client, missing)
  })
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

/**
 * Finds the migrations that are missing from a database.
 * @throws OperatorError when the database has others, or other texts of these
 */
function findMissingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
  holder: 'database' | 'backup' = 'database',
): Migration[] {
  const known = new Map(migrations.map(({ tag, hash }) => [tag, hash]))
  const unknown = applied.filter(({ tag }) => !known.has(tag)).map(({ tag }) => tag)
  if (unknown.length > 0) {
    const [first, more] = [unknown[0], unknown.length - 1]
    const names = more > 0 ? `migrations ${first} and ${more} more` : `migration ${first}`
    throw new OperatorError(
      `the ${holder} is newer than this program (${VERSION}), which does not have its ${names}; use the newer version${holder === 'database' ? ', or restore a backup from before its update' : ''}`,
    )
  }
  const changed = applied.filter(({ tag, hash }) => known.get(tag) !== hash).map(({ tag }) => tag)
  if (changed.length > 0) {
    throw new OperatorError(
      `the migration ${changed.join(', ')} differs from the one that was applied to the ${holder}: it was changed afterwards`,
    )
  }
  const appliedTags = new Set(applied.map(({ tag }) => tag))
  return migrations.filter(({ tag }) => !appliedTags.has(tag))
}

/** Applies migrations in one transaction. */
async function applyMigrations(client: Client, migrations: readonly Migration[]): Promise<void> {
  let step = 'the beginning'
  try {
    // changes by a migration emit no events
    await client.query('begin; set local stockroom.events = off')
    await client.query(
      'create table if not exists migration (tag text primary key, hash text not null, applied timestamptz not null)',
    )
    for (const { tag, text, hash } of migrations) {
      step = `the migration ${tag}`
      // The breakpoints between the statements are comments for PostgreSQL, which executes the file as a whole.
      await client.query(text)
      // as at the end of a transaction: a table with pending triggers cannot be altered by the next migration
      await client.query('set constraints all immediate')
      await client.query('insert into migration (tag, hash, applied) values ($1, $2, now())', [tag, hash])
    }
    step = 'the commit'
    await client.query('commit')
  } catch (error) {
    throw describeFailure(error as Error & { code?: string }, step)
  }
}

/** Hints for errors of PostgreSQL that the operator can fix, by code. */
const HINTS: Readonly<Record<string, string>> = {
  '53100': 'the disk of the database is full',
  '42501': 'the database user lacks a privilege',
  '53200': 'the database is out of memory',
  '40P01': 'other processes use the database, and have to be stopped',
}

/** An error of a migration as a message for the operator. PostgreSQL has rolled the transaction back. */
function describeFailure(error: Error & { code?: string }, step: string): OperatorError {
  // only PostgreSQL itself gives five characters
  const isReported = error.code !== undefined && /^[0-9A-Z]{5}$/.test(error.code)
  const hint = error.code === undefined ? undefined : HINTS[error.code]
  const reason = `${hint ? `${hint}: ` : ''}${formatReason(error)}`
  if (!isReported && step === 'the commit')
    return new OperatorError(
      `the connection to the database was lost at the end of its update (${reason}); start this version again, which completes the update if that is still needed`,
      { cause: error },
    )
  return new OperatorError(
    `the update of the database failed at ${step} (${reason}); the database is unchanged: the previous version still opens it; to go on, remove the cause and start this version again, or start the previous version`,
    { cause: error },
  )
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
