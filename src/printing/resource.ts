import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRINTED_SITE } from '../kit/services/printer.ts'
import { fontFile } from './fonts.ts'
import type { FileBytes, Library } from './rendering.ts'

const MEDIA = `${PRINTED_SITE}media/`
const STATIC = `${PRINTED_SITE}static/img/`

/** The pictures of `static/img/`, which stand for missing ones. */
const PICTURES = join(import.meta.dirname, '..', '..', 'static', 'img')

/**
 * The files that a document may show: typefaces, and what its template named by way of a filter. A template may write any other
 * address, and nothing is loaded from there.
 */
export function documentFiles(shown: ReadonlySet<string>, library: Pick<Library, 'file'>) {
  return async (url: string): Promise<FileBytes | undefined> => {
    if (!shown.has(url)) return fontFile(url)
    const path = (folder: string) => decodeURIComponent(url.slice(folder.length))
    if (url.startsWith(MEDIA)) return library.file(path(MEDIA))
    if (url.startsWith(STATIC)) return { type: 'image/png', bytes: await readFile(join(PICTURES, path(STATIC))) }
    return undefined
  }
}
