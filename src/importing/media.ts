import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { getTableName } from 'drizzle-orm'
import type { Pool, PoolClient } from 'pg'
import { type FileColumn, listFileColumns, listReferencedPaths } from '../kit/reading/stored-files.ts'
import { type Files, isPath } from '../kit/services/files.ts'
import { OperatorError } from '../operator-error.ts'
import { getBuiltInSource } from '../printing/defaults/built-in.ts'
import { resources } from '../resources/index.ts'

/** Source and destination of a dump's files. */
export type Media = { sourceFolder: string; files: Files; onProgress?: (done: number, total: number) => void }

/** The result for the files that a dump names. */
export type MediaReport = {
  /** Number of different files that it names. */
  referenced: number
  /** Number of them that are present now; undefined if no media folder was given. */
  present?: number
  /** Files that were not copied, each with the reason unless it does not exist. */
  missing: string[]
}

const columns: FileColumn[] = resources.flatMap(listFileColumns)

/**
 * Copies the files that the rows of an import name, before its transaction is committed; not those of tables that were in use before.
 * Until the commit, another connection lists them as loose, so that the files of a failed import are deleted later.
 * @throws OperatorError when the folder cannot be read
 */
export async function copyMedia(
  client: PoolClient,
  pool: Pool,
  media: Media | undefined,
  usedTables: ReadonlySet<string>,
): Promise<MediaReport> {
  const paths = await listReferencedFiles(client, usedTables)
  if (!media) return { referenced: paths.length, missing: [] }
  const sourceFolder = await resolveMediaFolder(media.sourceFolder)
  const missing: string[] = []
  let done = 0
  for (const path of paths) {
    const problem = await copy(pool, media.files, sourceFolder, path)
    if (problem !== undefined) missing.push(problem)
    media.onProgress?.(++done, paths.length)
  }
  await client.query('delete from loose_file where path = any($1::text[])', [paths])
  return { referenced: paths.length, present: paths.length - missing.length, missing }
}

/** Paths of stored files that rows name. Templates of InvenTree are replaced by those of this service. */
async function listReferencedFiles(client: PoolClient, usedTables: ReadonlySet<string>): Promise<string[]> {
  const read = async (text: string) => (await client.query<{ path: string }>(text)).rows
  const unused = columns.filter(({ table }) => !usedTables.has(getTableName(table)))
  return (await listReferencedPaths(read, unused)).filter((path) => getBuiltInSource(path) === undefined)
}

/** Copies one file. Returns a message if it is missing. */
async function copy(pool: Pool, files: Files, sourceFolder: string, path: string): Promise<string | undefined> {
  if (!isPath(path)) return `${JSON.stringify(path)} (not a path of a stored file)`
  const realFile = await realpath(join(sourceFolder, path)).catch(() => undefined)
  const fileStats = realFile === undefined ? undefined : await stat(realFile)
  if (!realFile || !fileStats?.isFile()) return path
  if (!realFile.startsWith(`${sourceFolder}${sep}`)) return `${path} (a link to a file outside the folder)`
  if ((await files.find(path))?.size === fileStats.size) return undefined
  await pool.query('insert into loose_file (path) values ($1) on conflict (path) do update set since = now()', [path])
  await files.write(path, createReadStream(realFile))
  return undefined
}

/** The path of the media folder, with symbolic links resolved. @throws OperatorError when there is no such folder */
export async function resolveMediaFolder(mediaFolder: string): Promise<string> {
  const folder = await realpath(mediaFolder).catch(() => undefined)
  if (folder && (await stat(folder)).isDirectory()) return folder
  throw new OperatorError(`--media ${mediaFolder} is not a folder; nothing was imported`)
}

/** Maximum number of listed files; the rest is only counted. */
const MAX_LISTED_FILES = 100

/** Describes the files of an import, line by line. */
export function describeMedia({ referenced, present, missing }: MediaReport): string[] {
  if (referenced === 0) return []
  if (present === undefined)
    return [
      `The dump refers to ${referenced} files, such as attachments and images, which it does not contain: copy the media folder of that system to DATA_DIR/media, with part_files, part_images and so on directly below it. (With --media DIR, an import copies them.)`,
    ]
  const lines = missing.slice(0, MAX_LISTED_FILES).map((path) => `missing: ${path}`)
  const unlistedCount = missing.length - lines.length
  return [...lines, ...(unlistedCount > 0 ? [`and ${unlistedCount} more`] : []), `${present} of ${referenced} files are present.`]
}
