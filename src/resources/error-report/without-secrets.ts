/**
 * What in the text of an error may have come from a request or out of the database, and is left out of its report. The words around it
 * say what went wrong; the log, which whoever runs the service keeps, has all of it.
 */
const VALUES: readonly (readonly [RegExp, string])[] = [
  // what PostgreSQL and JSON.parse quote is the value that they stumbled over, whatever quotes are in it
  [/"[\s\S]*"|"[\s\S]*$/g, '"..."'],
  [/\bKey \([^\n]*/g, 'Key (...)'],
  // name and password in an address, and all that follows a question mark
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1'],
  [/\?[^\s)'"`]+/g, '?...'],
  [/\b(Token|Bearer|Basic)\s+\S+/gi, '$1 ...'],
  [/\b(\w*(?:password|passwd|secret|token|api_?key|cookie|session_?id))(\s*[=:]\s*)[^\s,;)}]+/gi, '$1$2...'],
  [/\binv-[\w-]{20,}/gi, '...'],
  // a mail address is somebody's
  [/[^\s@<>"'(/]+@[^\s@<>"'()]+\.[a-z]{2,}/gi, '...@...'],
  // long runs without a meaning are keys, digests or encoded contents
  [/(?<![\w-])(?=[\w+-]*\d)(?=[\w+-]*[a-z])[\w+-]{40,}={0,2}(?![\w-])/gi, '...'],
]

/** A text of a few thousand characters at most without values that could be secrets: an address, or words. */
export const withoutSecrets = (text: string): string =>
  VALUES.reduce((cleaned, [pattern, instead]) => cleaned.replaceAll(pattern, instead), text)

/** A word after which the rest of a line may be a secret. */
const SECRET_FOLLOWS = /([\w-]*(?:password|passwd|secret|token|key)\w*)[^\n]*/gi

/**
 * The errors of PostgreSQL whose message names objects at most, or says how the server is: no permission, unknown table, column or
 * function; no room, no memory, conflicts between transactions, locks, and what broke a statement off.
 */
const NAMES_OBJECTS = /^(?:42501|42P01|42703|42883|40\w{3}|53\w{3}|55P03|57\w{3})$/

/** What PostgreSQL names of what an error is about. */
const OBJECTS = ['constraint', 'table', 'column'] as const

/**
 * What an error says, as it is kept. Of an error of PostgreSQL (in the process, or as pg-boss keeps it) the names of constraint, table and
 * column; its message only where that holds no value. Of any other its message without values, and up to the first word of a line that
 * a secret may follow.
 */
export function wordsOf(error: object | null): string {
  const told = (error ?? {}) as Readonly<Record<string, unknown>>
  const { message, code, severity } = told
  const text = typeof message === 'string' ? message.slice(0, 2_000) : ''
  // every error of PostgreSQL has both
  if (typeof severity !== 'string' || typeof code !== 'string') return withoutSecrets(text.replaceAll(SECRET_FOLLOWS, '$1 ...'))
  if (NAMES_OBJECTS.test(code)) return withoutSecrets(text)
  const named = OBJECTS.flatMap((kind) => (typeof told[kind] === 'string' ? [`${kind} ${told[kind].slice(0, 63)}`] : []))
  return ['rejected by the database', ...named].join(', ')
}
