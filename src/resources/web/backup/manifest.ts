import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { isPath } from '../../../kit/services/files.ts'
import { OperatorError } from '../../../operator-error.ts'

/** The file of a backup that lists its contents. It is written last. */
export const MANIFEST = 'backup.json'
/** The folder of the stored files in a backup. */
export const MEDIA = 'media'
/** The folder of the rows in a backup. */
export const TABLES = 'tables'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Name = Type.String({ minLength: 1, maxLength: 63 })
/** Names of tables, which are used as file names. */
const FileName = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })

const Manifest = Type.Object({
  /** The format of the backup; another number is another format. */
  format: Type.Literal(1),
  /** Version of the program that made it. */
  version: Type.String(),
  /** Time of the snapshot, in UTC. */
  made: Type.String(),
  /** The migrations that had been applied, in order. */
  migrations: Type.Array(Type.Object({ tag: Type.String(), hash: Digest })),
  /** Schema version of the background work, 0 if there is none; jobs are restored only into the same version. */
  jobs: Type.Integer(),
  /** The rows of each table, as COPY writes them, compressed: `tables/SCHEMA.NAME.copy.gz`. */
  tables: Type.Array(
    Type.Object({
      schema: FileName,
      name: FileName,
      columns: Type.Array(Name),
      rows: Type.Integer(),
      size: Type.Integer(),
      digest: Digest,
    }),
  ),
  /** The last value of each sequence; null if it was never used. */
  sequences: Type.Array(Type.Object({ name: Name, last: Type.Union([Type.String({ pattern: '^-?\\d{1,19}$' }), Type.Null()]) })),
  /** The stored files that rows refer to: `media/PATH`. */
  files: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer(), digest: Digest })),
  /** The paths of files that rows refer to and that were missing. */
  missing: Type.Array(Type.String()),
})

/** Contents of a backup. Digests are SHA-256 in hexadecimal, sizes are bytes. */
export type Manifest = Static<typeof Manifest>
/** A table in a backup, with the digest and the size of its file. */
export type BackupTable = Manifest['tables'][number]

/** A stored file in a backup. */
export type BackupFile = Manifest['files'][number]

/** Path of the file with the rows of a table in a backup. */
export const getTablePath = ({ schema, name }: Pick<BackupTable, 'schema' | 'name'>): string =>
  join(TABLES, `${schema}.${name}.copy.gz`)

/**
 * Reads the manifest of a backup.
 * @throws OperatorError when the folder contains no manifest that this program can read
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      error.code === 'ENOENT'
        ? `${folder} contains no backup: ${MANIFEST} is missing`
        : `${file} cannot be read: ${error.message}`,
    )
  })
  const manifest = tryParseJson(text)
  if (!Value.Check(Manifest, manifest)) throw new OperatorError(`${file} has an unsupported format`)
  const paths = [
    ...manifest.tables.map((table) => getTablePath(table).slice(TABLES.length + 1)),
    ...manifest.files.map(({ path }) => path),
  ]
  const path = paths.find((path) => !isPath(path))
  if (path !== undefined) throw new OperatorError(`${file} contains ${JSON.stringify(path)}, which is not a valid path`)
  return manifest
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reads every file of a backup, and compares it with the manifest.
 * @throws OperatorError with the name of the first file that is missing or different
 */
export async function checkBackup(
  folder: string,
  manifest: Manifest,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  const files = [
    ...manifest.tables.map((table) => ({ ...table, path: getTablePath(table) })),
    ...manifest.files.map((file) => ({ ...file, path: join(MEDIA, file.path) })),
  ]
  for (const [index, { path, size, digest }] of files.entries()) {
    const filePath = join(folder, path)
    const stats = await stat(filePath).catch(() => undefined)
    if (!stats?.isFile()) throw new OperatorError(`the backup is incomplete: ${filePath} is missing; nothing was restored`)
    if (stats.size !== size || (await computeDigest(filePath)) !== digest)
      throw new OperatorError(`the backup is damaged: ${filePath} was changed; nothing was restored`)
    onProgress(index + 1, files.length)
  }
}

/** The SHA-256 of a file in hexadecimal. */
export async function computeDigest(filePath: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(filePath), hash)
  return hash.digest('hex')
}
