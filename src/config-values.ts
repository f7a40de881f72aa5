import { isIP } from 'node:net'
import { OperatorError } from './operator-error.ts'

/** Error for an environment variable with an invalid value. The message contains the variable, the value and the allowed values. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

/** Returns a parser of integers within bounds. */
export function integer(minimum: number, maximum: number) {
  return (text: string): number | undefined => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= minimum && value <= maximum ? value : undefined
  }
}

/** `true` or `false`. */
export function parseBoolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/** An IP address, or a network in the form of 10.0.0.0/8. */
export function parseNetworkAddress(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  const isValidPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  return version && isValidPrefix && rest.length === 0 ? text : undefined
}

/** Returns a parser of one of several words. */
export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return (text: string): Choice | undefined => choices.find((choice) => choice === text)
}

/** Returns a parser of a list separated by commas. One invalid item makes the whole list invalid. */
export function list(parseItem: (text: string) => string | undefined) {
  return (text: string): readonly string[] | undefined => {
    const items = text.split(',').map((item) => item.trim())
    const values = items.filter((item) => item !== '').map(parseItem)
    return values.includes(undefined) ? undefined : Object.freeze(values as string[])
  }
}

/** The name of a host, or an IP address. */
export function parseHostName(text: string): string | undefined {
  const isName = /^(?!.*\.\.)[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text)
  return isName || isIP(text) ? text : undefined
}

/** A web address without a trailing slash, a query or credentials. */
export function parseSiteUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !isWeb(url) || url.username || url.password || url.search || url.hash) return undefined
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** The origin of a web site: scheme, host and port. */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text)
  return url && isWeb(url) && (text === url.origin || text === `${url.origin}/`) ? url.origin : undefined
}

function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}

/** The address of a PostgreSQL database. */
export function parsePostgresUrl(text: string): string | undefined {
  // A URL with a user and no host (`postgres://user@/database?host=/run/postgresql`) names a socket in its query.
  const url = URL.parse(text.replace('@/', '@localhost/'))
  return url && /^postgres(ql)?:$/.test(url.protocol) ? text : undefined
}

/** Quotes an invalid value for a message. */
export function quoteValue(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text)
}

/** Masks a secret for a message. */
export function maskSecret(text: string): string {
  return `(${text.length} characters, not shown)`
}

/** Masks a URL after its scheme: if the URL is not valid, all of the rest may be part of the password. */
export function maskUrl(text: string): string {
  const scheme = /^[a-z]*:\/\//i.exec(text)?.[0]
  return scheme ? `${scheme}... (not shown further)` : maskSecret(text)
}
