/**
 * Application identifiers of GS1: the number of digits of an identifier, by its first two, and the length of the value if it is fixed (no
 * separator follows then). GS1 General Specifications, sections 3.2 and 7.8.
 */
const IDENTIFIER_DIGITS: Readonly<Record<string, number>> = {
  '00': 2,
  '01': 2,
  '02': 2,
  '03': 2,
  '10': 2,
  '11': 2,
  '12': 2,
  '13': 2,
  '15': 2,
  '16': 2,
  '17': 2,
  '20': 2,
  '21': 2,
  '22': 2,
  '23': 3,
  '24': 3,
  '25': 3,
  '30': 2,
  '31': 4,
  '32': 4,
  '33': 4,
  '34': 4,
  '35': 4,
  '36': 4,
  '37': 2,
  '39': 4,
  '40': 3,
  '41': 3,
  '42': 3,
  '43': 4,
  '70': 4,
  '71': 3,
  '72': 4,
  '80': 4,
  '81': 4,
  '82': 4,
  '90': 2,
  '91': 2,
  '92': 2,
  '93': 2,
  '94': 2,
  '95': 2,
  '96': 2,
  '97': 2,
  '98': 2,
  '99': 2,
}

/** Length of the value, by the first two digits of the identifier. */
const FIXED_LENGTHS: Readonly<Record<string, number>> = {
  '00': 18,
  '01': 14,
  '02': 14,
  '03': 14,
  '11': 6,
  '12': 6,
  '13': 6,
  '15': 6,
  '16': 6,
  '17': 6,
  '20': 2,
  '31': 6,
  '32': 6,
  '33': 6,
  '34': 6,
  '35': 6,
  '36': 6,
  '41': 13,
}

/** Maximum characters of a value whose length is not fixed. */
const MAX_VALUE_LENGTH = 90

/** Returns the identifier at the beginning of a string, and the length of its value if that is fixed; undefined when there is no such identifier. */
export function parseIdentifier(text: string): { identifier: string; length: number | undefined } | undefined {
  const family = text.slice(0, 2)
  const digits = IDENTIFIER_DIGITS[family]
  if (digits === undefined) return undefined
  const identifier = text.slice(0, digits)
  return /^\d+$/.test(identifier) && identifier.length === digits ? { identifier, length: FIXED_LENGTHS[family] } : undefined
}

/** Whether a value is valid for the identifier. */
export function isValidElement(identifier: string, value: string): boolean {
  const match = parseIdentifier(identifier)
  if (!match || match.identifier !== identifier) return false
  return match.length === undefined
    ? value.length > 0 && value.length <= MAX_VALUE_LENGTH
    : value.length === match.length && /^\d+$/.test(value)
}
