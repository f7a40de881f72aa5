import { withSeparators } from './separators.ts'

/** One format of an ISO/IEC 15434 message: its two digits, and its raw fields. */
export type Format = { format: string; fields: readonly string[] }

const RECORD = '\u001e'
const MESSAGE_START = `[)>${RECORD}`
const GROUP = '\u001d'
const END_OF_TRANSMISSION = '\u0004'

/**
 * Parses an ISO/IEC 15434 message, as on most labels on goods. Formats: `06` with data identifiers, `05` with GS1 application
 * identifiers, `12` with text element identifiers of telecommunications. Returns undefined for other strings. Accepts separators in any
 * form that scanners send.
 */
export function readMessage(text: string): readonly Format[] | undefined {
  const decoded = withSeparators(text)
  if (!decoded.startsWith(MESSAGE_START)) return undefined
  const formats = decoded
    .slice(MESSAGE_START.length)
    .replace(END_OF_TRANSMISSION, '')
    .split(RECORD)
    .flatMap((format) => {
      const [digits = '', ...fields] = format.split(GROUP)
      return /^\d\d$/.test(digits) && fields.length > 0 ? [{ format: digits, fields }] : []
    })
  return formats.length > 0 ? formats : undefined
}

/** Returns the values of the data identifiers (format `06`) of a message, by identifier such as `1P`; the last one of duplicates. */
export function readIdentifiers(text: string): ReadonlyMap<string, string> | undefined {
  const fields = readMessage(text)
    ?.filter(({ format }) => format === '06')
    .flatMap(({ fields }) => fields)
  return fields && fields.length > 0 ? identified(fields) : undefined
}

/** Groups fields by data identifier: up to three digits and an upper-case letter. Ignores other fields. */
export function identified(fields: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const field of fields) {
    const [, identifier, value] = /^(\d{0,3}[A-Z])(.*)$/s.exec(field) ?? []
    if (identifier === undefined || value === undefined) continue
    // move it to the end: a value with several identifiers follows the order on the label
    values.delete(identifier)
    values.set(identifier, value)
  }
  return values
}
