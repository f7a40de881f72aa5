import { createWriteStream } from 'node:fs'
import { link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { Client, Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { readFreeBytes } from '../database/disk.ts'
import { readJobTablesVersion } from '../database/job-tables.ts'
import { readAppliedMigrations } from '../database/migrate.ts'
import { withDedicatedConnection } from '../database/own-connection.ts'
import { type Files, Measure, MediaFolder, syncFolder } from '../kit/services/files.ts'
import { quote } from '../kit/sql/sql.ts'
import { listStoredPaths } from '../move-files.ts'
import { OperatorError } from '../operator-error.ts'
import { type Backup, getBackupName, listBackups } from '../resources/background-task/backups.ts'
import {
  type BackupFile,
  type BackupTable,
  computeDigest,
  getTablePath,
  MANIFEST,
  type Manifest,
  MEDIA,
  readManifest,
  TABLES,
} from '../resources/web/backup/manifest.ts'
import { VERSION } from '../version.ts'

export type BackupOptions = {
  /** The folder in which the backup gets a folder of its own. */
  parentFolder: string
  /** The storage of the files; undefined to leave them out. */
  files: Files | undefined
  /** Bytes that have to stay free on the disk of that folder. */
  minFreeBytes: number
  /** Aborts the backup. */
  signal?: AbortSignal
  onProgress?: (phase: 'tables' | 'files') => (done: number, total: number) => void
  /**
   * Whether it is made before an update, which its name then says. It waits for another backup of the database to end, and shares files with
   * the storage itself where the disk supports that: an update does not wait for copies of all files.
   */
  isBeforeUpdate?: boolean
}

const DRAFT_NAME = '.unfinished'
/** Ensures that no node makes another backup of the database at the same time. */
const LOCK = `(hashtext('backup'), 0)`
/** Bytes of a table after which the free disk space is checked again. */
const CHECK_INTERVAL_BYTES = 32 * 1024 * 1024

/**
 * Writes all data of the database from one snapshot, and the files that its rows refer to, while the service runs. The folder gets its name
 * once it is complete: an aborted backup leaves nothing that looks like one. Values sealed with the server's secret stay sealed; the secret
 * is not included. Files that are also in the previous backup are shared with it where the disk supports that. The database may be older than
 * the program, and is not changed.
 * @returns undefined when another backup of this database is being made
 * @throws OperatorError when there is too little disk space
 */
export async function makeBackup(pool: Pool, options: BackupOptions): Promise<(Backup & { manifest: Manifest }) | undefined> {
  return await withDedicatedConnection(pool, async (client) => {
    if (options.isBeforeUpdate) await client.query(`select pg_advisory_lock${LOCK}`)
    else {
      const { rows } = await client.query(`select pg_try_advisory_lock${LOCK} as is_locked`)
      if (!rows[0].is_locked) return undefined
    }
    await mkdir(options.parentFolder, { recursive: true, mode: 0o700 })
    // the lock is held: a draft that exists is left over from an aborted backup
    const draft = join(options.parentFolder, DRAFT_NAME)
    await rm(draft, { recursive: true, force: true })
    try {
      await mkdir(join(draft, TABLES), { recursive: true, mode: 0o700 })
      const manifest = await writeContents(client, draft, options)
      await writeFile(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
      const folder = join(options.parentFolder, getBackupName(manifest.made, options.isBeforeUpdate))
      await rename(draft, folder)
      await syncFolder(options.parentFolder)
      return { folder, createdAt: new Date(manifest.made), isBeforeUpdate: options.isBeforeUpdate ?? false, manifest }
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      throw error
    }
  })
}

async function writeContents(client: Client, draft: string, options: BackupOptions): Promise<Manifest> {
  const checkLimits = async () => {
    options.signal?.throwIfAborted()
    if ((await readFreeBytes(draft)) < options.minFreeBytes)
      throw new OperatorError(`there is too little disk space for a backup in ${options.parentFolder} (MIN_FREE_DISK)`)
  }
  await client.query(`begin isolation level repeatable read read only`)
  const [state] = await select<{ made: string }>(
    client,
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as made`,
  )
  const jobs = (await readJobTablesVersion(client)) ?? 0
  const migrations = await readAppliedMigrations(client)
  const tables: BackupTable[] = []
  const tableColumns = await select<TableColumns>(client, TABLES_QUERY)
  for (const table of tableColumns) {
    await checkLimits()
    tables.push(await writeTable(client, draft, table, checkLimits, options.signal))
    options.onProgress?.('tables')(tables.length, tableColumns.length)
  }
  // sequences do not roll back: values that were given out since are skipped, and none is used twice
  const sequences = await select<Manifest['sequences'][number]>(
    client,
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = current_schema() order by 1`,
  )
  const paths = options.files === undefined ? [] : await listStoredPaths(client)
  await client.query('commit')

  const targetFolder = join(draft, MEDIA)
  const previous = await readPreviousBackup(options.parentFolder)
  const [files, missing]: [Manifest['files'], string[]] = [[], []]
  for (const [index, path] of paths.entries()) {
    await checkLimits()
    const file = await storeFile(path, options.files as Files, targetFolder, { previous, sharesFiles: options.isBeforeUpdate })
    if (file) files.push(file)
    else missing.push(path)
    options.onProgress?.('files')(index + 1, paths.length)
  }
  // the folder for files until they get their names
  await rm(join(targetFolder, '.unfinished'), { recursive: true, force: true })
  const { made } = state as NonNullable<typeof state>
  return { format: 1, version: VERSION, made, migrations, jobs, tables, sequences, files, missing }
}

type TableColumns = Pick<BackupTable, 'schema' | 'name' | 'columns'>

/** All permanent tables with the columns to write. Of the tables of background work only the queues and, after them, their jobs. */
const TABLES_QUERY = `
  select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'r' and c.relpersistence = 'p' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and (n.nspname = current_schema() and c.relname <> 'migration' or n.nspname = 'pgboss' and c.relname in ('queue', 'job_common'))
  group by n.nspname, c.relname order by n.nspname, c.relname <> 'queue', c.relname`

async function writeTable(
  client: Client,
  draft: string,
  table: TableColumns,
  checkLimits: () => Promise<void>,
  signal?: AbortSignal,
): Promise<BackupTable> {
  const filePath = join(draft, getTablePath(table))
  const rows = client.query(copyTo(`copy ${formatCopyTarget(table)} to stdout (encoding 'UTF8')`))
  const measure = new Measure(Number.POSITIVE_INFINITY)
  await pipeline(
    rows,
    // a fast level: the service continues to run during the backup
    createGzip({ level: constants.Z_BEST_SPEED }),
    (pieces: AsyncIterable<Buffer>) => measure.pass(checkRegularly(pieces, checkLimits)),
    createWriteStream(filePath, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  )
  const { size, digest } = measure.result()
  return { ...table, rows: rows.rowCount, size, digest }
}

/** Passes content on, and calls a check at intervals. */
async function* checkRegularly(pieces: AsyncIterable<Buffer>, check: () => Promise<void>): AsyncGenerator<Buffer> {
  let unchecked = 0
  for await (const piece of pieces) {
    unchecked += piece.length
    if (unchecked >= CHECK_INTERVAL_BYTES) {
      await check()
      unchecked = 0
    }
    yield piece
  }
}

/** Formats a table and its columns for COPY. */
export const formatCopyTarget = ({ schema, name, columns }: TableColumns): string =>
  `${quote(schema)}.${quote(name)} (${columns.map((column) => quote(column)).join(', ')})`

/** The previous backup, and its files by their paths. */
type PreviousBackup = { media: string; files: Map<string, BackupFile> }

async function readPreviousBackup(targetFolder: string): Promise<PreviousBackup | undefined> {
  for (const { folder } of (await listBackups(targetFolder)).reverse()) {
    // a backup with an invalid manifest is ignored
    const manifest = await readManifest(folder).catch(() => undefined)
    // one before an update may be without the files of a bucket
    if (manifest === undefined || manifest.files.length === 0) continue
    return { media: join(folder, MEDIA), files: new Map(manifest.files.map((file) => [file.path, file])) }
  }
  return undefined
}

/** Adds a file to a backup. Returns undefined if there is none. */
async function storeFile(
  path: string,
  source: Files,
  targetFolder: string,
  { previous, sharesFiles }: { previous: PreviousBackup | undefined; sharesFiles?: boolean },
): Promise<BackupFile | undefined> {
  const fileInfo = await source.find(path)
  if (!fileInfo) return undefined
  const target = join(targetFolder, path)
  // a path belongs to one file permanently (`newPath`)
  const entry = previous?.files.get(path)
  const previousEntry = entry?.size === fileInfo.size ? entry : undefined
  if (previous && previousEntry && (await linkFile(join(previous.media, path), target, fileInfo.size))) return previousEntry
  if (sharesFiles && source instanceof MediaFolder && (await linkFile(source.locate(path), target, fileInfo.size)))
    return previousEntry ?? { path, size: fileInfo.size, digest: await computeDigest(target) }
  try {
    const { size, digest } = await new MediaFolder(targetFolder).write(path, source.read(path))
    return { path, size, digest }
  } catch (error) {
    // its row was deleted or changed in the meantime
    if (await source.find(path)) throw error
    return undefined
  }
}

/** Makes a hard link to a file. Returns whether that was possible. */
async function linkFile(source: string, filePath: string, size: number): Promise<boolean> {
  try {
    if ((await stat(source)).size !== size) return false
    await mkdir(dirname(filePath), { recursive: true, mode: 0o700 })
    await link(source, filePath)
    return true
  } catch {
    return false
  }
}

async function select<Row extends object>(client: Client, text: string): Promise<Row[]> {
  return (await client.query<Row>(text)).rows
}
