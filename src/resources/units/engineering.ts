import { Exact } from '../../kit/values/decimal.ts'

/** The prefixes of values that are written without a unit, as powers of ten. Kilo may be capital, as it is printed on resistors. */
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

/** The units that have a notation of their own, with what may stand for the unit: R for ohm, and capitals that do not matter in a word. */
const SYMBOLS: Readonly<Record<string, { prefixes: string; alone: string; prefixed: string }>> = {
  ohm: { prefixes: 'fpnμumLkKMGT', alone: 'R(?:\\s*(?:Ω|ohms?))?|Ω|ohms?', prefixed: 'R(?:\\s*(?:Ω|ohms?))?|Ω|ohms?' },
  farad: { prefixes: 'fpnμumkKMGT', alone: 'F|farads?', prefixed: '[Ff]|farads?' },
  henry: { prefixes: 'fpnμumkKMGT', alone: 'H|henry|henrys|henries', prefixed: '[Hh]|henry|henrys|henries' },
}

/** The names of the units that have engineering notation. */
export const ENGINEERING_UNITS: readonly string[] = Object.keys(SYMBOLS)

/** Milliohm may be L, where m could be taken for M (IEC 60062). */
const powerOf = (prefix: string): number => (prefix === 'L' ? -3 : (VALUE_PREFIXES.get(prefix) ?? 0))

/** In words such as ohm capitals do not matter, in symbols they do. */
const anyCase = (pattern: string): string =>
  pattern.replaceAll(/[a-z]{3,}/g, (word) => [...word].map((letter) => `[${letter}${letter.toUpperCase()}]`).join(''))

const NUMBER = '(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?'

const patterns = new Map(
  Object.entries(SYMBOLS).map(([unit, { prefixes, alone, prefixed }]) => {
    const [one, other] = [anyCase(alone), anyCase(prefixed)]
    const mark = `(?<mark>(?<prefix>[${prefixes}])(?:\\s*(?:${other}))?|(?:${one}))`
    return [
      unit,
      {
        behind: new RegExp(`^(?<sign>[+-]?)(?<number>${NUMBER})\\s*${mark}$`, 'u'),
        inside: new RegExp(`^(?<sign>[+-]?)(?<whole>[0-9]*)${mark}(?<fraction>[0-9]+)\\s*(?:${other})?$`, 'u'),
      },
    ] as const
  }),
)

/**
 * Reads a value of a resistor, capacitor or inductor as it is written on it: `10R`, `4k7`, `R10`, `100n`, `4u7`, `2n2F`. A prefix or unit
 * may stand for the decimal point. Case counts (m is milli, M mega), except that K is kilo.
 * @param unit ohm, farad or henry
 * @returns the value in that unit; null for anything else, such as a number alone
 */
export function readEngineering(text: string, unit: string): Exact | null {
  const pattern = patterns.get(unit)
  const match = pattern?.inside.exec(text) ?? pattern?.behind.exec(text)
  if (!match?.groups) return null
  const { sign = '', whole, fraction, number, mark = '', prefix } = match.groups
  if (whole === '' && mark.length > 1) return null
  const digits = number ?? `${whole || '0'}.${fraction}`
  return new Exact(`${sign}${digits}`).times(`1e${prefix === undefined ? 0 : powerOf(prefix)}`)
}
