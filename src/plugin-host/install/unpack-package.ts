import { mkdir } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ReadEntry } from 'tar'
import { packArchive } from '../../kit/services/archive.ts'
import { InstallError } from './cannot-install.ts'
import { MAX_FILES, MAX_UNPACKED_BYTES, tooLargeMessage } from './tree.ts'

/** Remaining bytes and files to unpack; shared by all packages of one installation. */
export type UnpackBudget = { bytes: number; files: number }

type UnpackOptions = {
  /** The folder to create. */
  folder: string
  budget: UnpackBudget
  signal: AbortSignal
  /** Selects files to skip, by their path in the package. */
  isExcluded?: (path: string) => boolean
}

/** A budget for one installation. */
export const createUnpackBudget = (): UnpackBudget => ({ bytes: MAX_UNPACKED_BYTES, files: MAX_FILES })

/**
 * Unpacks the archive of a package, whose files are all in one folder. Links are skipped, and files get plain modes.
 * @throws InstallError if it is not an archive, or too large
 */
export async function unpackPackage(
  archive: Readable | Buffer,
  { folder, budget, signal, isExcluded }: UnpackOptions,
): Promise<void> {
  const { extract } = await import('tar')
  await mkdir(folder, { recursive: true })
  const filter = (path: string, entry: object): boolean => {
    if (!('type' in entry)) return false
    const { type } = entry as ReadEntry
    const isFolder = type === 'Directory'
    if (!isFolder && type !== 'File' && type !== 'OldFile' && type !== 'ContiguousFile') return false
    if (isExcluded?.(path.split('/').slice(1).join('/'))) return false
    ;(entry as ReadEntry).mode = isFolder ? 0o755 : 0o644
    return budget.files-- > 0
  }
  const unzip = Buffer.isBuffer(archive) && archive[0] === 0x1f && archive[1] === 0x8b ? [createGunzip()] : []
  const source = Buffer.isBuffer(archive) ? Readable.from([archive]) : archive
  const unpack = extract({ cwd: folder, strip: 1, preserveOwner: false, noMtime: true, filter })
  try {
    await pipeline([source, ...unzip, createLimitStream(budget), unpack], { signal })
  } catch (error) {
    if (signal.aborted || error instanceof InstallError) throw error
    throw new InstallError(`The archive of the package cannot be read: ${(error as Error).message}`)
  }
  if (budget.files < 0) throw new InstallError(tooLargeMessage)
}

/** Creates a stream that passes bytes on until the budget of bytes, or that of the files read so far, is used up. */
const createLimitStream = (budget: UnpackBudget): Transform =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      budget.bytes -= piece.length
      if (budget.bytes < 0 || budget.files < 0) done(new InstallError(tooLargeMessage))
      else done(null, piece)
    },
  })

/** Creates an archive of a folder in the format of `unpackPackage`, uncompressed. Links are skipped. */
export async function packFolder(folder: string, isExcluded: (path: string) => boolean): Promise<Readable> {
  const filter = (path: string): boolean => !isExcluded(path.replace(/^\.\/?/, ''))
  return await packArchive({ cwd: folder, portable: true, prefix: 'package', filter }, ['.'])
}
