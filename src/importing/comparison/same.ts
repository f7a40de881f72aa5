import { MEDIA_URL_PREFIX } from '../../kit/definition/file.ts'

/**
 * Whether a value of a dump and one of the service are the same: numbers in any notation, times to the second, and files by their paths.
 * @param type the SQL type of the column
 */
export function isSame(dumpValue: unknown, storedValue: unknown, type = ''): boolean {
  if (dumpValue === storedValue) return true
  const [dumpText, storedText] = [toText(dumpValue), toText(storedValue)]
  if (dumpText === storedText) return true
  if (dumpText === undefined || storedText === undefined) return false
  if (/^(numeric|integer|bigint|smallint|double|real)/.test(type))
    return isNumber(dumpText) && Number(dumpText) === Number(storedText)
  if (type.startsWith('timestamp')) return toSeconds(dumpText) === toSeconds(storedText)
  if (type === 'json' || type === 'jsonb') return canonicalize(dumpValue) === canonicalize(storedValue)
  const path = storedText.indexOf(MEDIA_URL_PREFIX)
  return path >= 0 && decodeURIComponent(storedText.slice(path + MEDIA_URL_PREFIX.length)) === dumpText
}

/** A value as a string; undefined for null, so that no string equals it. */
const toText = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

const isNumber = (text: string): boolean => text !== '' && Number.isFinite(Number(text))

const toSeconds = (text: string): number => Math.floor(Date.parse(text) / 1000)

/** Serializes JSON in one canonical form, whatever text a value was parsed from. */
function canonicalize(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
