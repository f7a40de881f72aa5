import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Bytes that a package may have with all that it needs: as it is stored, and unpacked. */
export const MOST_BYTES = 20 * 1024 * 1024
export const MOST_UNPACKED = 200 * 1024 * 1024
export const MOST_FILES = 20_000

/** The folder inside that holds the packages, each with what it needs inside its own folder. */
export const MODULES = 'node_modules'

/**
 * Packs the packages in a folder, so that other nodes need no registry.
 * @throws Error when it is too large; its message says so
 */
export async function packTree(folder: string): Promise<Buffer> {
  let unpacked = 0
  let files = 0
  const { create } = await import('tar')
  const stream = create(
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
    if (bytes > MOST_BYTES || unpacked > MOST_UNPACKED || files > MOST_FILES) throw new Error(tooLarge)
  }
  return Buffer.concat(chunks)
}

/** The limits, for people. */
export const tooLarge = `The package is too large: with its dependencies it can have ${MOST_BYTES / 1024 / 1024} MB packed, ${MOST_UNPACKED / 1024 / 1024} MB and ${MOST_FILES} files unpacked.`

/** Unpacks it into a folder, which is made. */
export async function unpackTree(tarball: Buffer, folder: string): Promise<void> {
  const { extract } = await import('tar')
  await mkdir(folder, { recursive: true })
  const filter = (_path: string, entry: object) => 'type' in entry && (entry.type === 'File' || entry.type === 'Directory')
  await pipeline(Readable.from([tarball]), extract({ cwd: folder, strict: true, filter }))
}

/** The digest by which a packed tree is known. */
export const digestOf = (tarball: Buffer): string => createHash('sha512').update(tarball).digest('hex')
