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

/** The message of an error, of a few thousand characters at most, without values that could be secrets. */
export const withoutSecrets = (text: string): string =>
  VALUES.reduce((cleaned, [pattern, instead]) => cleaned.replaceAll(pattern, instead), text)
