import { withSeparators } from './separators.ts'

/** One format of a message after ISO/IEC 15434: its two digits, and its fields as they stand there. */
export type Format = { format: string; fields: readonly string[] }

const RECORD = '\u001e'
const HEAD = `[)>${RECORD}`
const GROUP = '\u001d'
const END = '\u0004'

/**
 * The formats of a message after ISO/IEC 15434, the form of most labels on goods: `06` with data identifiers, `05` with application
 * identifiers of GS1, `12` with the words of telecommunication. Undefined when the text is no such message. Separators may be
 * written in any way that scanners write them.
 */
export function readMessage(text: string): readonly Format[] | undefined {
  const decoded = withSeparators(text)
  if (!decoded.startsWith(HEAD)) return undefined
  const read = decoded
    .slice(HEAD.length)
    .replace(END, '')
    .split(RECORD)
    .flatMap((format) => {
      const [digits = '', ...fields] = format.split(GROUP)
      return /^\d\d$/.test(digits) && fields.length > 0 ? [{ format: digits, fields }] : []
    })
  return read.length > 0 ? read : undefined
}

/** What stands in the format of data identifiers (`06`) of a message, by identifier as `1P`; of one given twice, the last. */
export function readIdentifiers(text: string): ReadonlyMap<string, string> | undefined {
  const fields = readMessage(text)
    ?.filter(({ format }) => format === '06')
    .flatMap(({ fields }) => fields)
  return fields && fields.length > 0 ? identified(fields) : undefined
}

/** Fields by their data identifiers: up to three digits and a capital letter. Others are passed over. */
export function identified(fields: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const field of fields) {
    const [, identifier, value] = /^(\d{0,3}[A-Z])(.*)$/s.exec(field) ?? []
    if (identifier === undefined || value === undefined) continue
    // the last of them stands last: what is read by several identifiers follows the order on the label
    values.delete(identifier)
    values.set(identifier, value)
  }
  return values
}
