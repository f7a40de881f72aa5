/**
 * The control characters that structure a code, with the forms in which scanners send them: real ones, names in brackets, the control
 * pictures of Unicode, the private-use characters of symbol fonts, escapes, and the substitute characters of keyboards.
 */
const CONTROLS: readonly (readonly [name: string, character: string])[] = [
  ['EOT', '\u0004'],
  ['FS', '\u001c'],
  ['GS', '\u001d'],
  ['RS', '\u001e'],
  ['US', '\u001f'],
]

/** The forms that always mean a separator: `{GS}`, `<GS>`, `[GS]`, `␝`, U+F01D, `\x1d`, `\u001d`, `<0x1d>`. */
const SPELLED_CONTROLS = CONTROLS.map(([name, character]) => {
  const code = character.charCodeAt(0)
  const hex = code.toString(16).padStart(2, '0')
  const picture = String.fromCharCode(0x2400 + code)
  const privateUse = String.fromCharCode(0xf000 + code)
  return [
    new RegExp(`[{<[]${name}[}>\\]]|[{<[]0x${hex}[}>\\]]|\\\\(?:x|u00)${hex}|${picture}|${privateUse}`, 'gi'),
    character,
  ] as const
})

/**
 * The head of an ISO/IEC 15434 message, with any form of the two separators: `[)>`, the record separator (which scanners lose), two digits,
 * and the group separator. Old labels have one more `>` before it.
 */
const HEADER = /^(>?)\[\)>([^0-9A-Za-z]{0,2})(\d\d)([^0-9A-Za-z]{1,2})/

/**
 * Returns a code with real separators, whatever form the scanner sent. Substitutes such as `]` and `^` of keyboards are recognized only
 * by the head of a message; other strings do not change. Do not use it for codes that are stored or hashed unchanged.
 */
export function withSeparators(text: string): string {
  let decoded = text
  for (const [spelled, character] of SPELLED_CONTROLS) decoded = decoded.replace(spelled, character)
  const head = HEADER.exec(decoded)
  if (!head) return decoded
  const [prefix, , record = '', format = '', group = ''] = head
  let rest = decoded.slice(prefix.length)
  if (group !== '\u001d') rest = rest.replaceAll(group, '\u001d')
  // the end of a format and of the message is recognized only at the end: `^` may be part of a value
  if (record !== '' && record !== '\u001e') rest = replaceTerminators(rest, record)
  return `[)>\u001e${format}\u001d${rest}`
}

/** Replaces the substitutes with real separators at the end of a message, and between two formats. */
function replaceTerminators(text: string, record: string): string {
  const between = new RegExp(`${escapeExpression(record)}(?=\\d\\d\\u001d)`, 'g')
  const end = new RegExp(`${escapeExpression(record)}(?:\\u0004|\\^?D)?$`)
  return text.replace(between, '\u001e').replace(end, '\u001e\u0004')
}

const escapeExpression = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
