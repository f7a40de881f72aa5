import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { isPath } from '../kit/services/files.ts'
import { OperatorError } from '../operator-error.ts'

/** The file of a backup that says what else is in it. It is written last. */
export const MANIFEST = 'backup.json'
/** The folder of the stored files in a backup. */
export const MEDIA = 'media'
/** The folder of the rows in a backup. */
export const TABLES = 'tables'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Name = Type.String({ minLength: 1, maxLength: 63 })
/** Of tables, which files are called by. */
const FileName = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })

const Manifest = Type.Object({
  /** The form of backups; another number is another form. */
  format: Type.Literal(1),
  /** The version of the program that made it. */
  version: Type.String(),
  /** The moment that it shows, in UTC. */
  made: Type.String(),
  /** The migrations that had been applied, in their order. */
  migrations: Type.Array(Type.Object({ tag: Type.String(), hash: Digest })),
  /** The version of the tables of background work; jobs are restored only into the same. */
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
  /** The last value that each sequence gave; null where it gave none. */
  sequences: Type.Array(Type.Object({ name: Name, last: Type.Union([Type.String({ pattern: '^-?\\d{1,19}$' }), Type.Null()]) })),
  /** The stored files that rows name: `media/PATH`. */
  files: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer(), digest: Digest })),
  /** The paths of those that rows name and that were not there. */
  missing: Type.Array(Type.String()),
})

/** What a backup holds. Digests are SHA-256 in hexadecimal, sizes bytes. */
export type Manifest = Static<typeof Manifest>
/** A table in a backup; the digest and the size are those of its file. */
export type BackupTable = Manifest['tables'][number]

/** A stored file in a backup. */
export type BackupFile = Manifest['files'][number]

/** Where the rows of a table lie in a backup. */
export const tableFile = ({ schema, name }: Pick<BackupTable, 'schema' | 'name'>): string =>
  join(TABLES, `${schema}.${name}.copy.gz`)

/**
 * Reads what a backup says of itself.
 * @throws OperatorError when the folder holds none that this program understands
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
  const manifest = parsed(text)
  if (!Value.Check(Manifest, manifest)) throw new OperatorError(`${file} has an unsupported format`)
  const odd = [
    ...manifest.tables.map((table) => tableFile(table).slice(TABLES.length + 1)),
    ...manifest.files.map(({ path }) => path),
  ]
  const path = odd.find((path) => !isPath(path))
  if (path !== undefined) throw new OperatorError(`${file} contains ${JSON.stringify(path)}, which is not a valid path`)
  return manifest
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reads every file of a backup, and compares it with what the backup says.
 * @throws OperatorError naming the first that is missing or another
 */
export async function checkBackup(
  folder: string,
  manifest: Manifest,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  const files = [
    ...manifest.tables.map((table) => ({ ...table, path: tableFile(table) })),
    ...manifest.files.map((file) => ({ ...file, path: join(MEDIA, file.path) })),
  ]
  for (const [at, { path, size, digest }] of files.entries()) {
    const place = join(folder, path)
    const found = await stat(place).catch(() => undefined)
    if (!found?.isFile()) throw new OperatorError(`the backup is incomplete: ${place} is missing; nothing was restored`)
    if (found.size !== size || (await digestOf(place)) !== digest)
      throw new OperatorError(`the backup is damaged: ${place} was changed; nothing was restored`)
    onProgress(at + 1, files.length)
  }
}

async function digestOf(place: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(place), hash)
  return hash.digest('hex')
}
