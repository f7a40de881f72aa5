import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../kit/request/problem.ts'
import { reshapedPicture } from '../kit/services/pictures.ts'
import { PRINTED_SITE } from '../kit/services/printer.ts'
import { STATIC } from '../paths.ts'
import { fontFile } from './fonts.ts'
import type { FileBytes, Library } from './rendering.ts'

const MEDIA = `${PRINTED_SITE}media/`
const STATIC_URL = `${PRINTED_SITE}static/img/`

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
  return async (url: string): Promise<FileBytes | undefined> => {
    if (!shown.has(url)) return fontFile(url)
    const [address = '', look] = url.split('?')
    const found = await stored(address)
    return look === undefined || !found ? found : reshaped(found, look, account)
  }
}
