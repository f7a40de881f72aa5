import { createHash, randomInt } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Config } from '../../config.ts'
import { Problem } from '../request/problem.ts'

/** Metadata of a stored file. `modified` is in milliseconds since 1970. */
export type StoredFile = { size: number; modified: number }

/** Bytes of a file, from the first to the last, both included. */
export type Range = { start: number; end: number }

/** The content of a file, in chunks. */
export type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Metadata of a written file: its size in bytes, its SHA-256 in hexadecimal, and its first bytes, which determine its type. */
export type WrittenFile = { size: number; digest: string; head: Buffer }

/**
 * The storage of files. A path (`isPath`) is relative and has `/` between its names; the column of a row holds it. The order of writing
 * file and row is defined in `uploads.ts`.
 */
export type Files = {
  /**
   * Writes a file, which is on disk once this resolves. An existing one is replaced; readers see either version, complete.
   * @param limit maximum size in bytes
   * @throws FileTooLargeError, or any error of the content; nothing is left then
   */
  write(path: string, content: Content, limit?: number): Promise<WrittenFile>
  find(path: string): Promise<StoredFile | undefined>
  read(path: string, range?: Range): Readable
  bytes(path: string): Promise<Buffer>
  /** Deletes a file; a missing one is not an error. */
  remove(path: string): Promise<void>
  /** Deletes unfinished files whose writing began before a time (milliseconds since 1970). */
  clear(before: number): Promise<void>
  /** A URL by which any holder may read the file for some minutes; undefined if files are read only through the service. */
  link(path: string, headers: FileHeaders): Promise<string | undefined>
}

/** Response headers of a file: `Content-Type` and `Content-Disposition`. */
export type FileHeaders = { type: string; disposition: string }

/** The content exceeds its size limit. */
export class FileTooLargeError extends Error {}

/** Number of bytes in the head of a file: as many as libraries need to determine its type. */
export const HEAD_BYTES = 4_100
/** The longest file name that every file system supports, in bytes. */
const MAX_NAME_BYTES = 255
const NAME_PATTERN = /^(?!\.)[^/\\\p{Cc}\p{Cs}]+$/u

/** Whether a string is the path of a stored file: names with `/` between them, none of which begins with a dot. */
export const isPath = (text: string): boolean =>
  text.length <= 1_000 && text.split('/').every((name) => NAME_PATTERN.test(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES)

/** Returns the path. @throws Error if it is invalid */
export function requirePath(path: string): string {
  if (!isPath(path)) throw new Error(`${JSON.stringify(path)} is not a path of a stored file`)
  return path
}

/** Converts a sender's file name to one that is safe in a path and in a URL: plain letters, digits, dots and dashes. */
export function toSafeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\s+/g, '_')
    .replaceAll(/[^\w.-]/g, '')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/\.$/, '')
  return /^\w/.test(plain) ? plain : `file${plain}`
}

/** The extension of a file's name in lower case, without its dot; empty if it has none. */
export const getExtension = (name: string): string => /\.([^./\\]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? ''

const RANDOM_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Number of random characters that make a path unique and impossible to guess. */
const RANDOM_LENGTH = 12

/**
 * A path for a new file of this name, which no other file ever had.
 * @param length maximum number of characters
 */
export function createPath(folder: string, name: string, length = 100): string {
  const safe = toSafeName(name)
  const extension = getExtension(safe)
  const suffix = extension && `.${extension}`
  const stem = safe.slice(0, safe.length - suffix.length)
  const maxStemLength = Math.max(1, length - folder.length - suffix.length - RANDOM_LENGTH - 2)
  const randomPart = Array.from({ length: RANDOM_LENGTH }, randomCharacter).join('')
  return `${folder}/${stem.slice(0, maxStemLength)}_${randomPart}${suffix}`
}

const randomCharacter = () => RANDOM_CHARACTERS[randomInt(RANDOM_CHARACTERS.length)]

/** The folder of stored files on this machine. */
export const getMediaFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'media')

/** Passes content on while it is written, and measures it. */
export class Measure {
  readonly #hash = createHash('sha256')
  readonly #first: Uint8Array[] = []
  readonly #limit: number
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The same content. @throws FileTooLargeError at the first byte beyond the limit */
  async *pass(content: Content): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      if (this.#size < HEAD_BYTES) this.#first.push(piece.subarray(0, HEAD_BYTES - this.#size))
      this.#size += piece.length
      if (this.#size > this.#limit) throw new FileTooLargeError()
      this.#hash.update(piece)
      yield piece
    }
  }

  /** The result, once all content has been passed on. */
  result(): WrittenFile {
    return { size: this.#size, digest: this.#hash.digest('hex'), head: Buffer.concat(this.#first) }
  }
}

/** Files in a folder of this machine. */
export class MediaFolder implements Files {
  readonly #root: string
  /** The folder of unfinished files. No path leads here, as no name in a path begins with a dot. */
  readonly #unfinished: string

  constructor(root: string) {
    this.#root = root
    this.#unfinished = join(root, '.unfinished')
  }

  async write(path: string, content: Content, limit = Number.POSITIVE_INFINITY): Promise<WrittenFile> {
    const target = this.#resolve(path)
    const folder = dirname(target)
    const draft = join(this.#unfinished, Array.from({ length: 20 }, randomCharacter).join(''))
    for (const directory of [folder, this.#unfinished]) await mkdir(directory, { recursive: true, mode: 0o700 })
    const handle = await open(draft, 'wx', 0o600)
    const measure = new Measure(limit)
    try {
      for await (const piece of measure.pass(content)) await handle.writeFile(piece)
      await handle.sync()
      await rename(draft, target)
      await syncFolder(folder)
    } catch (error) {
      await rm(draft, { force: true })
      throw isDiskFull(error) ? new Problem('insufficient_storage') : error
    } finally {
      await handle.close()
    }
    return measure.result()
  }

  async find(path: string): Promise<StoredFile | undefined> {
    try {
      const stats = await stat(this.#resolve(path))
      return stats.isFile() ? { size: stats.size, modified: Math.floor(stats.mtimeMs) } : undefined
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  read(path: string, range?: Range): Readable {
    return createReadStream(this.#resolve(path), range)
  }

  bytes(path: string): Promise<Buffer> {
    return readFile(this.#resolve(path))
  }

  async remove(path: string): Promise<void> {
    await rm(this.#resolve(path), { force: true })
  }

  async clear(before: number): Promise<void> {
    const names = await readdir(this.#unfinished).catch((error) => {
      if (isNotFound(error)) return []
      throw error
    })
    for (const name of names) {
      const draft = join(this.#unfinished, name)
      const stats = await stat(draft).catch(() => undefined)
      if (stats && stats.mtimeMs < before) await rm(draft, { force: true })
    }
  }

  async link(): Promise<undefined> {}

  /** The file name of a path. */
  locate(path: string): string {
    return this.#resolve(path)
  }

  /** File name of a path, which always stays within the folder. */
  #resolve(path: string): string {
    return join(this.#root, requirePath(path))
  }
}

/** Syncs the entries of a folder to disk: after a power cut a new file exists only if its folder was written, too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isNotFound = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
