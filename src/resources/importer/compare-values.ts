import { isDeepStrictEqual } from 'node:util'
import type { ImportField } from './import-fields.ts'

const NUMBER_TYPES = new Set(['integer', 'float', 'decimal'])

/** Whether the value of a row means the value that a field has already. A blank cell says nothing about whether an empty value is null. */
export function isSameValue(field: ImportField | undefined, value: unknown, stored: unknown): boolean {
  if (isEmpty(value) || isEmpty(stored)) return isEmpty(value) && isEmpty(stored)
  const type = field?.type ?? ''
  if (NUMBER_TYPES.has(type)) return toPlainNumber(value) === toPlainNumber(stored)
  if (type === 'list') return isDeepStrictEqual(toSortedList(value), toSortedList(stored))
  if (typeof value === 'object' || typeof stored === 'object') return isDeepStrictEqual(value, stored)
  return String(value).trim() === String(stored).trim()
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** A number without zeros that mean nothing, so that all digits of two numbers are compared. */
const toPlainNumber = (value: unknown): string =>
  String(value)
    .trim()
    .replace(/^([-+]?)0+(?=\d)/, '$1')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/^\+/, '')

const toSortedList = (value: unknown): string[] => (Array.isArray(value) ? value.map(String).toSorted() : [String(value)])
