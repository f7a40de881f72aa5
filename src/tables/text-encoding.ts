import { countHeadings } from './headings.ts'

/** The encodings in which tables are read, by their names in the WHATWG standard. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'gb18030', 'windows-1250', 'windows-1251', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** A text, and the encoding that it was read in. */
type DecodedText = { text: string; encoding: Encoding }

/** The text of a file. @param chosen its encoding, where somebody says it; otherwise it is detected */
export function decodeText(bytes: Uint8Array, chosen?: Encoding): DecodedText {
  const encoding = chosen ?? detectEncoding(bytes)
  return { text: decode(bytes, encoding), encoding }
}

/** @param isStrict whether bytes that stand for nothing throw */
const decode = (bytes: Uint8Array, encoding: Encoding, isStrict = false): string =>
  new TextDecoder(encoding, { fatal: isStrict }).decode(bytes)

/** How much of a file its letters are looked at in. */
const MAX_DETECTED_BYTES = 256 * 1024

/** Detected by the mark at the start, else by what the bytes can be, else by the letters and headings that each encoding makes of them. */
export function detectEncoding(bytes: Uint8Array): Encoding {
  return markedEncoding(bytes) ?? unmarkedUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : likeliestEncoding(startOf(bytes)))
}

/** The first lines of a file. */
function startOf(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(0, MAX_DETECTED_BYTES)
  return start.length < bytes.length ? start.subarray(0, start.lastIndexOf(0x0a) + 1 || start.length) : start
}

const MARKS: readonly [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['gb18030', [0x84, 0x31, 0x95, 0x33]],
]

const markedEncoding = (bytes: Uint8Array): Encoding | undefined =>
  MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0]

/** Separators, digits and line ends have a byte of zero in UTF-16, always on the same side; no other encoding has any. */
function unmarkedUtf16(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = Number(zeros[at % 2]) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd === 0 || Math.max(even, odd) < 4 * Math.min(even, odd)) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** A text of one byte a letter hardly ever makes sequences of UTF-8; a single damaged one does not make it another encoding. */
function isUtf8(bytes: Uint8Array): boolean {
  const text = decode(bytes, 'utf-8')
  const damaged = text.split('\uFFFD').length - 1
  const others = [...text.matchAll(/[^\0-\x7f]/gu)].length - damaged
  return damaged === 0 || damaged * 10 <= others
}

const BY_LETTER = ['windows-1252', 'windows-1250', 'windows-1251'] as const

function likeliestEncoding(bytes: Uint8Array): Encoding {
  const chinese = chineseShare(bytes)
  const candidates: Encoding[] = chinese === undefined ? [...BY_LETTER] : [...BY_LETTER, 'gb18030']
  const known = candidates.map((encoding) => ({ encoding, count: foreignHeadings(decode(bytes, encoding)) }))
  const [best, next] = known.toSorted((one, other) => other.count - one.count)
  if (best && best.count > (next?.count ?? 0)) return best.encoding
  if (chinese !== undefined && chinese >= 0.6 && !areCyrillicCapitals(bytes)) return 'gb18030'
  if (isCyrillic(decode(bytes, 'windows-1251'))) return 'windows-1251'
  const [western, central] = [decode(bytes, 'windows-1252'), decode(bytes, 'windows-1250')]
  return oddLetters(central, CENTRAL) < oddLetters(western, WESTERN) ? 'windows-1250' : 'windows-1252'
}

const MAX_HEADINGS_CHARACTERS = 20_000

/** Of the headings that are known those with letters beyond ASCII, in the first rows. */
const foreignHeadings = (text: string): number =>
  countHeadings(
    text
      .slice(0, MAX_HEADINGS_CHARACTERS)
      .split(/[,;\t|\r\n"]/)
      .filter((cell) => /[^\0-\x7f]/.test(cell)),
  )

/** The share of the usual Chinese characters and signs among all of two bytes; undefined where the bytes cannot be GB18030. */
function chineseShare(bytes: Uint8Array): number | undefined {
  let all = 0
  let usual = 0
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] as number
    if (lead < 0x80) continue
    const next = bytes[++at] ?? 0
    if (lead === 0x80 || lead === 0xff || next < 0x30 || next === 0x7f || next === 0xff) return undefined
    if (next < 0x40) {
      if (next > 0x39) return undefined
      at += 2
    } else {
      all++
      if (next >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || (lead >= 0xa1 && lead <= 0xa3))) usual++
    }
  }
  return all === 0 ? undefined : usual / all
}

/** Words in Cyrillic capitals make usual Chinese characters too, but Chinese ones do not stay within the capitals. */
function areCyrillicCapitals(bytes: Uint8Array): boolean {
  const high = bytes.filter((byte) => byte >= 0x80)
  return high.length >= 6 && high.every((byte) => byte >= 0xc0 && byte <= 0xdf)
}

/** Cyrillic words have no Latin letters; of words in Latin letters only some are beyond ASCII. */
function isCyrillic(text: string): boolean {
  const words = [...text.matchAll(/\p{L}{2,}/gu)].map(([word]) => word).filter((word) => /[^\0-\x7f]/.test(word))
  const whole = words.filter((word) => /^\p{Script=Cyrillic}+$/u.test(word))
  return whole.length > 0 && whole.length * 2 > words.length
}

/** The letters beyond ASCII of languages that are written in an encoding, as a word may have them. */
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

/** Signs that no word has, which another encoding makes of letters; but squares and cubes of metres. */
const ODD_SIGNS = /(?<=\p{L})[¹¿¡£¥¯¼¾]|(?<=\p{L})[²³](?<!(?<!\p{L})[cdkm]?m.)|[¹³£¥¯](?=\p{L})|[ˇ˘˛˙˝]/gu

/** How many letters beyond ASCII, and signs in words, a text has that no one language has all of. */
function oddLetters(text: string, languages: readonly RegExp[]): number {
  const lower = text.toLowerCase()
  const letters = [...lower.matchAll(/[^\P{L}\0-\x7fµªº]/gu)]
  const odd = languages.map((language) => {
    const usual = new Set([...lower.matchAll(new RegExp(language.source, 'gu'))].map(({ index }) => index))
    return letters.filter(({ index }) => !usual.has(index)).length
  })
  return Math.min(...odd) + [...text.matchAll(ODD_SIGNS)].length
}
