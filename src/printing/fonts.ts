import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { decodeHTML } from 'entities'
import { PRINTED_SITE } from '../kit/services/printer.ts'
import { packageFile } from '../paths.ts'
import type { FileBytes } from './rendering.ts'
import { charactersOf, isIn, type Ranges } from './woff2-characters.ts'

/** A file of a typeface, for some of its characters. */
type Face = {
  file: string
  /** The characters for which a browser asks for it. */
  range: Ranges
  isItalic: boolean
  /** Those that it has, once it was looked at. */
  characters?: Ranges
}
type Family = { name: string; css: string; faces: readonly Face[] }

const FOLDER = `${PRINTED_SITE}fonts/`

/** The files of all families, by their address in a document. */
const files = new Map<string, string>()

/**
 * The typefaces of all that is printed, out of npm, so that every machine prints the same: Noto Sans with its Arabic, Chinese (which has
 * kana, and most signs of Japanese) and Korean. A typeface is split into files for a part of its characters each, of which the browser
 * asks for those that it needs.
 */
const FAMILIES: readonly Family[] = [
  family('Noto Sans Variable', [
    packageFile('@fontsource-variable/noto-sans/wght.css'),
    packageFile('@fontsource-variable/noto-sans/wght-italic.css'),
  ]),
  family('Noto Sans Arabic Variable', [packageFile('@fontsource-variable/noto-sans-arabic/wght.css')]),
  family('Noto Sans SC Variable', [packageFile('@fontsource-variable/noto-sans-sc/wght.css')]),
  family('Noto Sans KR Variable', [packageFile('@fontsource-variable/noto-sans-kr/wght.css')]),
]

/** The names of all families, as they stand in `font-family`. */
export const FONT_FAMILIES = FAMILIES.map(({ name }) => `'${name}'`).join(', ')

/** A family out of style sheets of a package, with our addresses of its files; what is printed waits for its typeface. */
function family(name: string, sheets: readonly string[]): Family {
  const faces: Face[] = []
  const css = sheets.map((sheet) => {
    const text = readFileSync(sheet, 'utf8').replaceAll(/\/\*.*?\*\/\s*/gs, '')
    for (const [face] of text.matchAll(/@font-face\s*\{[^}]*\}/g)) {
      const [, file] = /url\(\.\/(files\/[\w.-]+)\)/.exec(face) ?? []
      const [, range = ''] = /unicode-range:([^;}]*)/.exec(face) ?? []
      if (file)
        faces.push({ file: join(dirname(sheet), file), range: rangesOf(range), isItalic: /font-style:\s*italic/.test(face) })
    }
    return text
      .replaceAll('font-display: swap', 'font-display: block')
      .replaceAll(/url\(\.\/(files\/[\w.-]+)\)/g, (_, file: string) => {
        files.set(FOLDER + file, join(dirname(sheet), file))
        return `url(${FOLDER}${file})`
      })
  })
  return { name, css: css.join('\n'), faces }
}

/** `U+0460-052F,U+20B4` as ranges. */
function rangesOf(range: string): Ranges {
  return [...range.matchAll(/U\+([0-9a-f]+)(?:-([0-9a-f]+))?/gi)]
    .map(([, first = '', last = first]) => [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const)
    .toSorted(([one], [other]) => one - other)
}

/** Whether a family has a character. What a style sheet says is where to look: its ranges hold characters that the file has not. */
const has = ({ faces }: Family, code: number): boolean =>
  faces.some((face) => {
    if (face.isItalic || !isIn(face.range, code)) return false
    face.characters ??= charactersOf(readFileSync(face.file))
    return isIn(face.characters, code)
  })

/** What is nothing to see, whatever typeface it is in. */
const UNSEEN = /[\p{White_Space}\p{Control}\p{Default_Ignorable_Code_Point}]/u

/** Which family shows which of some characters: the first that has it; undefined for those that none has. */
export function splitByFamily(characters: string): Map<string | undefined, string> {
  const split = new Map<string | undefined, string>()
  for (const character of new Set(characters)) {
    if (UNSEEN.test(character)) continue
    const found = FAMILIES.find((one) => has(one, character.codePointAt(0) as number))
    const name = found && `'${found.name}'`
    split.set(name, (split.get(name) ?? '') + character)
  }
  return split
}

/** The style sheet that names the files for the characters of a document. */
export function fontStyle(html: string): string {
  const decoded = decodeHTML(html).replaceAll(/\\([0-9a-f]{1,6})/gi, (_, code: string) => character(Number.parseInt(code, 16)))
  const needed = splitByFamily(decoded.match(/[^\0-\x7f]/gu)?.join('') ?? '')
  return FAMILIES.filter(({ name }, at) => at === 0 || needed.has(`'${name}'`))
    .map(({ css }) => css)
    .join('\n')
}

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** A file of a typeface, by its address in a document. */
export async function fontFile(url: string): Promise<FileBytes | undefined> {
  const file = files.get(url)
  return file === undefined ? undefined : { type: 'font/woff2', bytes: await readFile(file) }
}
