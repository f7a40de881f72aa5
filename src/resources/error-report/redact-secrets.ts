/**
 * Patterns of values in the text of an error that may come from a request or the database; they are left out of its report. The words around
 * them say what went wrong; the log of the operator has the full text.
 */
const VALUE_PATTERNS: readonly (readonly [RegExp, string])[] = [
  // text quoted by PostgreSQL and JSON.parse is the value that failed, with any quotes in it
  [/"[\s\S]*"|"[\s\S]*$/g, '"..."'],
  [/\bKey \([^\n]*/g, 'Key (...)'],
  // name and password in a URL, and everything after a question mark
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1'],
  [/\?[^\s)'"`]+/g, '?...'],
  [/\b(Token|Bearer|Basic)\s+\S+/gi, '$1 ...'],
  [/\b(\w*(?:password|passwd|secret|token|api_?key|cookie|session_?id))(\s*[=:]\s*)[^\s,;)}]+/gi, '$1$2...'],
  [/\binv-[\w-]{20,}/gi, '...'],
  // an email address is personal data
  [/[^\s@<>"'(/]+@[^\s@<>"'()]+\.[a-z]{2,}/gi, '...@...'],
  // long meaningless runs are keys, digests or encoded contents
  [/(?<![\w-])(?=[\w+-]*\d)(?=[\w+-]*[a-z])[\w+-]{40,}={0,2}(?![\w-])/gi, '...'],
]

/** Removes values that could be secrets from a string of at most a few thousand characters. */
export const redactSecrets = (text: string): string =>
  VALUE_PATTERNS.reduce((redacted, [pattern, replacement]) => redacted.replaceAll(pattern, replacement), text)

/** A word after which the rest of a line may be a secret. */
const SECRET_FOLLOWS = /([\w-]*(?:password|passwd|secret|token|key)\w*)[^\n]*/gi

/**
 * Errors of PostgreSQL whose messages contain at most names of objects, or the server's condition: missing permission, unknown table,
 * column or function; no disk space, no memory, conflicts between transactions, locks, and cancelled statements.
 */
const CODES_NAMING_OBJECTS = /^(?:42501|42P01|42703|42883|40\w{3}|53\w{3}|55P03|57\w{3})$/

/** Objects that PostgreSQL names in an error. */
const OBJECT_FIELDS = ['constraint', 'table', 'column'] as const

/**
 * The message of an error, as it is stored. For errors of PostgreSQL (in the process, or as pg-boss stores them) the names of constraint,
 * table and column, with the message only if it contains no value. For any other error its message without values, up to the first word of
 * a line that a secret may follow.
 */
export function describeSafely(error: object | null): string {
  const fields = (error ?? {}) as Readonly<Record<string, unknown>>
  const { message, code, severity } = fields
  const text = typeof message === 'string' ? message.slice(0, 2_000) : ''
  // every error of PostgreSQL has both
  if (typeof severity !== 'string' || typeof code !== 'string') return redactSecrets(text.replaceAll(SECRET_FOLLOWS, '$1 ...'))
  if (CODES_NAMING_OBJECTS.test(code)) return redactSecrets(text)
  const objectNames = OBJECT_FIELDS.flatMap((kind) =>
    typeof fields[kind] === 'string' ? [`${kind} ${fields[kind].slice(0, 63)}`] : [],
  )
  return ['rejected by the database', ...objectNames].join(', ')
}
