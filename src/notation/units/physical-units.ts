import { type Decimal, Exact, parseDecimal, quantize, toPlainText } from '../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { ENGINEERING_UNITS, readEngineering, VALUE_PREFIXES } from './engineering.ts'
import { normalizeNumbers, normalizeQuantity, UnitError } from './quantity-text.ts'
import { RARE_UNITS } from './rare-units.ts'
import { unitErrors } from './unit-errors.ts'
import { type Dimension, divide, MAX_UNIT_LENGTH, multiply, type Quantity, raise, readExpression } from './unit-expression.ts'
import { BASE_UNITS, BINARY_PREFIXES, COUNTING_UNITS, PREFIXES, STANDARD_UNITS, TEMPERATURES } from './unit-table.ts'

export { UnitError } from './quantity-text.ts'

/** A unit added by users of this service. */
export type CustomUnit = {
  /** One word; it takes prefixes and a plural s like any other unit. */
  name: string
  /** A short name, or none. */
  symbol: string | null
  /** Size of one unit: `ohm`, `660 * ft`, `henry / mm`, `12`. */
  definition: string
}

/** Errors of a custom unit, by field. */
export type CustomUnitErrors = { name?: ErrorMessage[]; symbol?: ErrorMessage[]; definition?: ErrorMessage[] }

/** Available units, by name. Names are case-sensitive. */
export type UnitRegistry = ReadonlyMap<string, Quantity>

/** Significant digits of a conversion; further digits hold the rounding of factors such as 5/9. */
const DIGITS = 30

/** The limits of a supplier part's pack_quantity_native. */
const PACK_LIMITS = { maxDigits: 20, decimalPlaces: 10, round: true }

const WORD = /^[\p{L}_][\p{L}\p{Nd}_]*$/u
const SYMBOL = /^(?:[%‰]|[\p{L}_°][\p{L}\p{Nd}_°]*)$/u
/** Reserved words of expressions. */
const RESERVED = ['per', 'square', 'sq', 'cubic']

const RARE = new Set(RARE_UNITS.flatMap(([, ...names]) => names))

const standard = buildStandardUnits()

/** The units that have engineering notation. */
const electricalUnits = ENGINEERING_UNITS.map((name) => ({ name, ...(standard.get(name) as Quantity) }))

/** Prefixes of values; kilo may be upper-case. */
const SPELLED_PREFIXES: ReadonlyMap<string, number> = new Map([...PREFIXES, ['K', 3]])
/** Prefixes of values in ohm, farad and henry, where R is not ronna and PF not petafarad. Spelled-out prefixes are unchanged. */
const ELECTRICAL_PREFIXES: ReadonlyMap<string, number> = new Map([
  ...[...PREFIXES].filter(([name]) => name.length > 2),
  ...VALUE_PREFIXES,
])

/**
 * Builds a registry of the standard and custom units. Custom units may be defined by each other in any order and override standard units of
 * the same name. Unreadable custom units, which only an import can leave behind, are left out and returned separately.
 */
export function buildUnitRegistry(customUnits: readonly CustomUnit[]): { registry: UnitRegistry; unreadable: CustomUnit[] } {
  const registry = new Map(standard)
  let unresolved = [...customUnits]
  for (let before = -1; unresolved.length !== before; ) {
    before = unresolved.length
    unresolved = unresolved.filter((unit) => {
      const definition = readDefinition(unit.definition, registry)
      if (definition === null || !WORD.test(unit.name)) return true
      registry.set(normalizeQuantity(unit.name), definition)
      if (unit.symbol) registry.set(normalizeQuantity(unit.symbol), definition)
      return false
    })
  }
  return { registry, unreadable: unresolved }
}

/**
 * Returns the errors of a custom unit that is about to be stored; an empty object when there are none.
 *
 * @param others the other custom units, without the previous version of this one
 */
export function checkCustomUnit(unit: CustomUnit, others: readonly CustomUnit[]): CustomUnitErrors {
  const { registry } = buildUnitRegistry(others)
  const errors: CustomUnitErrors = {}
  const isRare = (name: string) => RARE.has(name) && !others.some((other) => other.name === name || other.symbol === name)
  const isTaken = (name: string) => (registry.has(normalizeQuantity(name)) && !isRare(name)) || RESERVED.includes(name)
  if (!WORD.test(unit.name)) errors.name = [unitErrors.invalid_unit_name]
  else if (isTaken(unit.name)) errors.name = [unitErrors.unit_name_taken({ name: unit.name })]
  if (unit.symbol && !SYMBOL.test(unit.symbol)) errors.symbol = [unitErrors.invalid_unit_symbol]
  else if (unit.symbol && isTaken(unit.symbol)) errors.symbol = [unitErrors.unit_symbol_taken]
  if (readDefinition(unit.definition, registry) === null)
    errors.definition = [unitErrors.invalid_unit_definition({ definition: unit.definition })]
  return errors
}

/** Whether a string is a unit of measure: `m`, `kilometers`, `kg*m^2/s`, but not `10` or `5 m`. */
export function isKnownUnit(text: string, registry: UnitRegistry): boolean {
  try {
    readUnit(text, registry)
    return true
  } catch (error) {
    if (error instanceof UnitError) return false
    throw error
  }
}

/**
 * Whether a unit has the same dimension after the units have changed; false if it is unknown afterwards. Throws UnitError if it was unknown
 * before.
 */
export function keepsDimension(unit: string, before: UnitRegistry, after: UnitRegistry): boolean {
  const { dimension } = readUnit(unit, before)
  return isKnownUnit(unit, after) && isSame(dimension, readUnit(unit, after).dimension)
}

/** Whether amounts in one unit can be converted to the other. Throws UnitError when one is unknown. */
export function areCompatible(first: string, second: string, registry: UnitRegistry): boolean {
  return isSame(readUnit(first, registry).dimension, readUnit(second, registry).dimension)
}

/**
 * Reads a value as users write it, such as `2.03mm`, `1/2 kW`, `4k7`, `3'`, `5 %` or `12`, as a number of the given unit.
 *
 * A bare number is in the given unit, and a dozen is twelve of it. A prefix without a unit applies to the base unit, converted: `33p` of pF
 * is 33, `4k7` of kohm is 4.7. Values in ohm, farad and henry are read as printed on components (`R10`). With a blank unit only
 * dimensionless values can be read.
 *
 * @throws UnitError with a message for the user
 */
export function convertToUnit(value: string, unit: string, registry: UnitRegistry): Decimal {
  const isBlank = unit.trim() === ''
  const target = isBlank ? createPowerOfTen(0) : readUnit(unit, registry)
  const input = value.trim()
  if (input === '') throw new UnitError(unitErrors.unit_value_required)
  if (input.length > MAX_UNIT_LENGTH) throw new UnitError(unitErrors.unit_value_too_long({ max_length: MAX_UNIT_LENGTH }))

  const text = expandLengthMarks(normalizeNumbers(normalizeQuantity(input).trim()))
  const electricalUnit = electricalUnits.find(({ dimension }) => isSame(dimension, target.dimension))
  const prefixes = electricalUnit ? ELECTRICAL_PREFIXES : SPELLED_PREFIXES
  const withPoint = moveDecimalPoint(text)
  const find = (name: string) => findUnit(name, registry, prefixes)
  const attempts = [
    () => electricalUnit && readEngineeringAmount(text, electricalUnit, target),
    () => !isBlank && isLikelyPrefix(withPoint, unit) && readPrefixedAmount(withPoint, unit, target, registry),
    () => convertQuantity(target, readQuantity(text, find)),
    () => convertQuantity(target, readQuantity(withPoint, find)),
    () => !isBlank && readPrefixedAmount(withPoint, unit, target, registry),
  ]
  for (const attempt of attempts) {
    try {
      const amount = attempt()
      if (amount) return toPlainText(amount.toSignificantDigits(DIGITS))
    } catch (error) {
      if (!(error instanceof UnitError)) throw error
    }
  }
  throw new UnitError(
    unit.trim() === ''
      ? unitErrors.invalid_unit_quantity({ value: input })
      : unitErrors.unit_not_convertible({ value: input, unit: unit.trim() }),
  )
}

/** Converts an amount from one unit to another, temperatures with their zero points. @throws UnitError when the units are incompatible */
export function convertAmount(amount: Decimal, from: string, to: string, registry: UnitRegistry): Decimal {
  const [source, target] = [readUnit(from, registry), readUnit(to, registry)]
  return toPlainText(convertQuantity(target, { ...source, amount: source.amount.times(amount) }).toSignificantDigits(DIGITS))
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const toPower = (exponent: number): string =>
  exponent === 1 ? '' : [...String(exponent)].map((digit) => SUPERSCRIPTS[Number(digit)] ?? digit).join('')

/**
 * Expresses one of a unit in base units: 100 `m` for a spool of 100 meters, 60 with an empty unit for a threescore. A temperature counts as
 * a difference.
 * @returns undefined for an unknown unit
 */
export function expressInBaseUnits(unit: string, registry: UnitRegistry): { amount: Decimal; base_unit: string } | undefined {
  const quantity = findUnit(normalizeQuantity(unit), registry)
  if (quantity === null) return undefined
  const factors = quantity.dimension.map((exponent, index) => ({ exponent, symbol: BASE_UNITS[index]?.[1] ?? '' }))
  const list = (sign: 1 | -1) =>
    factors.flatMap(({ exponent, symbol }) => (exponent * sign > 0 ? [symbol + toPower(exponent * sign)] : []))
  const [above, below] = [list(1), list(-1)]
  const base_unit = [above.join('·') || (below.length > 0 ? '1' : ''), ...below].join('/')
  return { amount: toPlainText(quantity.amount.toSignificantDigits(DIGITS)), base_unit }
}

/**
 * Returns the number of base units of a part in one pack of a supplier part, with up to 10 decimals: 0.127 for `5 inches` of a part that is
 * counted in m, 1 for a blank string.
 *
 * @param partUnits the part's unit; blank or null for a part that is counted in pieces
 * @throws UnitError with a message for the user
 */
export function parsePackQuantity(pack: string, partUnits: string | null, registry: UnitRegistry): Decimal {
  if (pack.trim() === '') return '1'
  let amount: Decimal
  try {
    amount = convertToUnit(pack, partUnits ?? '', registry)
  } catch (error) {
    if (error instanceof UnitError) throw new UnitError(unitErrors.pack_unit_not_convertible)
    throw error
  }
  if (!new Exact(quantize(amount, PACK_LIMITS.decimalPlaces)).gt(0)) throw new UnitError(unitErrors.pack_must_be_positive)
  const rounded = parseDecimal(amount, PACK_LIMITS)
  if (typeof rounded !== 'string') throw new UnitError(rounded.problem)
  return rounded
}

function buildStandardUnits(): Map<string, Quantity> {
  const units = new Map<string, Quantity>()
  const read = (text: string) => readQuantity(text, (name) => findUnit(name, units))
  const define = (names: readonly string[], unit: Quantity) => {
    for (const name of names) units.set(normalizeQuantity(name), unit)
  }
  BASE_UNITS.forEach((names, index) => {
    const dimension = BASE_UNITS.map((_, other) => (other === index ? 1 : 0))
    define(names, { amount: new Exact(1), dimension, zero: null, isUnitless: false, isCount: false })
  })
  for (const [definition, ...names] of COUNTING_UNITS) define(names, { ...read(definition), isUnitless: false })
  for (const [definition, ...names] of [...STANDARD_UNITS, ...RARE_UNITS])
    define(names, { ...read(definition), isUnitless: false, isCount: false })
  for (const [degree, zero, ...names] of TEMPERATURES) define(names, { ...read(degree), zero: read(zero).amount })
  return units
}

function readQuantity(text: string, find: (name: string) => Quantity | null): Quantity {
  return readExpression(text, BASE_UNITS.length, find)
}

/** Finds a unit by its name, its plural, or either with a prefix; `m2` and `mm3` are powers of one. */
function findUnit(name: string, registry: UnitRegistry, prefixes: ReadonlyMap<string, number> = PREFIXES): Quantity | null {
  const match = findUnitOrPlural(name, registry)
  if (match !== null) return match
  const parts = splitPrefix(name, registry, prefixes)
  if (parts !== null) return multiply(parts.factor, parts.unit)
  const unit = /\p{L}[23]$/u.test(name) ? findUnit(name.slice(0, -1), registry, prefixes) : null
  return unit === null ? null : raise(unit, Number(name.slice(-1)))
}

function findUnitOrPlural(name: string, registry: UnitRegistry): Quantity | null {
  const match = registry.get(name)
  if (match !== undefined) return match
  return name.endsWith('s') && name.length > 3 ? (registry.get(name.slice(0, -1)) ?? null) : null
}

/** Splits a name into prefix and unit; null for any other name. */
function splitPrefix(name: string, registry: UnitRegistry, prefixes: ReadonlyMap<string, number>) {
  for (let length = Math.min(6, name.length - 1); length > 0; length--) {
    const factor = getPrefixFactor(name.slice(0, length), prefixes)
    const unit = factor === null ? null : findUnitOrPlural(name.slice(length), registry)
    if (factor !== null && unit !== null) return { factor, unit, unitName: name.slice(length) }
  }
  return null
}

function getPrefixFactor(prefix: string, prefixes: ReadonlyMap<string, number>): Quantity | null {
  const decimalPower = prefixes.get(prefix)
  if (decimalPower !== undefined) return createPowerOfTen(decimalPower)
  const binaryPower = BINARY_PREFIXES.get(prefix)
  return binaryPower === undefined ? null : { ...createPowerOfTen(0), amount: new Exact(2).pow(binaryPower) }
}

/** Creates a quantity without a unit: a power of ten. */
function createPowerOfTen(power: number): Quantity {
  return { amount: new Exact(`1e${power}`), dimension: BASE_UNITS.map(() => 0), zero: null, isUnitless: true, isCount: true }
}

function readUnit(text: string, registry: UnitRegistry): Quantity {
  const unit = readQuantity(text, (name) => findUnit(name, registry))
  // Numbers are allowed in powers, and in 1/s.
  const rest = text.replace(/(?:\^|\*\*)\s*-?[0-9.]+/g, '')
  if (unit.isUnitless || /(?<![\p{L}\p{Nd}_°])(?!1(?![0-9.]))[-+0-9.]/u.test(rest))
    throw new UnitError(unitErrors.invalid_unit({ unit: text.slice(0, 50) }))
  return unit
}

/** Reads the definition of a custom unit: any amount above zero. A temperature counts as a difference. */
function readDefinition(definition: string, registry: UnitRegistry): Quantity | null {
  try {
    const quantity = readQuantity(definition, (name) => findUnit(name, registry))
    return quantity.amount.gt(0) ? { ...quantity, zero: null, isUnitless: false } : null
  } catch (error) {
    if (error instanceof UnitError) return null
    throw error
  }
}

const isSame = (dimension: Dimension, other: Dimension): boolean => dimension.every((count, index) => count === other[index])

/** Converts a quantity to an amount of the target unit. A number or count is in the target unit already. */
function convertQuantity(target: Quantity, quantity: Quantity): Exact {
  if (quantity.isUnitless) return quantity.amount
  if (isSame(quantity.dimension, target.dimension)) {
    const fromZero = quantity.amount.plus(quantity.zero ?? 0).minus(target.zero ?? 0)
    return divide({ ...quantity, amount: fromZero }, target).amount
  }
  if (quantity.isCount) return quantity.amount
  throw new UnitError(unitErrors.units_do_not_fit)
}

/** Expands `3'` to feet and `3"` to inches. */
function expandLengthMarks(text: string): string {
  return text.replace(/^([^'"′″]*)['′]$/, '$1 feet').replace(/^([^'"′″]*)["″]$/, '$1 inches')
}

/** Moves a prefix or unit that stands for the decimal point to the end: `4k7` is 4.7k, `10n005F` is 10.005nF, `8R6` is 8.6R. */
function moveDecimalPoint(text: string): string {
  return text.replace(/^([+-]?[0-9]+)([\p{L}Ω]+)([0-9]+)(?![0-9])/u, '$1.$3$2')
}

/** Whether the name of a rare unit follows a number directly where a prefix is more likely: `10u` of gram. */
function isLikelyPrefix(text: string, unit: string): boolean {
  const letters = /[0-9.](\p{L}+)$/u.exec(text)?.[1] ?? ''
  return RARE.has(letters) && letters !== unit.trim()
}

/** Returns the amount of a value in engineering notation; null for anything else. */
function readEngineeringAmount(text: string, unit: Quantity & { name: string }, target: Quantity): Exact | null {
  const amount = readEngineering(text, unit.name)
  return amount && convertQuantity(target, { ...unit, amount: amount.times(unit.amount) })
}

/**
 * Reads a number with a prefix alone, which applies to the base unit: `33p` is 33 of pF and 0.033 of nF. Null for anything else, such as `5
 * m`, where meters are more likely.
 */
function readPrefixedAmount(text: string, unit: string, target: Quantity, registry: UnitRegistry): Exact | null {
  const [, number = '', space = '', letter = ''] = /^([+-]?[0-9]*\.?[0-9]+)(\s*)(\p{L})$/u.exec(text) ?? []
  const power = VALUE_PREFIXES.get(letter)
  if (power === undefined || (space !== '' && registry.has(letter))) return null
  const base = removePrefix(unit, target, registry)
  return base && convertQuantity(target, { ...base, amount: base.amount.times(number).times(`1e${power}`) })
}

/**
 * Returns a unit without the prefix of its first name: the gram of kg, V/s of mV/s. Null where no prefix is possible: for powers such as
 * mm², degrees of a temperature, and minutes, hours and days, where `5m` more likely means minutes.
 */
function removePrefix(unit: string, target: Quantity, registry: UnitRegistry): Quantity | null {
  const [, name = '', rest = ''] = /^([\p{L}_°%‰][\p{L}\p{Nd}_°]*)(.*)$/su.exec(normalizeQuantity(unit).trim()) ?? []
  const isTime = isSame(target.dimension, (standard.get('second') as Quantity).dimension)
  const parts = findUnitOrPlural(name, registry) === null ? splitPrefix(name, registry, PREFIXES) : null
  if (parts === null) return target.zero !== null || (isTime && !target.amount.eq(1)) || isPower(name, rest) ? null : target
  return isPower('', rest) ? null : readUnit(parts.unitName + rest, registry)
}

const isPower = (name: string, rest: string): boolean => /^\s*(?:\^|\*\*|[²³])/.test(rest) || /\p{L}[23]$/u.test(name)
