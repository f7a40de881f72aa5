import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type FileBytes, RESOURCES } from './rendering.ts'

/**
 * The typeface of all that is printed: Noto Sans, out of npm, so that every machine prints the same. A typeface is split into files for
 * a part of its characters each, of which the browser asks for those that it needs.
 */
const FAMILIES = [
  { package: 'noto-sans', sheets: ['wght', 'wght-italic'], family: 'Noto Sans Variable', needed: /./ },
  {
    package: 'noto-sans-arabic',
    sheets: ['wght'],
    family: 'Noto Sans Arabic Variable',
    needed: /[\p{Script=Arabic}]/u,
  },
  {
    package: 'noto-sans-sc',
    sheets: ['wght'],
    family: 'Noto Sans SC Variable',
    needed: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u,
  },
] as const

/** What stands behind `font-family` in the style of documents. */
export const FONT_FAMILY = [...FAMILIES.map(({ family }) => `'${family}'`), 'sans-serif'].join(', ')

const FOLDER = `${RESOURCES}fonts/`

const urlOf = (name: string): URL => new URL(import.meta.resolve(`@fontsource-variable/${name}`))

/** The files of all families, by their address in a document. */
const files = new Map<string, URL>()

const sheets = FAMILIES.map(({ package: name, sheets, needed }) => {
  const text = sheets.map((sheet) => readFileSync(fileURLToPath(urlOf(`${name}/${sheet}.css`)), 'utf8')).join('\n')
  const css = text.replaceAll(/\/\*.*?\*\/\s*/gs, '').replaceAll('font-display: swap', 'font-display: block')
  const placed = css.replaceAll(/url\(\.\/files\/([\w.-]+)\)/g, (_, file: string) => {
    files.set(`${FOLDER}${file}`, urlOf(`${name}/files/${file}`))
    return `url(${FOLDER}${file})`
  })
  return { needed, css: placed }
})

/** The style sheet that names the files for the characters of a text. */
export const fontStyle = (text: string): string =>
  sheets.flatMap(({ needed, css }) => (needed.test(text) ? [css] : [])).join('\n')

/** A file of a typeface, by its address in a document. */
export async function fontFile(url: string): Promise<FileBytes | undefined> {
  const file = files.get(url)
  return file && { type: 'font/woff2', bytes: await readFile(file) }
}
