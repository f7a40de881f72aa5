import { countHeadings } from './headings.ts'

/** Supported encodings of tables, by their names in the WHATWG standard. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'gb18030', 'windows-1250', 'windows-1251', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** A text, and its encoding. */
type DecodedText = { text: string; encoding: Encoding }

/** Decodes the text of a file. @param chosen its encoding if it is known; otherwise it is detected */
export function decodeText(bytes: Uint8Array, chosen?: Encoding): DecodedText {
  const encoding = chosen ?? detectEncoding(bytes)
  return { text: decode(bytes, encoding), encoding }
}

/** @param isStrict whether invalid bytes throw */
const decode = (bytes: Uint8Array, encoding: Encoding, isStrict = false): string =>
  new TextDecoder(encoding, { fatal: isStrict }).decode(bytes)

/** Length of the sample in which the encoding is detected, in bytes. */
const MAX_DETECTED_BYTES = 256 * 1024

/** Detects the encoding by the byte order mark, otherwise by which bytes are valid, otherwise by the letters and headings that each encoding yields. */
export function detectEncoding(bytes: Uint8Array): Encoding {
  return detectByteOrderMark(bytes) ?? detectUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : guessEncoding(getSample(bytes)))
}

/** Returns the first lines of a file. */
function getSample(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(0, MAX_DETECTED_BYTES)
  return start.length < bytes.length ? start.subarray(0, start.lastIndexOf(0x0a) + 1 || start.length) : start
}

const MARKS: readonly [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['gb18030', [0x84, 0x31, 0x95, 0x33]],
]

const detectByteOrderMark = (bytes: Uint8Array): Encoding | undefined =>
  MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0]

/** The bytes of column separators and line ends. */
const TABLE_BYTES = new Set([...'\t\n\r,;|'].map((sign) => sign.charCodeAt(0)))

/**
 * Detects UTF-16 without a mark: separators, digits and line ends have a zero byte in it, always on the same side; no other encoding has any.
 * A zero byte that belongs to no separator or line end is a damaged text.
 */
function detectUtf16(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]
  let isTable = false
  for (const [index, byte] of bytes.entries()) {
    if (byte !== 0) continue
    zeros[index % 2] = Number(zeros[index % 2]) + 1
    isTable ||= TABLE_BYTES.has(bytes[index % 2 === 0 ? index + 1 : index - 1] as number)
  }
  if (!isTable) return undefined
  const [even = 0, odd = 0] = zeros
  if (even + odd === 0 || Math.max(even, odd) < 4 * Math.min(even, odd)) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** Whether a text is UTF-8. Single-byte text hardly ever forms UTF-8 sequences, and a single damaged one does not indicate another encoding. */
function isUtf8(bytes: Uint8Array): boolean {
  const text = decode(bytes, 'utf-8')
  const damaged = text.split('\uFFFD').length - 1
  const others = [...text.matchAll(/[^\0-\x7f]/gu)].length - damaged
  return damaged === 0 || damaged * 10 <= others
}

const SINGLE_BYTE_ENCODINGS = ['windows-1252', 'windows-1250', 'windows-1251'] as const

function guessEncoding(bytes: Uint8Array): Encoding {
  const chinese = computeChineseShare(bytes)
  const candidates: Encoding[] = chinese === undefined ? [...SINGLE_BYTE_ENCODINGS] : [...SINGLE_BYTE_ENCODINGS, 'gb18030']
  const scores = candidates.map((encoding) => ({ encoding, count: countNonAsciiHeadings(decode(bytes, encoding)) }))
  const [best, next] = scores.toSorted((one, other) => other.count - one.count)
  if (best && best.count > (next?.count ?? 0)) return best.encoding
  if (chinese !== undefined && chinese >= 0.6 && !areCyrillicCapitals(bytes)) return 'gb18030'
  if (isCyrillic(decode(bytes, 'windows-1251'))) return 'windows-1251'
  const [western, central] = [decode(bytes, 'windows-1252'), decode(bytes, 'windows-1250')]
  return countOddLetters(central, CENTRAL) < countOddLetters(western, WESTERN) ? 'windows-1250' : 'windows-1252'
}

const MAX_HEADINGS_CHARACTERS = 20_000

/** Counts the known headings with letters beyond ASCII in the first rows. */
const countNonAsciiHeadings = (text: string): number =>
  countHeadings(
    text
      .slice(0, MAX_HEADINGS_CHARACTERS)
      .split(/[,;\t|\r\n"]/)
      .filter((cell) => /[^\0-\x7f]/.test(cell)),
  )

/** Returns the share of common Chinese characters and punctuation among all two-byte ones; undefined when the bytes are not valid GB18030. */
function computeChineseShare(bytes: Uint8Array): number | undefined {
  let all = 0
  let common = 0
  for (let index = 0; index < bytes.length; index++) {
    const lead = bytes[index] as number
    if (lead < 0x80) continue
    const next = bytes[++index] ?? 0
    if (lead === 0x80 || lead === 0xff || next < 0x30 || next === 0x7f || next === 0xff) return undefined
    if (next < 0x40) {
      if (next > 0x39) return undefined
      index += 2
    } else {
      all++
      if (next >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || (lead >= 0xa1 && lead <= 0xa3))) common++
    }
  }
  return all === 0 ? undefined : common / all
}

/** Whether all letters are Cyrillic capitals. Such words yield common Chinese characters too, but Chinese text does not stay within the capitals. */
function areCyrillicCapitals(bytes: Uint8Array): boolean {
  const high = bytes.filter((byte) => byte >= 0x80)
  return high.length >= 6 && high.every((byte) => byte >= 0xc0 && byte <= 0xdf)
}

/** Whether a text is Cyrillic. Cyrillic words have no Latin letters; in Latin words, only some letters are beyond ASCII. */
function isCyrillic(text: string): boolean {
  const words = [...text.matchAll(/\p{L}{2,}/gu)].map(([word]) => word).filter((word) => /[^\0-\x7f]/.test(word))
  const cyrillicWords = words.filter((word) => /^\p{Script=Cyrillic}+$/u.test(word))
  return cyrillicWords.length > 0 && cyrillicWords.length * 2 > words.length
}

/** Letters beyond ASCII of the languages written in an encoding, at their possible positions in a word. */
const WESTERN = [
  /[äöüß]/u, // German
  /[âçéëîïôûü]|à(?!\p{L}{2})|[èê](?=\p{L})|œ(?=[udis])/u, // French
  /[áéíóúüñ]/u, // Spanish
  /[áâàçéêíóôúü]|ã(?=[oes]|$|\P{L})|õ(?=e)/u, // Portuguese
  /[àèéìòù](?!\p{L})/u, // Italian
  /[áéèëíïóöüú]/u, // Dutch
  /[åäöæøé]/u, // Nordic
]
const CENTRAL = [
  /[ąćęłńóśźż]/u, // Polish
  /[áčďéěíňóřšťúůýž]/u, // Czech
  /[áäčďéíĺľňóôŕšťúýž]/u, // Slovak
  /[áéíóöőúüű]/u, // Hungarian
  /[ăâîşţ]/u, // Romanian
  /[čćđšž]/u, // Croatian, Slovene
  /[äöüß]/u, // German
]

/** Characters that do not occur in words, but result from decoding letters with another encoding; except for squares and cubes of meters. */
const ODD_SIGNS = /(?<=\p{L})[¹¿¡£¥¯¼¾]|(?<=\p{L})[²³](?<!(?<!\p{L})[cdkm]?m.)|[¹³£¥¯](?=\p{L})|[ˇ˘˛˙˝]/gu

/** Counts the letters beyond ASCII, and symbols in words, outside the language that fits a text best. */
function countOddLetters(text: string, languages: readonly RegExp[]): number {
  const lower = text.toLowerCase()
  const letters = [...lower.matchAll(/[^\P{L}\0-\x7fµªº]/gu)]
  const odd = languages.map((language) => {
    const common = new Set([...lower.matchAll(new RegExp(language.source, 'gu'))].map(({ index }) => index))
    return letters.filter(({ index }) => !common.has(index)).length
  })
  return Math.min(...odd) + [...text.matchAll(ODD_SIGNS)].length
}
