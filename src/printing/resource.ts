import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../kit/request/problem.ts'
import { requestErrors } from '../kit/request/request-errors.ts'
import { resizePicture } from '../kit/services/pictures.ts'
import { PRINTED_SITE } from '../kit/services/printer.ts'
import { Semaphore } from '../kit/services/semaphore.ts'
import { STATIC } from '../paths.ts'
import { readFontFile } from './fonts.ts'
import type { FileBytes, Library } from './rendering.ts'

const MEDIA = `${PRINTED_SITE}media/`
const STATIC_URL = `${PRINTED_SITE}static/img/`

/** Maximum pictures of one document that are read and resized at the same time. */
const MAX_CONCURRENT_PICTURES = 2
/** Milliseconds that a picture may wait for its turn: longer than printing may take. */
const MAX_WAIT_MS = 60 * 60 * 1000

/** Pictures of `static/img/`, used in place of missing ones. */
const STATIC_PICTURES = join(STATIC, 'img')

/** Resizes and rotates a picture as its URL requests; other files stay unchanged. */
async function reshapePicture(picture: FileBytes, query: string, account: number | undefined): Promise<FileBytes> {
  const { width, height, rotate } = Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [name, Number(value)]),
  )
  try {
    return { type: 'image/png', bytes: await resizePicture(picture.bytes, { width, height, rotate }, account) }
  } catch (error) {
    if (error instanceof Problem) throw error
    return picture
  }
}

/**
 * Reads files that a document may show: typefaces, and files that its template named by a filter. A template may contain any other URL, but
 * nothing is loaded from there.
 */
export function createFileReader(allowedUrls: ReadonlySet<string>, library: Pick<Library, 'file'>, account: number | undefined) {
  const readStored = async (fileUrl: string): Promise<FileBytes | undefined> => {
    const path = (folder: string) => decodeURIComponent(fileUrl.slice(folder.length))
    if (fileUrl.startsWith(MEDIA)) return library.file(path(MEDIA))
    if (fileUrl.startsWith(STATIC_URL))
      return { type: 'image/png', bytes: await readFile(join(STATIC_PICTURES, path(STATIC_URL))) }
    return undefined
  }
  // Chromium requests all pictures at the same time, which would be more than the queue allows
  const semaphore = new Semaphore(MAX_CONCURRENT_PICTURES, MAX_WAIT_MS, requestErrors.too_many_pictures)
  return async (url: string): Promise<FileBytes | undefined> => {
    if (!allowedUrls.has(url)) return readFontFile(url)
    const [fileUrl = '', query] = url.split('?')
    if (query === undefined) return readStored(fileUrl)
    return semaphore.run(async () => {
      const file = await readStored(fileUrl)
      return file && reshapePicture(file, query, account)
    })
  }
}
