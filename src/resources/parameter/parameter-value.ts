import { TRUE_WORDS } from '../../kit/definition/filter.ts'
import { type Decimal, Exact, toPlainText } from '../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { convertToUnit, UnitError, type UnitRegistry } from '../../notation/units/physical-units.ts'

/** Fields of a template that its parameter values depend on. */
export type ValueFormat = {
  /** The unit of the values; empty for text and plain numbers. */
  units: string
  /** Whether the values are yes and no. */
  checkbox: boolean
  /** Allowed values, separated by commas; empty for any. */
  choices: string
}

const NUMBER_PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?$/i

/** Splits the choices of a template, in their order. */
export const splitChoices = (choices: string): string[] =>
  choices
    .split(',')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '')

/** Stored form of a value; `True` or `False` for a checkbox. */
export const toStoredValue = (data: string, { checkbox }: ValueFormat): string =>
  checkbox ? (isTrueText(data) ? 'True' : 'False') : data

const isTrueText = (data: string): boolean => TRUE_WORDS.has(data.trim().toLowerCase())

/**
 * Converts a value to a number in the units of its template; without units a plain number, for a checkbox 1 or 0. Null for a value that is
 * not a number, or cannot be converted.
 */
export function toNumericValue(data: string, { units, checkbox }: ValueFormat, registry: UnitRegistry): Decimal | null {
  if (checkbox) return isTrueText(data) ? '1' : '0'
  if (units === '') return NUMBER_PATTERN.test(data.trim()) ? toPlainText(new Exact(data.trim())) : null
  try {
    return convertToUnit(data, units, registry)
  } catch (error) {
    if (error instanceof UnitError) return null
    throw error
  }
}

/** Returns the error of a value that does not convert to the units of its template, or undefined. */
export function findUnitError(data: string, { units }: ValueFormat, registry: UnitRegistry): ErrorMessage | undefined {
  if (units === '') return undefined
  try {
    convertToUnit(data, units, registry)
    return undefined
  } catch (error) {
    if (error instanceof UnitError) return error.reason
    throw error
  }
}
