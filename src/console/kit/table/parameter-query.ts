import { compare } from '../values/exact.ts'

/** A parameter without its value: its units, or that its values are yes and no, or choices separated by commas. */
export type ParameterTemplate = { pk: number; name: string; units: string; checkbox: boolean; choices: string }

/** A parameter of an object in a list. */
export type ParameterValue = { template: number; template_detail: ParameterTemplate | null; data: string }

/** Conditions on one parameter, by comparison: `gte` is `parameter_7_gte` in the API, `is` without a suffix. */
export type ParameterConditions = { [comparison in Comparison]?: string }

export type Comparison = 'is' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'icontains'

const COMPARISONS: readonly Comparison[] = ['is', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'icontains']

const NAME = /^parameter_([1-9]\d{0,9})(?:_(?:gte?|lte?|ne|in|icontains))?$/

/** Key of the template in the name of a filter, a column or an order (`-parameter_7`); undefined for any other name. */
export function findTemplateKey(name: string): number | undefined {
  const key = NAME.exec(name.replace(/^-/, ''))?.[1]
  return key === undefined ? undefined : Number(key)
}

/** Name of a filter in the API: `parameter_7_gte`. */
const getFilterName = (template: number, comparison: Comparison): string =>
  `parameter_${template}${comparison === 'is' ? '' : `_${comparison}`}`

/** Conditions on a parameter in the URL. */
export const readConditions = (template: number, query: (name: string) => string | undefined): ParameterConditions =>
  Object.fromEntries(
    COMPARISONS.flatMap((comparison) => {
      const value = query(getFilterName(template, comparison))
      return value === undefined ? [] : [[comparison, value]]
    }),
  )

/** Parameters of the URL for the conditions on a parameter; undefined for each comparison without one. */
export const toQuery = (template: number, conditions: ParameterConditions): Record<string, string | undefined> =>
  Object.fromEntries(COMPARISONS.map((comparison) => [getFilterName(template, comparison), conditions[comparison]]))

const SIGNS = {
  '>=': 'gte',
  '≥': 'gte',
  '<=': 'lte',
  '≤': 'lte',
  '!=': 'ne',
  '≠': 'ne',
  '>': 'gt',
  '<': 'lt',
  '=': 'is',
} as const
const SIGN_TEXTS = { is: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' } as const

const SIGNED_VALUE = /(>=|<=|!=|[≥≤≠><=])\s*([^><=≥≤≠!]*?)\s*(?=[><=≥≤≠!]|$)/gy
/** `4.7 to 10`, `4.7 bis 10`, `4.7 - 10`, `4.7–10`, `4.7..10`, and `10k-22k`, but not `1e-3` or `-40`. */
const RANGE = /^(.*?\d.*?)(?:\s*(?:\.{2,3}|…|–|—)\s*|\s+(?:to|bis|-)\s+|(?<=[^\s+\-eE^])-(?=\d))(\S.*)$/i
const NUMBER = /^[+-]?\d{1,15}(?:[.,]\d{1,10})?$/
/** A number and the unit or prefix after it, which has no digits: a digit after `k` in `4k7` is part of the value. */
const NUMBER_WITH_UNIT = /^([+-]?\d+(?:[.,]\d+)?)(\s*[^\d\s.,+-][^\d]*)$/

/**
 * Reads what people type to filter by a parameter: `10k`, `4.7 to 10 uF`, `>= 50 V`, `> 1 < 5`. Text without units that is not a number is
 * found anywhere in the value, with `=` as the whole value.
 * @returns undefined if it cannot be read
 */
export function parseConditions(typed: string, { units }: Pick<ParameterTemplate, 'units'>): ParameterConditions | undefined {
  const text = typed.trim()
  const hasUnits = units !== ''
  if (text === '') return {}
  const range = RANGE.exec(text)
  if (range && !/^[><=≥≤≠!]/.test(text)) {
    const [low, high] = splitRange(range[1] as string, range[2] as string)
    if (hasUnits) return { gte: low, lte: high }
    if (NUMBER.test(low) && NUMBER.test(high)) return { gte: low.replace(',', '.'), lte: high.replace(',', '.') }
  }
  const signed = readSigned(text, hasUnits)
  if (signed) return signed
  if (/^[><=≥≤≠!]/.test(text)) return undefined
  return hasUnits || NUMBER.test(text) ? { is: text } : { icontains: text }
}

/** Reads values that each follow a sign; undefined if there is anything else, or a sign twice. */
function readSigned(text: string, hasUnits: boolean): ParameterConditions | undefined {
  const conditions: ParameterConditions = {}
  let end = 0
  for (const match of text.matchAll(SIGNED_VALUE)) {
    const [whole, sign, value = ''] = match
    const comparison = SIGNS[sign as keyof typeof SIGNS]
    if (value === '' || conditions[comparison] !== undefined) return undefined
    conditions[comparison] = hasUnits || !NUMBER.test(value) ? value : value.replace(',', '.')
    end = match.index + whole.length
  }
  return end === text.length ? conditions : undefined
}

/** The bounds of a range: the lower one has the unit of the upper one if it has none, unless it would be the larger one then. */
function splitRange(low: string, high: string): [string, string] {
  const [first, last] = [low.trim(), high.trim()]
  const [, amount = '', unit] = NUMBER_WITH_UNIT.exec(last) ?? []
  if (unit === undefined || !NUMBER.test(first)) return [first, last]
  return compare(first.replace(',', '.'), amount.replace(',', '.')) > 0 ? [first, last] : [first + unit, last]
}

/** Conditions as people type them; `parseConditions` reads them back. @param to the word between the bounds of a range */
export function formatConditions(
  conditions: ParameterConditions,
  template: Pick<ParameterTemplate, 'units'>,
  to: string,
): string {
  const { is, gte, lte, icontains, ...others } = conditions
  const given = Object.keys(conditions)
  if (given.length === 2 && gte !== undefined && lte !== undefined) {
    const range = `${gte} ${to} ${lte}`
    if (isSame(parseConditions(range, template), conditions)) return range
  }
  if (given.length === 1 && icontains !== undefined) return icontains
  if (given.length === 1 && is !== undefined && isSame(parseConditions(is, template), conditions)) return is
  return Object.entries({ is, gte, lte, ...others })
    .flatMap(([comparison, value]) =>
      value === undefined || comparison === 'in' ? [] : `${SIGN_TEXTS[comparison as keyof typeof SIGN_TEXTS]} ${value}`,
    )
    .join(' ')
}

const isSame = (some: ParameterConditions | undefined, others: ParameterConditions): boolean =>
  some !== undefined && COMPARISONS.every((comparison) => some[comparison] === others[comparison])

/** The choices of a parameter; none if its values are free. */
export const listChoices = ({ choices }: Pick<ParameterTemplate, 'choices'>): string[] =>
  choices
    .split(',')
    .map((choice) => choice.trim())
    .filter(Boolean)

/** The name of a parameter with its units, as a label. */
export const formatTemplate = ({ name, units }: ParameterTemplate): string => (units ? `${name} (${units})` : name)
