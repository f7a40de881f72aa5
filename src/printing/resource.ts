import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../kit/request/problem.ts'
import { requestErrors } from '../kit/request/request-errors.ts'
import { reshapedPicture } from '../kit/services/pictures.ts'
import { PRINTED_SITE } from '../kit/services/printer.ts'
import { Semaphore } from '../kit/services/semaphore.ts'
import { STATIC } from '../paths.ts'
import { fontFile } from './fonts.ts'
import type { FileBytes, Library } from './rendering.ts'

const MEDIA = `${PRINTED_SITE}media/`
const STATIC_URL = `${PRINTED_SITE}static/img/`

/** Pictures of one document that are read and given another size at a time. */
const PICTURES_AT_A_TIME = 2
/** Milliseconds that one of them may wait for the others: longer than printing may take. */
const MAX_WAIT_MS = 60 * 60 * 1000

/** The pictures of `static/img/`, which stand for missing ones. */
const PICTURES = join(STATIC, 'img')

/** A picture as its address asks for it; what is no picture stays as it is. */
async function reshaped(picture: FileBytes, look: string, account: number | undefined): Promise<FileBytes> {
  const { width, height, rotate } = Object.fromEntries(
    [...new URLSearchParams(look)].map(([name, value]) => [name, Number(value)]),
  )
  try {
    return { type: 'image/png', bytes: await reshapedPicture(picture.bytes, { width, height, rotate }, account) }
  } catch (error) {
    if (error instanceof Problem) throw error
    return picture
  }
}

/**
 * The files that a document may show: typefaces, and what its template named by way of a filter. A template may write any other
 * address, and nothing is loaded from there.
 */
export function documentFiles(shown: ReadonlySet<string>, library: Pick<Library, 'file'>, account: number | undefined) {
  const stored = async (address: string): Promise<FileBytes | undefined> => {
    const path = (folder: string) => decodeURIComponent(address.slice(folder.length))
    if (address.startsWith(MEDIA)) return library.file(path(MEDIA))
    if (address.startsWith(STATIC_URL)) return { type: 'image/png', bytes: await readFile(join(PICTURES, path(STATIC_URL))) }
    return undefined
  }
  // Chromium asks for all pictures at once, which would be more than may wait for their turn
  const turns = new Semaphore(PICTURES_AT_A_TIME, MAX_WAIT_MS, requestErrors.too_many_pictures)
  return async (url: string): Promise<FileBytes | undefined> => {
    if (!shown.has(url)) return fontFile(url)
    const [address = '', look] = url.split('?')
    if (look === undefined) return stored(address)
    return turns.run(async () => {
      const found = await stored(address)
      return found && reshaped(found, look, account)
    })
  }
}
