import { Problem } from '../request/problem.ts'
import type { Tx } from '../sql/tx.ts'
import { fileErrors } from '../values/value-errors.ts'
import { type Content, createPath, FileTooLargeError, type WrittenFile } from './files.ts'
import type { Services } from './services.ts'

/** A file uploaded with a request, and not yet named by a row. */
export class Upload {
  readonly path: string
  /** The sender's name for it: not trusted. */
  readonly name: string
  readonly size: number
  readonly digest: string
  readonly head: Buffer

  constructor(path: string, name: string, { size, digest, head }: WrittenFile) {
    this.path = path
    this.name = name
    this.size = size
    this.digest = digest
    this.head = head
  }

  /** For the comparison of requests: the same file sent a second time is equal. */
  toJSON(): unknown {
    return { name: this.name, digest: this.digest }
  }
}

type Store = Pick<Services, 'database' | 'files' | 'config'>

/**
 * Stores a file, outside of any transaction. Before its first byte is written the database lists its path as a loose file, so that no
 * interrupted upload is left behind: the transaction of the row that names it removes it from that list (`claimUploads`), an error deletes
 * it (`deleteUploads`), and files left behind by a crash are deleted later (ADR 0018).
 * @param target.length maximum characters of its path
 * @param target.limit maximum bytes, if different from the limit for clients
 * @throws Problem 413 above MAX_FILE_BYTES
 */
export async function storeUpload(
  store: Store,
  target: { folder: string; name: string; length?: number; limit?: number },
  content: Content,
): Promise<Upload> {
  const { database, files, config } = store
  const path = createPath(target.folder, target.name, target.length)
  await database.read({ text: 'insert into loose_file (path) values ($1)', values: [path] })
  try {
    return new Upload(path, target.name, await files.write(path, content, target.limit ?? config.maxFileBytes))
  } catch (error) {
    await deleteLooseRows(store, [path])
    if (!(error instanceof FileTooLargeError)) throw error
    throw new Problem('too_large', fileErrors.upload_too_large({ max_bytes: config.maxFileBytes }))
  }
}

/** Hands uploads over to the rows that this transaction writes. */
export async function claimUploads(tx: Tx, uploads: readonly Upload[]): Promise<void> {
  await tx.query('delete from loose_file where path = any($1::text[])', [uploads.map(({ path }) => path)])
}

/** Deletes uploads that no row can name. */
export async function deleteUploads(store: Store, uploads: readonly Upload[]): Promise<void> {
  if (uploads.length === 0) return
  for (const { path } of uploads) await store.files.remove(path)
  await deleteLooseRows(
    store,
    uploads.map(({ path }) => path),
  )
}

const deleteLooseRows = ({ database }: Store, paths: readonly string[]) =>
  database.read({ text: 'delete from loose_file where path = any($1::text[])', values: [paths] })
