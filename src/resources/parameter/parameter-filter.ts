import type { QueryResultRow } from 'pg'
import type { Filter, Query } from '../../kit/definition/filter.ts'
import { invalidQuery } from '../../kit/request/problem.ts'
import type { Expression } from '../../kit/sql/sql.ts'
import { add, type Decimal, Exact, multiply, subtract, toPlainText } from '../../kit/values/decimal.ts'
import { convertToUnit, UnitError, type UnitRegistry } from '../../notation/units/physical-units.ts'
import { partErrors } from '../part/part-errors.ts'
import { getUnitRegistry } from '../units/unit-registry.ts'
import type { ParameterOwner } from './parameter-models.ts'
import { splitChoices, toStoredValue, type ValueFormat } from './parameter-value.ts'

const PARAMETER_NAME = /^parameter_([1-9]\d{0,9})(?:_(gt|gte|lt|lte|ne|icontains|in))?$/

/** Maximum number of parameter filters per request, which limits the length of the statement. */
const MAX_CONDITIONS = 20

/** Maximum number of values of one filter for any of several. */
const MAX_VALUES = 100

/** Values with a smaller relative difference are equal: 4k7 and 4700 ohm, and values that another system computed in binary floating point. */
const RELATIVE_TOLERANCE = '0.000000001'

type ParameterCondition = { name: string; template: number; comparison: string; value: string }

/** Comparisons of numbers with `low` and `high`, the bounds of the requested value's tolerance. */
const NUMBER_COMPARISONS: Record<string, (low: string, high: string) => Expression> = {
  '': (low, high) => `between ${low} and ${high}`,
  ne: (low, high) => `not between ${low} and ${high}`,
  gt: (_, high) => `> ${high}`,
  gte: (low) => `>= ${low}`,
  lt: (low) => `< ${low}`,
  lte: (_, high) => `<= ${high}`,
}

const TEXT_OPERATORS: Record<string, string> = { '': '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/**
 * `parameter_<template>`, also with `_gt`, `_gte`, `_lt`, `_lte`, `_ne`, `_in`, `_icontains`: objects whose parameter of the template with this
 * key compares accordingly with a value in any unit of the template's dimension; without units, as text, or by size if the value is a number.
 * `_in` finds any of several values between commas, `_icontains` a part of the text. Excludes objects without the parameter.
 * @param key SQL of the key of the object with the parameters
 */
export const createParameterFilter = (owner: ParameterOwner, key: Expression = '{pk}'): Filter => ({
  kind: 'found',
  names: {},
  family: PARAMETER_NAME,
  async find(query, { database }) {
    const conditions = readConditions(query)
    const [first] = conditions
    if (!first) return undefined
    if (conditions.length > MAX_CONDITIONS)
      throw invalidQuery({ [first.name]: [partErrors.max_parameters({ max_parameters: MAX_CONDITIONS })] })
    const templatesByKey = new Map(
      (
        await database.read<ValueFormat & { pk: number }>({
          text: 'select pk, units, checkbox, choices from parameter_template where pk = any($1::bigint[])',
          values: [conditions.map(({ template }) => template)],
        })
      ).map((format) => [format.pk, format]),
    )
    const registry = await getUnitRegistry({
      query: <Row extends QueryResultRow>(text: string, values: unknown[] = []) => database.read<Row>({ text, values }),
    })
    const values: unknown[] = []
    const addValue = (rawValue: unknown, type: string) => `{@value${values.push(rawValue) - 1 || ''}}::${type}`
    const compare = (name: string, comparison: string, value: string, format: ValueFormat): Expression => {
      const number = toTemplateUnits(name, value, format, registry) ?? toSize(comparison, value, format)
      if (number === undefined)
        return `lower(parameter.data) ${TEXT_OPERATORS[comparison]} lower(${addValue(toStoredValue(value, format), 'text')})`
      const margin = multiply(toPlainText(new Exact(number).abs()), RELATIVE_TOLERANCE)
      const compareNumber = NUMBER_COMPARISONS[comparison] as (low: string, high: string) => Expression
      return `parameter.data_numeric ${compareNumber(addValue(subtract(number, margin), 'numeric'), addValue(add(number, margin), 'numeric'))}`
    }
    const compareParameter = ({ name, comparison, value }: ParameterCondition, format: ValueFormat): Expression => {
      if (comparison === 'icontains')
        return `parameter.data ilike ${addValue(`%${value.replaceAll(/[\\%_]/g, '\\$&')}%`, 'text')}`
      if (comparison !== 'in') return compare(name, comparison, value, format)
      const alternatives = splitChoices(value)
      if (alternatives.length > MAX_VALUES)
        throw invalidQuery({ [name]: [partErrors.max_parameter_values({ max_values: MAX_VALUES })] })
      return `(${alternatives.map((alternative) => compare(name, '', alternative, format)).join(' or ') || 'false'})`
    }
    // an object has one parameter of each template, so that one parameter meets all conditions on it
    const comparisonsByTemplate = new Map<number, Expression[]>()
    for (const condition of conditions) {
      const format = templatesByKey.get(condition.template)
      if (!format) throw invalidQuery({ [condition.name]: [partErrors.unknown_parameter_template] })
      const others = comparisonsByTemplate.get(condition.template) ?? []
      comparisonsByTemplate.set(condition.template, [...others, compareParameter(condition, format)])
    }
    const selections = [...comparisonsByTemplate].map(
      ([template, comparisons]) =>
        `select parameter.${owner} {from parameter} parameter where ${[`parameter.template = ${addValue(template, 'integer')}`, ...comparisons].join(' and ')}`,
    )
    return {
      sql: selections.map((selection) => `${key} in (${selection})`).join(' and '),
      values,
      // a parameter is deleted with its object
      ...(key === '{pk}' ? { count: `select count(parameter.${owner}) from (${selections.join(' intersect ')}) parameter` } : {}),
    }
  },
})

const readConditions = (query: Query): ParameterCondition[] =>
  Object.entries(query).flatMap(([name, value]) => {
    const match = PARAMETER_NAME.exec(name)
    return match && value !== '' ? [{ name, template: Number(match[1]), comparison: match[2] ?? '', value }] : []
  })

/** Converts the value to the units of the template; undefined if it has none. */
function toTemplateUnits(name: string, value: string, { units }: ValueFormat, registry: UnitRegistry): Decimal | undefined {
  if (units === '') return undefined
  try {
    return convertToUnit(value, units, registry)
  } catch (error) {
    if (error instanceof UnitError) throw invalidQuery({ [name]: [error.reason] })
    throw error
  }
}

/** The value as a number, where its size is compared although the template has no units. */
const toSize = (comparison: string, value: string, { units }: ValueFormat): Decimal | undefined =>
  units === '' && SIZES.has(comparison) && /^\s*[+-]?\d{1,15}(\.\d{1,10})?\s*$/.test(value)
    ? toPlainText(new Exact(value.trim()))
    : undefined

const SIZES = new Set(['gt', 'gte', 'lt', 'lte'])

/** Sorts by `parameter_<template>`: by number, then by text, then by `next`; objects without the parameter come last. */
export const orderByParameter =
  (owner: ParameterOwner, next: Expression) =>
  (name: string, direction: 'asc' | 'desc'): Expression[] | undefined => {
    const template = /^parameter_([1-9]\d{0,8})$/.exec(name)?.[1]
    if (template === undefined) return undefined
    const selectColumn = (column: string) =>
      `(select parameter.${column} {from parameter} parameter where parameter.${owner} = {pk} and parameter.template = ${template})`
    return [...['data_numeric', 'data'].map((column) => `${selectColumn(column)} ${direction} nulls last`), next]
  }
