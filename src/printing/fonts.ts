import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { decodeHTML } from 'entities'
import { PRINTED_SITE } from '../kit/services/printer.ts'
import { packageFile } from '../paths.ts'
import type { FileBytes } from './rendering.ts'
import { isInRanges, type Ranges, readCharacters } from './woff2-characters.ts'

/** A font file with some of the characters of a typeface. */
type Face = {
  file: string
  /** Characters for which a browser requests the file. */
  range: Ranges
  isItalic: boolean
  /** Characters that the file contains, once it was read. */
  characters?: Ranges
}
type Family = { name: string; css: string; faces: readonly Face[] }

const FONTS_URL = `${PRINTED_SITE}fonts/`

/** Files of all families, by their URL in a document. */
const files = new Map<string, string>()

/**
 * Typefaces for all printed documents, from npm, so that every machine prints the same: Noto Sans with its Arabic, Chinese (which has kana,
 * and most characters of Japanese) and Korean. A typeface is split into files for some of its characters each; the browser requests those
 * that it needs.
 */
const FAMILIES: readonly Family[] = [
  loadFamily('Noto Sans Variable', [
    packageFile('@fontsource-variable/noto-sans/wght.css'),
    packageFile('@fontsource-variable/noto-sans/wght-italic.css'),
  ]),
  loadFamily('Noto Sans Arabic Variable', [packageFile('@fontsource-variable/noto-sans-arabic/wght.css')]),
  loadFamily('Noto Sans SC Variable', [packageFile('@fontsource-variable/noto-sans-sc/wght.css')]),
  loadFamily('Noto Sans KR Variable', [packageFile('@fontsource-variable/noto-sans-kr/wght.css')]),
]

/** The names of all families, as a `font-family` list. */
export const FONT_FAMILIES = FAMILIES.map(({ name }) => `'${name}'`).join(', ')

/** Builds a family from style sheets of a package, with our URLs of its files; printing waits for its typeface. */
function loadFamily(name: string, stylesheets: readonly string[]): Family {
  const faces: Face[] = []
  const css = stylesheets.map((stylesheet) => {
    const text = readFileSync(stylesheet, 'utf8').replaceAll(/\/\*.*?\*\/\s*/gs, '')
    for (const [face] of text.matchAll(/@font-face\s*\{[^}]*\}/g)) {
      const [, file] = /url\(\.\/(files\/[\w.-]+)\)/.exec(face) ?? []
      const [, range = ''] = /unicode-range:([^;}]*)/.exec(face) ?? []
      if (file)
        faces.push({
          file: join(dirname(stylesheet), file),
          range: parseRanges(range),
          isItalic: /font-style:\s*italic/.test(face),
        })
    }
    return text
      .replaceAll('font-display: swap', 'font-display: block')
      .replaceAll(/url\(\.\/(files\/[\w.-]+)\)/g, (_, file: string) => {
        files.set(FONTS_URL + file, join(dirname(stylesheet), file))
        return `url(${FONTS_URL}${file})`
      })
  })
  return { name, css: css.join('\n'), faces }
}

/** Parses `U+0460-052F,U+20B4` into ranges. */
function parseRanges(range: string): Ranges {
  return [...range.matchAll(/U\+([0-9a-f]+)(?:-([0-9a-f]+))?/gi)]
    .map(([, first = '', last = first]) => [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const)
    .toSorted(([one], [other]) => one - other)
}

/**
 * Whether a family has a character. The ranges of a style sheet only tell which file to read: they include characters that the file does
 * not have.
 */
const hasCharacter = ({ faces }: Family, code: number): boolean =>
  faces.some((face) => {
    if (face.isItalic || !isInRanges(face.range, code)) return false
    face.characters ??= readCharacters(readFileSync(face.file))
    return isInRanges(face.characters, code)
  })

/** Characters that are invisible in every typeface. */
const INVISIBLE = /[\p{White_Space}\p{Control}\p{Default_Ignorable_Code_Point}]/u

/** Groups characters by the first family that has them; those that none has are under undefined. */
export function splitByFamily(characters: string): Map<string | undefined, string> {
  const split = new Map<string | undefined, string>()
  for (const character of new Set(characters)) {
    if (INVISIBLE.test(character)) continue
    const match = FAMILIES.find((one) => hasCharacter(one, character.codePointAt(0) as number))
    const name = match && `'${match.name}'`
    split.set(name, (split.get(name) ?? '') + character)
  }
  return split
}

/** Returns the style sheet that names the files for the characters of a document. */
export function buildFontStyle(html: string): string {
  const decoded = decodeHTML(html).replaceAll(/\\([0-9a-f]{1,6})/gi, (_, code: string) => toCharacter(Number.parseInt(code, 16)))
  const usedFamilies = splitByFamily(decoded.match(/[^\0-\x7f]/gu)?.join('') ?? '')
  return FAMILIES.filter(({ name }, index) => index === 0 || usedFamilies.has(`'${name}'`))
    .map(({ css }) => css)
    .join('\n')
}

const toCharacter = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** Reads a file of a typeface, by its URL in a document. */
export async function readFontFile(url: string): Promise<FileBytes | undefined> {
  const file = files.get(url)
  return file === undefined ? undefined : { type: 'font/woff2', bytes: await readFile(file) }
}
