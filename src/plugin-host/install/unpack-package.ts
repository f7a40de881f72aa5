import { mkdir } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ReadEntry } from 'tar'
import { CannotInstall } from './cannot-install.ts'
import { MOST_FILES, MOST_UNPACKED, tooLarge } from './tree.ts'

/** Bytes and files that may still be unpacked; shared by all packages of one installation. */
export type UnpackBudget = { bytes: number; files: number }

type Unpacking = {
  /** The folder, which is made. */
  folder: string
  budget: UnpackBudget
  signal: AbortSignal
  /** Files that are left out, by their path in the package. */
  isLeftOut?: (path: string) => boolean
}

/** A budget for one installation. */
export const unpackBudget = (): UnpackBudget => ({ bytes: MOST_UNPACKED, files: MOST_FILES })

/**
 * Unpacks an archive of a package, of which every file lies in one folder. Links are left out, and files get plain modes.
 * @throws CannotInstall where it is no archive, or too large
 */
export async function unpackPackage(archive: Readable | Buffer, { folder, budget, signal, isLeftOut }: Unpacking): Promise<void> {
  const { extract } = await import('tar')
  await mkdir(folder, { recursive: true })
  const filter = (path: string, entry: object): boolean => {
    if (!('type' in entry)) return false
    const { type } = entry as ReadEntry
    const isFolder = type === 'Directory'
    if (!isFolder && type !== 'File' && type !== 'OldFile' && type !== 'ContiguousFile') return false
    if (isLeftOut?.(path.split('/').slice(1).join('/'))) return false
    ;(entry as ReadEntry).mode = isFolder ? 0o755 : 0o644
    return budget.files-- > 0
  }
  const unzip = Buffer.isBuffer(archive) && archive[0] === 0x1f && archive[1] === 0x8b ? [createGunzip()] : []
  const source = Buffer.isBuffer(archive) ? Readable.from([archive]) : archive
  const unpack = extract({ cwd: folder, strip: 1, preserveOwner: false, noMtime: true, filter })
  try {
    await pipeline([source, ...unzip, count(budget), unpack], { signal })
  } catch (error) {
    if (signal.aborted || error instanceof CannotInstall) throw error
    throw new CannotInstall(`The archive of the package cannot be read: ${(error as Error).message}`)
  }
  if (budget.files < 0) throw new CannotInstall(tooLarge)
}

/** Passes bytes on as long as the budget lasts, also that of the files that they held so far. */
const count = (budget: UnpackBudget): Transform =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      budget.bytes -= piece.length
      if (budget.bytes < 0 || budget.files < 0) done(new CannotInstall(tooLarge))
      else done(null, piece)
    },
  })

/** An archive of a folder, as `unpackPackage` reads it, uncompressed. Links are left out. */
export async function packFolder(folder: string, isLeftOut: (path: string) => boolean): Promise<Readable> {
  const { create } = await import('tar')
  const filter = (path: string): boolean => !isLeftOut(path.replace(/^\.\/?/, ''))
  return Readable.from(create({ cwd: folder, portable: true, prefix: 'package', filter }, ['.']))
}
