import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PRINTED_SITE } from '../kit/services/printer.ts'
import { packageFile } from '../paths.ts'
import type { FileBytes } from './rendering.ts'

/**
 * The typeface of all that is printed: Noto Sans, out of npm, so that every machine prints the same. A typeface is split into files for
 * a part of its characters each, of which the browser asks for those that it needs.
 */
const FAMILIES = [
  {
    family: 'Noto Sans Variable',
    sheets: [
      packageFile('@fontsource-variable/noto-sans/wght.css'),
      packageFile('@fontsource-variable/noto-sans/wght-italic.css'),
    ],
    needed: /./,
  },
  {
    family: 'Noto Sans Arabic Variable',
    sheets: [packageFile('@fontsource-variable/noto-sans-arabic/wght.css')],
    needed: /\p{Script=Arabic}/u,
  },
  {
    family: 'Noto Sans SC Variable',
    sheets: [packageFile('@fontsource-variable/noto-sans-sc/wght.css')],
    needed: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u,
  },
] as const

/** What stands behind `font-family` in the style of documents. */
export const FONT_FAMILY = [...FAMILIES.map(({ family }) => `'${family}'`), 'sans-serif'].join(', ')

const FOLDER = `${PRINTED_SITE}fonts/`

/** The files of all families, by their address in a document. */
const files = new Map<string, string>()

/** A style sheet of a package, with our addresses of its files; what is printed waits for its typeface. */
function placed(sheet: string): string {
  const css = readFileSync(sheet, 'utf8').replaceAll(/\/\*.*?\*\/\s*/gs, '')
  return css
    .replaceAll('font-display: swap', 'font-display: block')
    .replaceAll(/url\(\.\/(files\/[\w.-]+)\)/g, (_, file: string) => {
      files.set(FOLDER + file, join(dirname(sheet), file))
      return `url(${FOLDER}${file})`
    })
}

const sheets = FAMILIES.map(({ sheets, needed }) => ({ needed, css: sheets.map(placed).join('\n') }))

/** The style sheet that names the files for the characters of a text. */
export const fontStyle = (text: string): string =>
  sheets.flatMap(({ needed, css }) => (needed.test(text) ? [css] : [])).join('\n')

/** A file of a typeface, by its address in a document. */
export async function fontFile(url: string): Promise<FileBytes | undefined> {
  const file = files.get(url)
  return file === undefined ? undefined : { type: 'font/woff2', bytes: await readFile(file) }
}
