import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { packArchive } from '../../kit/services/archive.ts'

/** Maximum bytes of a package with all its dependencies: as stored, and unpacked. */
export const MAX_PACKED_BYTES = 20 * 1024 * 1024
export const MAX_UNPACKED_BYTES = 200 * 1024 * 1024
export const MAX_FILES = 20_000

/** The inner folder of the packages, each with its own dependencies inside. */
export const MODULES = 'node_modules'

/**
 * Packs the packages in a folder, so that other nodes need no registry.
 * @throws Error with a message if it is too large
 */
export async function packTree(folder: string): Promise<Buffer> {
  let unpacked = 0
  let files = 0
  const stream = await packArchive(
    {
      cwd: folder,
      gzip: true,
      portable: true,
      noMtime: true,
      filter: (_path, entry) => {
        // links could lead out of the folder
        if (!('isFile' in entry) || !(entry.isFile() || entry.isDirectory())) return false
        unpacked += entry.isFile() ? entry.size : 0
        files++
        return true
      },
    },
    [MODULES],
  )
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes > MAX_PACKED_BYTES || unpacked > MAX_UNPACKED_BYTES || files > MAX_FILES) throw new Error(tooLargeMessage)
  }
  return Buffer.concat(chunks)
}

/** The limits, in a human-readable text. */
export const tooLargeMessage = `The package is too large: with its dependencies it can have ${MAX_PACKED_BYTES / 1024 / 1024} MB packed, ${MAX_UNPACKED_BYTES / 1024 / 1024} MB and ${MAX_FILES} files unpacked.`

/** Unpacks a packed tree into a new folder. */
export async function unpackTree(tarball: Buffer, folder: string): Promise<void> {
  const { extract } = await import('tar')
  await mkdir(folder, { recursive: true })
  const filter = (_path: string, entry: object) => 'type' in entry && (entry.type === 'File' || entry.type === 'Directory')
  await pipeline(Readable.from([tarball]), extract({ cwd: folder, strict: true, filter }))
}

/** The digest that identifies a packed tree. */
export const computeDigest = (tarball: Buffer): string => createHash('sha512').update(tarball).digest('hex')
