import { ReasonedError } from '../../kit/values/message.ts'
import { unitErrors } from './unit-errors.ts'

/** Error of a unit or of a value with a unit, with a message for the user. */
export class UnitError extends ReasonedError {}

/** Characters of quantities that NFKC may change: full-width forms, squared units (㎜), letter-like signs (Ω, ℃), micro, and spaces. */
const COMPATIBILITY_CHARACTERS =
  /[\u00a0\u00b5\u2000-\u200a\u202f\u2100-\u214f\u3000\u3371-\u337a\u3380-\u33df\uff01-\uff5e\uffe0-\uffe6]/g

/**
 * Normalizes the characters of a quantity or unit name, so that µ and μ, both Ω, full-width and composed letters are read alike.
 * Superscripts and fractions are kept: as plain digits they would become part of the number before them.
 */
export const normalizeQuantity = (text: string): string =>
  text
    .normalize('NFC')
    .replace(COMPATIBILITY_CHARACTERS, (sign) => sign.normalize('NFKC'))
    .replaceAll(/[º˚]/g, '°')
    .replaceAll('−', '-')
    .replaceAll(/[⁄∕]/g, '/')

/**
 * Returns the text with a decimal point in each number: `4,7` is 4.7, `1.000,5` and `1,000.5` are 1000.5, `1,000,000` is a million.
 * @throws UnitError for `1,234`, which is a thousand times as much in one language as in another, and for invalid numbers
 */
export const normalizeNumbers = (text: string): string => text.replaceAll(/[0-9]*(?:[.,][0-9]+)+/g, normalizeNumber)

function normalizeNumber(number: string): string {
  const [whole = '', ...groups] = number.split(/[.,]/)
  const signs = [...number].filter((sign) => sign === '.' || sign === ',')
  const last = signs.at(-1)
  const canBeGrouped = /^[1-9][0-9]{0,2}$/.test(whole)
  const isThousands = (parts: readonly string[]) => canBeGrouped && parts.every((part) => part.length === 3)
  if (signs.length === 1) {
    if (last === ',' && isThousands(groups)) throw new UnitError(unitErrors.ambiguous_number({ number }))
    return `${whole}.${groups[0]}`
  }
  const between = signs.slice(0, -1)
  if (new Set(signs).size === 1 && isThousands(groups)) return whole + groups.join('')
  if (between.every((sign) => sign !== last) && new Set(between).size === 1 && isThousands(groups.slice(0, -1)))
    return `${whole}${groups.slice(0, -1).join('')}.${groups.at(-1)}`
  throw new UnitError(unitErrors.invalid_unit_quantity({ value: number }))
}
