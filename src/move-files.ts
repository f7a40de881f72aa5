import { createHash } from 'node:crypto'
import { getTableName } from 'drizzle-orm'
import type { Client, Pool } from 'pg'
import type { Config } from './config.ts'
import { withRunningDatabase } from './database/with-database.ts'
import { listFileColumns, listReferencedPaths } from './kit/reading/stored-files.ts'
import { type Files, getMediaFolder, isPath, MediaFolder } from './kit/services/files.ts'
import { openBucket } from './kit/services/open-files.ts'
import { listSmallPaths } from './kit/services/pictures.ts'
import { createLog } from './log.ts'
import { OperatorError } from './operator-error.ts'
import { getBuiltInSource } from './printing/defaults/built-in.ts'
import { Progress } from './progress.ts'
import { resources } from './resources/index.ts'
import { printedFiles } from './resources/printing/printed-files.ts'

/** The result of a move: paths of the files copied now, and of those missing from the source. */
export type MoveResult = { copied: string[]; present: number; missing: string[] }

const columns = [...resources.flatMap(listFileColumns), ...printedFiles]

/**
 * Copies the stored files between DATA_DIR/media and the bucket, and prints the result. After an interruption, the next call continues.
 * @throws OperatorError if the configuration has no bucket
 */
export async function moveFiles(config: Config, { to, remove }: { to: 'bucket' | 'folder'; remove: boolean }): Promise<void> {
  const bucket = openBucket(config, createLog({ ...config, stream: 2 }))
  if (!bucket) throw new OperatorError('S3_BUCKET is not set; nothing was copied')
  const problem = await bucket.findProblem()
  if (problem) throw new OperatorError(`${problem}; nothing was copied`)
  const folder = new MediaFolder(getMediaFolder(config))
  const [from, into] = to === 'bucket' ? [folder, bucket] : [bucket, folder]
  const progress = new Progress('Copying')
  const { copied, present, missing } = await withRunningDatabase(config, (pool) =>
    copyFiles(pool, { from, into, remove, onProgress: progress.createReporter('files') }).finally(() => progress.stop()),
  )
  for (const path of missing) console.log(`missing: ${path}`)
  console.log(`${copied.length} files were copied, ${present} were already present, ${missing.length} are missing.`)
}

/**
 * Copies every referenced file that is missing from the target. Each copy is read back and compared.
 * @param options.remove whether a file is then deleted from the source, with its smaller versions
 */
export async function copyFiles(
  pool: Pool,
  options: { from: Files; into: Files; remove: boolean; onProgress?: (done: number, total: number) => void },
): Promise<MoveResult> {
  const { from, into, remove } = options
  const paths = await listStoredPaths(pool)
  const moved: MoveResult = { copied: [], present: 0, missing: [] }
  for (const [index, path] of paths.entries()) {
    const [source, target] = [await from.find(path), await into.find(path)]
    if (target && (!source || source.size === target.size)) moved.present++
    else if (source) {
      await copy(path, from, into)
      moved.copied.push(path)
    } else moved.missing.push(path)
    if (remove && source) for (const filePath of [path, ...listSmallPaths(path)]) await from.remove(filePath)
    options.onProgress?.(index + 1, paths.length)
  }
  // files that no row names any more were deleted by the service in the meantime
  const stillReferenced = new Set(moved.copied.length > 0 ? await listStoredPaths(pool) : [])
  for (const path of moved.copied) if (!stillReferenced.has(path)) await into.remove(path)
  return moved
}

/**
 * The paths of all files that rows name, in order, except those that come with the program. The database may be older than the program: it
 * may lack some of the columns.
 */
export async function listStoredPaths(database: Pool | Client): Promise<string[]> {
  const { rows: existing } = await database.query<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped`,
  )
  const names = new Set(existing.map(({ name }) => name))
  const existingColumns = columns.filter(({ table, column }) => names.has(`${getTableName(table)}.${column.name}`))
  const paths = await listReferencedPaths(async (text) => (await database.query<{ path: string }>(text)).rows, existingColumns)
  return paths.filter((path) => isPath(path) && getBuiltInSource(path) === undefined)
}

async function copy(path: string, from: Files, into: Files): Promise<void> {
  const { digest } = await into.write(path, from.read(path))
  const hash = createHash('sha256')
  for await (const piece of into.read(path)) hash.update(piece)
  if (hash.digest('hex') === digest) return
  await into.remove(path)
  throw new OperatorError(`the copy of ${path} differs from the original; the file was not moved`)
}
