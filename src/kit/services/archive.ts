import { Readable } from 'node:stream'
import type { TarOptionsWithAliasesAsyncNoFile } from 'tar'

/**
 * Packs files and folders into a tar archive.
 * @param options of the package `tar`; `cwd` is the folder that the paths start from
 * @returns the archive; it ends with an error if a file cannot be read, such as one that was deleted since
 */
export async function packArchive(options: TarOptionsWithAliasesAsyncNoFile, paths: string[]): Promise<Readable> {
  const { create } = await import('tar')
  const archive = create(options, paths)
  const stream = Readable.from(archive, { objectMode: false })
  // the iterator of the archive listens only while it waits: at another time an error without a listener would end the process
  archive.on('error', (error) => stream.destroy(error as Error))
  return stream
}
