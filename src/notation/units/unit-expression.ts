import { Exact } from '../../kit/values/decimal.ts'
import { normalizeQuantity, UnitError } from './quantity-text.ts'
import { unitErrors } from './unit-errors.ts'

/** Exponent of each base unit; halves are possible, as in V/Hz^0.5. */
export type Dimension = readonly number[]

/** An amount in base units of a dimension. */
export type Quantity = {
  amount: Exact
  dimension: Dimension
  /** Zero point of a temperature scale, in kelvin; only for a temperature by itself. */
  zero: Exact | null
  /** Whether it has no unit: a plain number, or a calculation with numbers. */
  isUnitless: boolean
  /** Whether it has only numbers and counting words, such as a dozen: it may count another unit. */
  isCount: boolean
}

/** Maximum length of a string that is read as a unit or a value. */
export const MAX_UNIT_LENGTH = 500
/** Results beyond these limits are typing errors, and would only take memory. */
const MAX_POWER = 20
const MAX_MAGNITUDE = 200

const TOKEN =
  /\s*(?:(?<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4}(?![\p{L}\p{Nd}_]))?)|(?<name>[%‰]|[\p{L}_°][\p{L}\p{Nd}_°]*)|(?<sign>\*\*|[-+*/^()·×²³]))/uy

type Token = { kind: 'number' | 'name' | 'sign'; text: string }

/**
 * Reads a unit, or an amount in a unit: `m`, `kg*m^2/s`, `1/2 dozen kW`, `-12.5e3 V`. Multiplication, whose sign may be omitted, and
 * division apply from left to right; powers bind tighter. Throws UnitError.
 *
 * @param find looks up the quantity of a name
 */
export function readExpression(text: string, dimensions: number, find: (name: string) => Quantity | null): Quantity {
  const tokens = tokenize(text)
  let position = 0
  const peek = () => tokens[position]
  const take = (...signs: string[]): boolean => {
    const token = peek()
    if (token?.kind !== 'sign' || !signs.includes(token.text)) return false
    position++
    return true
  }
  const number = (amount: string): Quantity => ({
    amount: requireInRange(new Exact(amount)),
    dimension: new Array(dimensions).fill(0),
    zero: null,
    isUnitless: true,
    isCount: true,
  })

  function product(): Quantity {
    const negative = take('-')
    if (!negative) take('+')
    let result = power()
    if (negative) result = { ...result, amount: result.amount.neg() }
    for (let token = peek(); token !== undefined && !(token.kind === 'sign' && token.text === ')'); token = peek()) {
      if (take('/')) result = divide(result, power())
      else if (isName(token, 'per')) {
        position++
        result = divide(result, power())
      } else if (take('*', '·', '×') || token.kind === 'name' || token.text === '(') result = multiply(result, power())
      else throw new UnitError(unitErrors.invalid_unit_quantity({ value: text }))
    }
    return result
  }

  function power(): Quantity {
    const base = atom()
    if (take('²')) return raise(base, 2)
    if (take('³')) return raise(base, 3)
    if (!take('^', '**')) return base
    const negative = take('-')
    const exponent = peek()
    if (exponent?.kind !== 'number') throw new UnitError(unitErrors.invalid_unit_quantity({ value: text }))
    position++
    return raise(base, Number(exponent.text) * (negative ? -1 : 1))
  }

  function atom(): Quantity {
    const token = peek()
    position++
    if (token?.kind === 'number') return number(token.text)
    if (isName(token, 'square') || isName(token, 'sq')) return raise(atom(), 2)
    if (isName(token, 'cubic')) return raise(atom(), 3)
    if (token?.kind === 'name') {
      const unit = find(token.text)
      if (unit === null) throw new UnitError(unitErrors.unknown_unit({ unit: token.text }))
      return unit
    }
    if (token?.text === '(') {
      const inner = product()
      if (take(')')) return inner
    }
    throw new UnitError(unitErrors.invalid_unit_quantity({ value: text }))
  }

  const result = product()
  if (position < tokens.length) throw new UnitError(unitErrors.invalid_unit_quantity({ value: text }))
  return result
}

const isName = (token: Token | undefined, name: string): boolean => token?.kind === 'name' && token.text === name

function tokenize(text: string): Token[] {
  if (text.length > MAX_UNIT_LENGTH) throw new UnitError(unitErrors.unit_value_too_long({ max_length: MAX_UNIT_LENGTH }))
  const input = normalizeQuantity(text).trim()
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < input.length) {
    const groups = TOKEN.exec(input)?.groups
    if (groups === undefined) throw new UnitError(unitErrors.invalid_unit_quantity({ value: text }))
    if (groups.number !== undefined) tokens.push({ kind: 'number', text: groups.number })
    else if (groups.name !== undefined) tokens.push({ kind: 'name', text: groups.name })
    else tokens.push({ kind: 'sign', text: groups.sign ?? '' })
  }
  return tokens
}

/** Multiplies two quantities. A number of degrees keeps the zero point of its scale; degrees in a product are differences of temperature. */
export function multiply(left: Quantity, right: Quantity): Quantity {
  return {
    amount: requireInRange(left.amount.times(right.amount)),
    dimension: left.dimension.map((count, index) => count + (right.dimension[index] ?? 0)),
    zero: left.isUnitless ? right.zero : right.isUnitless ? left.zero : null,
    isUnitless: left.isUnitless && right.isUnitless,
    isCount: left.isCount && right.isCount,
  }
}

export function divide(left: Quantity, right: Quantity): Quantity {
  if (right.amount.isZero()) throw new UnitError(unitErrors.unit_divided_by_zero)
  return {
    amount: requireInRange(left.amount.div(right.amount)),
    dimension: left.dimension.map((count, index) => count - (right.dimension[index] ?? 0)),
    zero: right.isUnitless ? left.zero : null,
    isUnitless: left.isUnitless && right.isUnitless,
    isCount: left.isCount && right.isCount,
  }
}

export function raise(base: Quantity, power: number): Quantity {
  if (!Number.isInteger(power * 2) || Math.abs(power) > MAX_POWER)
    throw new UnitError(unitErrors.invalid_unit_power({ power: String(power) }))
  return {
    ...base,
    amount: requireInRange(base.amount.pow(power)),
    dimension: base.dimension.map((count) => count * power),
    zero: null,
  }
}

function requireInRange(amount: Exact): Exact {
  if (amount.isFinite() && Math.abs(amount.e) <= MAX_MAGNITUDE) return amount
  throw new UnitError(unitErrors.unit_value_out_of_range)
}
