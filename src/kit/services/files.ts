import { createHash, randomInt } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Config } from '../../config.ts'
import { Problem } from '../request/problem.ts'

/** What is known of a stored file. `modified` is in milliseconds since 1970. */
export type StoredFile = { size: number; modified: number }

/** Bytes of a file, from the first to the last, both included. */
export type Range = { start: number; end: number }

/** What comes of a file, piece by piece. */
export type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** What was written: its size in bytes, its SHA-256 in hexadecimal, and its first bytes, by which its kind is known. */
export type Written = { size: number; digest: string; head: Buffer }

/**
 * Where files are kept. A path (`isPath`) is relative and has `/` between its names; the column of a row holds it. Which comes first,
 * the file or the row, is a matter of `uploads.ts`.
 */
export type Files = {
  /**
   * Writes a file, and has it on the disk when it is done. One that is there is replaced; whoever reads finds one or the other, whole.
   * @param limit how many bytes it may have
   * @throws TooLarge, or what the content throws; nothing is left then
   */
  write(path: string, content: Content, limit?: number): Promise<Written>
  find(path: string): Promise<StoredFile | undefined>
  read(path: string, range?: Range): Readable
  bytes(path: string): Promise<Buffer>
  /** Removes a file; none is no error. */
  remove(path: string): Promise<void>
  /** Removes what was begun to be written before a moment (milliseconds since 1970), and never finished. */
  clear(before: number): Promise<void>
  /** An address by which whoever has it may read the file for some minutes; undefined where files are read through the service alone. */
  link(path: string, as: FileHeaders): Promise<string | undefined>
}

/** As what a file is shown: the headers `Content-Type` and `Content-Disposition`. */
export type FileHeaders = { type: string; disposition: string }

/** What comes is larger than it may be. */
export class TooLarge extends Error {}

/** How many first bytes of a file are its head: what libraries want to see of one to know its kind. */
export const HEAD = 4_100
/** The longest file name that every file system takes, in bytes. */
const NAME_LENGTH = 255
const NAME = /^(?!\.)[^/\\\p{Cc}\p{Cs}]+$/u

/** Whether a text is a path of a stored file: names with `/` between them, of which none begins with a dot. */
export const isPath = (text: string): boolean =>
  text.length <= 1_000 && text.split('/').every((name) => NAME.test(name) && Buffer.byteLength(name) <= NAME_LENGTH)

/** The same path. @throws Error when it is none */
export function requirePath(path: string): string {
  if (!isPath(path)) throw new Error(`${JSON.stringify(path)} is not a path of a stored file`)
  return path
}

/** A sender's name for a file as one that can stand in a path and in an address: plain letters, digits, dots and dashes. */
export function safeName(name: string): string {
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

/** The ending of a file's name in small letters, without its dot; empty where it has none. */
export const extensionOf = (name: string): string => /\.([^./\\]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? ''

const SIGNS = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** So many signs make a path the only one of its name, and no one's guess. */
const UNIQUE = 12

/**
 * A path for a new file of this name, which no other file ever had.
 * @param length how many characters it may have
 */
export function newPath(folder: string, name: string, length = 100): string {
  const safe = safeName(name)
  const extension = extensionOf(safe)
  const ending = extension && `.${extension}`
  const stem = safe.slice(0, safe.length - ending.length)
  const room = Math.max(1, length - folder.length - ending.length - UNIQUE - 2)
  const own = Array.from({ length: UNIQUE }, sign).join('')
  return `${folder}/${stem.slice(0, room)}_${own}${ending}`
}

const sign = () => SIGNS[randomInt(SIGNS.length)]

/** Where stored files lie on this machine. */
export const mediaFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'media')

/** Passes on what is written, and measures it. */
export class Measure {
  readonly #hash = createHash('sha256')
  readonly #first: Uint8Array[] = []
  readonly #limit: number
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The same content. @throws TooLarge at the first byte beyond the limit */
  async *pass(content: Content): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      if (this.#size < HEAD) this.#first.push(piece.subarray(0, HEAD - this.#size))
      this.#size += piece.length
      if (this.#size > this.#limit) throw new TooLarge()
      this.#hash.update(piece)
      yield piece
    }
  }

  /** What was passed on, once that is all. */
  written(): Written {
    return { size: this.#size, digest: this.#hash.digest('hex'), head: Buffer.concat(this.#first) }
  }
}

/** Files in a folder of this machine. */
export class MediaFolder implements Files {
  readonly #root: string
  /** What is being written. No path leads here, as no name of one begins with a dot. */
  readonly #unfinished: string

  constructor(root: string) {
    this.#root = root
    this.#unfinished = join(root, '.unfinished')
  }

  async write(path: string, content: Content, limit = Number.POSITIVE_INFINITY): Promise<Written> {
    const place = this.#at(path)
    const folder = dirname(place)
    const draft = join(this.#unfinished, Array.from({ length: 20 }, sign).join(''))
    for (const needed of [folder, this.#unfinished]) await mkdir(needed, { recursive: true, mode: 0o700 })
    const handle = await open(draft, 'wx', 0o600)
    const measure = new Measure(limit)
    try {
      for await (const piece of measure.pass(content)) await handle.writeFile(piece)
      await handle.sync()
      await rename(draft, place)
      await syncFolder(folder)
    } catch (error) {
      await rm(draft, { force: true })
      throw isFull(error) ? new Problem('insufficient_storage') : error
    } finally {
      await handle.close()
    }
    return measure.written()
  }

  async find(path: string): Promise<StoredFile | undefined> {
    try {
      const found = await stat(this.#at(path))
      return found.isFile() ? { size: found.size, modified: Math.floor(found.mtimeMs) } : undefined
    } catch (error) {
      if (isAbsent(error)) return undefined
      throw error
    }
  }

  read(path: string, range?: Range): Readable {
    return createReadStream(this.#at(path), range)
  }

  bytes(path: string): Promise<Buffer> {
    return readFile(this.#at(path))
  }

  async remove(path: string): Promise<void> {
    await rm(this.#at(path), { force: true })
  }

  async clear(before: number): Promise<void> {
    const names = await readdir(this.#unfinished).catch((error) => {
      if (isAbsent(error)) return []
      throw error
    })
    for (const name of names) {
      const draft = join(this.#unfinished, name)
      const found = await stat(draft).catch(() => undefined)
      if (found && found.mtimeMs < before) await rm(draft, { force: true })
    }
  }

  async link(): Promise<undefined> {}

  /** Whatever a path was made of, it leads nowhere but into the folder. */
  #at(path: string): string {
    return join(this.#root, requirePath(path))
  }
}

/** Has the names in a folder on the disk: after a power cut a new file is there only if its folder was written, too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
