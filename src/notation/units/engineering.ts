import { Exact } from '../../kit/values/decimal.ts'

/** Prefixes of values that are written without a unit, as powers of ten. Kilo may be upper-case, as printed on resistors. */
export const VALUE_PREFIXES: ReadonlyMap<string, number> = new Map([
  ['f', -15],
  ['p', -12],
  ['n', -9],
  ['μ', -6],
  ['u', -6],
  ['m', -3],
  ['k', 3],
  ['K', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
])

/** Units with a notation of their own, and the symbols for each: R for ohm. Words match in any case. */
const SYMBOLS: Readonly<Record<string, { prefixes: string; alone: string; prefixed: string }>> = {
  ohm: { prefixes: 'fpnμumLkKMGT', alone: 'R(?:\\s*(?:Ω|ohms?))?|Ω|ohms?', prefixed: 'R(?:\\s*(?:Ω|ohms?))?|Ω|ohms?' },
  farad: { prefixes: 'fpnμumkKMGT', alone: 'F|farads?', prefixed: '[Ff]|farads?' },
  henry: { prefixes: 'fpnμumkKMGT', alone: 'H|henry|henrys|henries', prefixed: '[Hh]|henry|henrys|henries' },
}

/** Names of the units that have engineering notation. */
export const ENGINEERING_UNITS: readonly string[] = Object.keys(SYMBOLS)

/** Milliohm may be written L where m could be mistaken for M (IEC 60062). */
const getPrefixPower = (prefix: string): number => (prefix === 'L' ? -3 : (VALUE_PREFIXES.get(prefix) ?? 0))

/** Words such as ohm match in any case, symbols are case-sensitive. */
const ignoreWordCase = (pattern: string): string =>
  pattern.replaceAll(/[a-z]{3,}/g, (word) => [...word].map((letter) => `[${letter}${letter.toUpperCase()}]`).join(''))

const NUMBER = '(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?'

const patterns = new Map(
  Object.entries(SYMBOLS).map(([unit, { prefixes, alone, prefixed }]) => {
    const [unitPattern, prefixedUnitPattern] = [ignoreWordCase(alone), ignoreWordCase(prefixed)]
    const mark = `(?<mark>(?<prefix>[${prefixes}])(?:\\s*(?:${prefixedUnitPattern}))?|(?:${unitPattern}))`
    return [
      unit,
      {
        suffix: new RegExp(`^(?<sign>[+-]?)(?<number>${NUMBER})\\s*${mark}$`, 'u'),
        infix: new RegExp(`^(?<sign>[+-]?)(?<whole>[0-9]*)${mark}(?<fraction>[0-9]+)\\s*(?:${prefixedUnitPattern})?$`, 'u'),
      },
    ] as const
  }),
)

/**
 * Reads a value of a resistor, capacitor or inductor as printed on it: `10R`, `4k7`, `R10`, `100n`, `4u7`, `2n2F`. A prefix or unit may
 * stand for the decimal point. Case-sensitive (m is milli, M mega), except that K is kilo.
 * @param unit ohm, farad or henry
 * @returns the value in that unit; null for anything else, such as a bare number
 */
export function readEngineering(text: string, unit: string): Exact | null {
  const pattern = patterns.get(unit)
  const match = pattern?.infix.exec(text) ?? pattern?.suffix.exec(text)
  if (!match?.groups) return null
  const { sign = '', whole, fraction, number, mark = '', prefix } = match.groups
  if (whole === '' && mark.length > 1) return null
  const digits = number ?? `${whole || '0'}.${fraction}`
  return new Exact(`${sign}${digits}`).times(`1e${prefix === undefined ? 0 : getPrefixPower(prefix)}`)
}
