import type { Tx } from '../../../kit/sql/tx.ts'
import { type Decimal, Exact } from '../../../kit/values/decimal.ts'
import { convertAmount, UnitError, type UnitRegistry } from '../../../notation/units/physical-units.ts'
import { getUnitRegistry } from '../../units/unit-registry.ts'
import { selectObjectName } from '../parameter-models.ts'
import { splitChoices, toNumericValue, type ValueFormat } from '../parameter-value.ts'

/** Maximum number of values that an error lists. */
const MAX_LISTED_VALUES = 10
/** Maximum number of characters of a parameter value. */
const MAX_DATA_LENGTH = 500
/** Amounts with a smaller relative difference are equal: conversions are rounded to 30 digits. */
const ROUNDING_TOLERANCE = '1e-20'

/** A value after its template changed units, and its number. A unit is added to the text only if it had none. */
export type ConvertedValue = { data: string; number: Decimal | null }

/**
 * Converts a value when its template changes, so that its meaning stays: 3 of a template in m becomes `3 m` when it is in mm, with the
 * number 3000. Values that name a unit keep their text.
 * @returns null for a value that cannot be converted
 */
export function convertValue(data: string, from: ValueFormat, to: ValueFormat, registry: UnitRegistry): ConvertedValue | null {
  const toConverted = (text: string): ConvertedValue => ({ data: text, number: toNumericValue(text, to, registry) })
  if (to.checkbox || data === '') return toConverted(data)
  const before = from.checkbox || from.units === '' ? null : toNumericValue(data, from, registry)
  if (before === null) return to.units === '' || toConverted(data).number !== null ? toConverted(data) : null
  const withUnit = `${data} ${from.units}`
  const candidates = [data, withUnit, `${before} ${from.units}`].filter((text) => text.length <= MAX_DATA_LENGTH)
  if (to.units === '') return toConverted(isAmount(toNumericValue(withUnit, from, registry), before) ? withUnit : data)
  try {
    const expected = convertAmount(before, from.units, to.units, registry)
    return [...candidates, expected].map(toConverted).find(({ number }) => isAmount(number, expected)) ?? null
  } catch (error) {
    if (error instanceof UnitError) return null
    throw error
  }
}

const isAmount = (number: Decimal | null, expected: Decimal): boolean =>
  number !== null && new Exact(number).minus(expected).abs().lte(new Exact(expected).abs().times(ROUNDING_TOLERANCE))

/** Result of converting a template's values to other units. */
export type Conversion = {
  /** The template's choices. */
  choices: string
  /** The first values that cannot be converted, each with its object or category. */
  unconverted: string[]
  /** Number of values that cannot be converted. */
  count: number
}

/**
 * Converts the values of a template's parameters, the default values of categories, and its choices. Writers of values wait for the
 * template's row, which is locked.
 * @param isStrict whether previously non-numeric values must convert too
 */
export async function convertValues(
  tx: Tx,
  template: number,
  from: ValueFormat,
  to: ValueFormat,
  isStrict: boolean,
): Promise<Conversion> {
  const registry = await getUnitRegistry(tx)
  const convert = (data: string): ConvertedValue | null => {
    const converted = convertValue(data, from, to, registry)
    if (converted || isStrict || toNumericValue(data, from, registry) !== null) return converted
    return { data, number: null }
  }
  const stored = await tx.query<{ data: string }>(
    `select data from parameter where template = $1
     union select default_value from part_category_parameter_template where parameter_template = $1`,
    [template],
  )
  const values = stored.map(({ data }) => ({ before: data, converted: convert(data) }))
  const choices = splitChoices(to.choices === from.choices ? from.choices : '').map((choice) => ({
    before: choice,
    converted: convert(choice),
  }))
  const unconvertible = values.filter(({ converted }) => converted === null).map(({ before }) => before)
  if (unconvertible.length > 0) return { choices: to.choices, ...(await listUnconverted(tx, template, unconvertible)) }
  const unconvertibleChoices = choices.filter(({ converted }) => converted === null).map(({ before }) => before)
  if (unconvertibleChoices.length > 0)
    return {
      choices: to.choices,
      unconverted: unconvertibleChoices.slice(0, MAX_LISTED_VALUES),
      count: unconvertibleChoices.length,
    }

  const convertedValues = values.flatMap(({ before, converted }) => (converted ? [{ before, ...converted }] : []))
  await tx.query(
    `with new as (select * from unnest($2::text[], $3::text[], $4::numeric[]) new (before, data, number)),
     category_parameter as (
       update part_category_parameter_template parameter set default_value = new.data from new
       where parameter.parameter_template = $1 and parameter.default_value = new.before and new.data <> new.before
     )
     update parameter set data = new.data, data_numeric = new.number from new
     where parameter.template = $1 and parameter.data = new.before
       and (parameter.data, parameter.data_numeric) is distinct from (new.data, new.number)`,
    [
      template,
      convertedValues.map(({ before }) => before),
      convertedValues.map(({ data }) => data),
      convertedValues.map(({ number }) => number),
    ],
  )
  const isSame = choices.every(({ before, converted }) => before === converted?.data)
  return {
    choices: isSame ? to.choices : choices.map(({ before, converted }) => converted?.data ?? before).join(', '),
    unconverted: [],
    count: 0,
  }
}

/** Lists values, each with its object or the category that has it as a default. */
async function listUnconverted(
  tx: Tx,
  template: number,
  values: readonly string[],
): Promise<Pick<Conversion, 'unconverted' | 'count'>> {
  const rows = await tx.query<{ data: string; owner: string; count: number }>(
    `select data, owner, count(*) over ()::integer as count from (
       select parameter.data, ${selectObjectName()} as owner from parameter
       where parameter.template = $1 and parameter.data = any($2::text[])
       union all
       select parameter.default_value, category.pathstring from part_category_parameter_template parameter
       join part_category category on category.pk = parameter.category
       where parameter.parameter_template = $1 and parameter.default_value = any($2::text[])
     ) unconverted order by data, owner limit ${MAX_LISTED_VALUES}`,
    [template, values],
  )
  return { unconverted: rows.map(({ data, owner }) => `${data} (${owner})`), count: rows[0]?.count ?? 0 }
}
