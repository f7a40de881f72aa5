import { FLAG_TRUE } from '../../../kit/definition/filter.ts'
import { type Decimal, Exact, plain } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { convertToUnit, UnitError, type UnitRegistry } from '../../units/physical-units.ts'

/** What a template says of the values of its parameters. */
export type ParameterKind = {
  /** The unit of the values; empty for texts and plain numbers. */
  units: string
  /** They are yes and no. */
  checkbox: boolean
  /** Those that may be chosen, separated by commas; empty for any. */
  choices: string
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?$/i

/** The choices of a template, in their order. */
export const choicesOf = (choices: string): string[] =>
  choices
    .split(',')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '')

/** A value as it is stored: of a checkbox, `True` or `False`. */
export const storedValue = (data: string, { checkbox }: ParameterKind): string =>
  checkbox ? (isYes(data) ? 'True' : 'False') : data

const isYes = (data: string): boolean => FLAG_TRUE.has(data.trim().toLowerCase())

/**
 * A value as a number in the units of its template; without units a plain number, of a checkbox 1 or 0. Null for what is no number, or
 * cannot be converted. (The reference description of parts, section 7.)
 */
export function numericValue(data: string, { units, checkbox }: ParameterKind, registry: UnitRegistry): Decimal | null {
  if (checkbox) return isYes(data) ? '1' : '0'
  if (units === '') return NUMBER.test(data.trim()) ? plain(new Exact(data.trim())) : null
  try {
    return convertToUnit(data, units, registry)
  } catch (error) {
    if (error instanceof UnitError) return null
    throw error
  }
}

/** Why a value does not fit the units of its template; undefined when it does. */
export function unitObjection(data: string, { units }: ParameterKind, registry: UnitRegistry): ErrorMessage | undefined {
  if (units === '') return undefined
  try {
    convertToUnit(data, units, registry)
    return undefined
  } catch (error) {
    if (error instanceof UnitError) return error.reason
    throw error
  }
}
