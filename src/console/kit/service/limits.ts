import { eitherOf, number, t } from '../language/language.ts'
import { compare } from '../values/exact.ts'
import type { FieldMetadata } from './field-metadata.ts'

/**
 * The error of a value according to its field's metadata, in the reader's language; undefined if the client finds none. A text with a
 * decimal point is a number, as fields return it; an empty one is left to the service.
 */
export function problemOf({ kind, minimum, maximum, choices }: FieldMetadata, value: unknown): string | undefined {
  if ((kind !== 'number' && kind !== 'integer') || choices || value === null || value === undefined) return undefined
  const text = String(value).trim()
  if (text === '') return undefined
  const either = eitherOf(text)
  if (either) return t('limit.either', either)
  if (!/^[-+]?(\d+\.?\d*|\.\d+)$/.test(text)) return t('limit.number', { example: number(1.5) })
  if (kind === 'integer' && !/^[-+]?\d+$/.test(text)) return t('limit.whole')
  if (minimum !== undefined && compare(text, minimum) < 0) return t('limit.least', { least: number(minimum) })
  if (maximum !== undefined && compare(text, maximum) > 0) return t('limit.most', { most: number(maximum) })
  return undefined
}
