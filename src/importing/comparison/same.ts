import { MEDIA } from '../../kit/definition/file.ts'

/**
 * Whether a value of a dump and one of the service are the same: numbers in any notation, times to the second, and files by their paths.
 * @param type the SQL type of the column
 */
export function isSame(dumpValue: unknown, storedValue: unknown, type = ''): boolean {
  if (dumpValue === storedValue) return true
  const [dumpText, storedText] = [textOf(dumpValue), textOf(storedValue)]
  if (dumpText === storedText) return true
  if (dumpText === undefined || storedText === undefined) return false
  if (/^(numeric|integer|bigint|smallint|double|real)/.test(type))
    return isNumber(dumpText) && Number(dumpText) === Number(storedText)
  if (type.startsWith('timestamp')) return seconds(dumpText) === seconds(storedText)
  if (type === 'json' || type === 'jsonb') return canonical(dumpValue) === canonical(storedValue)
  const path = storedText.indexOf(MEDIA)
  return path >= 0 && decodeURIComponent(storedText.slice(path + MEDIA.length)) === dumpText
}

/** The text of a value; undefined for nothing, so that no text equals it. */
const textOf = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

const isNumber = (text: string): boolean => text !== '' && Number.isFinite(Number(text))

const seconds = (text: string): number => Math.floor(Date.parse(text) / 1000)

/** Serializes JSON in one canonical form, whatever text a value was parsed from. */
function canonical(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
