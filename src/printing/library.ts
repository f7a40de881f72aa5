import { extname } from 'node:path'
import { isPath } from '../kit/services/files.ts'
import { createSmallVersion, parseSmallPath } from '../kit/services/pictures.ts'
import type { Services } from '../kit/services/services.ts'
import type { FileBytes, Library } from './rendering.ts'

/**
 * Files that templates may name: assets and snippets by their file names, stored files by their paths, and the logo.
 * @param account of the caller who prints
 */
export function createLibrary(services: Pick<Services, 'database' | 'files'>, account: number | undefined): Library {
  const { database, files } = services
  const findPath = async (text: string, name: string): Promise<string | undefined> =>
    (await database.read<{ path: string }>({ text, values: [name] }))[0]?.path
  return {
    asset: (name) => findPath('select asset as path from report_asset where filename = $1', name),
    async logo() {
      const [logo] = await database.read<{ image: Buffer }>({ text: 'select image from instance_logo', values: [] })
      return logo && `data:image/png;base64,${logo.image.toString('base64')}`
    },
    async snippet(name) {
      const path = await findPath('select snippet as path from report_snippet where filename = $1', name)
      return path === undefined ? undefined : (await readBytes(files, path))?.toString()
    },
    async file(path) {
      const large = parseSmallPath(path)
      // smaller forms of pictures are made on first request
      if (large && isPath(large.path)) await createSmallVersion({ files }, path, large, account)
      const bytes = await readBytes(files, path)
      return bytes && { type: await detectType(path, bytes), bytes }
    },
  }
}

/** Reads a file's content; undefined when it is missing, or when the row does not hold a valid path. */
async function readBytes(files: Services['files'], path: string): Promise<Buffer | undefined> {
  return isPath(path) && (await files.find(path)) ? files.bytes(path) : undefined
}

/** Types without a signature at the beginning of a file. */
const TYPES_BY_EXTENSION: Record<string, string> = { '.svg': 'image/svg+xml', '.css': 'text/css' }

/** Returns the type of a file that is loaded into a document, by its content where possible. */
async function detectType(path: string, bytes: Buffer): Promise<FileBytes['type']> {
  const { fileTypeFromBuffer } = await import('file-type')
  const detected = await fileTypeFromBuffer(bytes)
  const byName = TYPES_BY_EXTENSION[extname(path).toLowerCase()]
  return byName && (!detected || detected.mime === 'application/xml') ? byName : (detected?.mime ?? 'application/octet-stream')
}
