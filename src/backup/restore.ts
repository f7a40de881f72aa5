import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Client, Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { installJobTables } from '../database/job-tables.ts'
import { listMissingMigrations, migrateTo, readAppliedMigrations } from '../database/migrate.ts'
import { withDedicatedConnection } from '../database/own-connection.ts'
import type { Files } from '../kit/services/files.ts'
import { quote } from '../kit/sql/sql.ts'
import { OperatorError } from '../operator-error.ts'
import { BACKUP_QUEUE } from '../resources/background-task/backups.ts'
import { type BackupFile, type BackupTable, getTablePath, type Manifest, MEDIA } from '../resources/web/backup/manifest.ts'
import { formatCopyTarget } from './backup.ts'

export type RestoreOptions = {
  /** The folder of the backup, which `checkBackup` has verified. */
  folder: string
  manifest: Manifest
  /** The storage for files. */
  files: Files
  onProgress?: (phase: 'tables' | 'files') => (done: number, total: number) => void
}

/** Whether pending jobs were left out, because background work has another schema version now. */
export type RestoreResult = { withoutJobs: boolean }

/**
 * Loads a backup into an empty database in one transaction, in the migration state that it was made in: `migrate` then updates it. Every
 * foreign key is checked. Stored files are written first: those that no row refers to do no harm.
 * @throws OperatorError when the database is not empty, the backup is from a newer program, or any step fails: then the restore can be
 *   retried
 */
export async function restoreBackup(pool: Pool, options: RestoreOptions): Promise<RestoreResult> {
  const current = { step: 'the database' }
  try {
    return await restoreContents(pool, options, current)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const { message } = error as Error
    throw new OperatorError(`restoring failed at ${current.step}: ${message}; no rows were restored; you can try again`, {
      cause: error,
    })
  }
}

/** Restores the contents of a backup. Writes its current step to `current`. */
async function restoreContents(
  pool: Pool,
  { folder, manifest, files, onProgress }: RestoreOptions,
  current: { step: string },
): Promise<RestoreResult> {
  listMissingMigrations(manifest.migrations, 'backup')
  await requireEmpty(pool, manifest)
  for (const [index, { path, size, digest }] of manifest.files.entries()) {
    current.step = join(folder, MEDIA, path)
    onProgress?.('files')(index + 1, manifest.files.length)
    if (await isStored(files, { path, size, digest })) continue
    const stored = await files.write(path, createReadStream(join(folder, MEDIA, path)))
    if (stored.digest !== digest)
      throw new OperatorError(`the backup is damaged: ${join(folder, MEDIA, path)} was changed during the restore`)
  }
  current.step = 'the tables of the database'
  await migrateTo(pool, manifest.migrations)
  await installJobTables(pool)
  return await withDedicatedConnection(pool, async (client) => {
    const { rows } = await client.query<{ version: number }>('select version from pgboss.version')
    const withoutJobs = rows[0]?.version !== manifest.jobs
    const tables = manifest.tables.filter(({ schema }) => schema !== 'pgboss' || !withoutJobs)
    await client.query('begin')
    // a service that started on this database before the restore has created its queues
    if (!withoutJobs) await client.query('truncate pgboss.queue cascade')
    await withTriggersDisabled(client, async () => {
      for (const [index, table] of tables.entries()) {
        current.step = join(folder, getTablePath(table))
        await loadTable(client, folder, table)
        onProgress?.('tables')(index + 1, tables.length)
      }
      current.step = 'the references between rows'
    })
    // the backup was made by one of its own background tasks, which must not make another of what is restored
    if (!withoutJobs) await client.query('delete from pgboss.job_common where name = $1', [BACKUP_QUEUE])
    // the run that made the backup had not ended in its snapshot; it succeeded, as the backup is complete
    if (manifest.tables.some(({ name }) => name === 'backup_run'))
      await client.query('update backup_run set finished = $1 where finished is null', [manifest.made])
    current.step = 'the sequences'
    for (const { name, last } of manifest.sequences) {
      const [sequence] = (
        await client.query('select start_value from pg_sequences where schemaname = current_schema() and sequencename = $1', [
          name,
        ])
      ).rows
      if (!sequence) throw new Error(`the sequence ${name} does not exist`)
      await client.query('select setval($1::regclass, $2::bigint, $3)', [
        quote(name),
        last ?? sequence.start_value,
        last !== null,
      ])
    }
    await client.query('commit')
    await client.query('analyze')
    return { withoutJobs }
  })
}

/** Whether a file is already in the storage: with --replace most are, and may share their disk space with the backup. */
async function isStored(files: Files, { path, size, digest }: BackupFile): Promise<boolean> {
  if ((await files.find(path))?.size !== size) return false
  const hash = createHash('sha256')
  await pipeline(files.read(path), hash)
  return hash.digest('hex') === digest
}

/**
 * Requires an unused database: one without tables, except for the one that a restore creates first; or one without accounts, migrated at
 * most to the state of this backup.
 */
async function requireEmpty(pool: Pool, { migrations }: Manifest): Promise<void> {
  const appliedMigrations = await readAppliedMigrations(pool)
  const isCompatible = appliedMigrations.every(
    ({ tag, hash }, index) => migrations[index]?.tag === tag && migrations[index]?.hash === hash,
  )
  const { rows } = await pool.query<{ used: boolean }>(
    appliedMigrations.length === 0
      ? `select exists (select from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
         and relname <> 'migration') as used`
      : `select exists (select from user_account) as used`,
  )
  if (!isCompatible || rows[0]?.used)
    throw new OperatorError(
      'a backup can only be restored into an empty database: use a new DATA_DIR, or a DATABASE_URL without tables; nothing was restored',
    )
}

/** Memory for creating an index. No service runs at the same time. */
const INDEX_BUILD_MEMORY = '128MB'

/**
 * Fills the tables without triggers that make or change rows, and without checking references, which may point to later rows. Afterwards
 * all references are checked. Indexes are created at the end as well: for all rows together that takes half the time.
 */
async function withTriggersDisabled(client: Client, fill: () => Promise<void>): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  )
  const { rows: references } = await client.query<{ table: string; name: string; rule: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as rule
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class c on c.oid = indrelid
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${quote(name)}`)
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`)
  // the rows that migrations put into a fresh database, except for the list of the migrations
  await client.query(`truncate ${tables.flatMap(({ name }) => (name === 'migration' ? [] : [name])).join(', ')}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await fill()
  await client.query(`set local maintenance_work_mem = '${INDEX_BUILD_MEMORY}'`)
  for (const { definition } of indexes) await client.query(definition)
  for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`)
  for (const { table, name, rule } of references) await client.query(`alter table ${table} add constraint ${quote(name)} ${rule}`)
}

async function loadTable(client: Client, folder: string, table: BackupTable): Promise<void> {
  const rows = client.query(copyFrom(`copy ${formatCopyTarget(table)} from stdin (encoding 'UTF8')`))
  await pipeline(createReadStream(join(folder, getTablePath(table))), createGunzip(), rows)
  if (rows.rowCount !== table.rows) throw new OperatorError(`${table.name} has ${rows.rowCount} rows instead of ${table.rows}`)
}
