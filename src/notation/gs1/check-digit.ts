/** Whether the last digit of a GS1 number (GTIN, SSCC, ...) is the check digit of those before it. */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) sum += Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

/** Converts a GTIN of 8, 12, 13 or 14 digits to GTIN-14; undefined for anything else, or if the check digit is wrong. */
export const toGtin14 = (text: string): string | undefined =>
  /^(?:\d{8}|\d{12,14})$/.test(text) && hasCheckDigit(text) ? text.padStart(14, '0') : undefined
