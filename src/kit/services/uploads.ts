import { Problem } from '../request/problem.ts'
import type { Tx } from '../sql/tx.ts'
import { fileErrors } from '../values/value-errors.ts'
import { type Content, newPath, TooLarge, type Written } from './files.ts'
import type { Services } from './services.ts'

/** A file that has arrived with a request, and that no row names yet. */
export class Upload {
  readonly path: string
  /** What its sender calls it: not to be trusted. */
  readonly name: string
  readonly size: number
  readonly digest: string
  readonly head: Buffer

  constructor(path: string, name: string, { size, digest, head }: Written) {
    this.path = path
    this.name = name
    this.size = size
    this.digest = digest
    this.head = head
  }

  /** For what compares requests: the same file sent again is the same. */
  toJSON(): unknown {
    return { name: this.name, digest: this.digest }
  }
}

type Store = Pick<Services, 'database' | 'files' | 'config'>

/**
 * Takes in a file, outside of any transaction. Before its first byte is written the database knows its path as that of a loose file, so
 * that whatever breaks off finds an end: a row that names it takes it over (`settle`), a refusal takes it away (`withdraw`), and what a
 * crash left is swept (ADR 0018).
 * @param at.length how many characters its path may have
 * @param at.limit how many bytes it may have, where that is not what clients may send
 * @throws Problem 413 behind MAX_FILE_BYTES
 */
export async function receive(
  store: Store,
  at: { folder: string; name: string; length?: number; limit?: number },
  content: Content,
): Promise<Upload> {
  const { database, files, config } = store
  const path = newPath(at.folder, at.name, at.length)
  await database.read({ text: 'insert into loose_file (path) values ($1)', values: [path] })
  try {
    return new Upload(path, at.name, await files.write(path, content, at.limit ?? config.maxFileBytes))
  } catch (error) {
    await forget(store, [path])
    if (!(error instanceof TooLarge)) throw error
    throw new Problem('too_large', fileErrors.upload_too_large({ max_bytes: config.maxFileBytes }))
  }
}

/** Hands uploads over to the rows that this transaction writes. */
export async function settle(tx: Tx, uploads: readonly Upload[]): Promise<void> {
  await tx.query('delete from loose_file where path = any($1::text[])', [uploads.map(({ path }) => path)])
}

/** Takes uploads away that are certain to be named by no row. */
export async function withdraw(store: Store, uploads: readonly Upload[]): Promise<void> {
  if (uploads.length === 0) return
  for (const { path } of uploads) await store.files.remove(path)
  await forget(
    store,
    uploads.map(({ path }) => path),
  )
}

const forget = ({ database }: Store, paths: readonly string[]) =>
  database.read({ text: 'delete from loose_file where path = any($1::text[])', values: [paths] })
