import { formatNumber, formatReadings, t } from '../language/language.ts'
import { compare } from '../values/exact.ts'
import type { FieldMetadata } from './field-metadata.ts'

/**
 * The error of a value according to its field's metadata, in the reader's language; undefined if the client finds none. Numbers
 * are strings with a decimal point, as fields return them; an empty string is left to the service.
 */
export function findProblem({ kind, minimum, maximum, choices }: FieldMetadata, value: unknown): string | undefined {
  if ((kind !== 'number' && kind !== 'integer') || choices || value === null || value === undefined) return undefined
  const text = String(value).trim()
  if (text === '') return undefined
  const readings = formatReadings(text)
  if (readings) return t('limit.ambiguous', readings)
  if (!/^[-+]?(\d+\.?\d*|\.\d+)$/.test(text)) return t('limit.number', { example: formatNumber(1.5) })
  if (kind === 'integer' && !/^[-+]?\d+$/.test(text)) return t('limit.whole')
  if (minimum !== undefined && compare(text, minimum) < 0) return t('limit.minimum', { least: formatNumber(minimum) })
  if (maximum !== undefined && compare(text, maximum) > 0) return t('limit.maximum', { most: formatNumber(maximum) })
  return undefined
}
