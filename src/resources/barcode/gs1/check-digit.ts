/** Whether the last digit of a number of GS1 (GTIN, SSCC, ...) is the check digit of those before it. */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

/** A GTIN of 8, 12, 13 or 14 digits as GTIN-14; undefined when it is none, or its check digit is wrong. */
export const gtin14 = (text: string): string | undefined =>
  /^(?:\d{8}|\d{12,14})$/.test(text) && hasCheckDigit(text) ? text.padStart(14, '0') : undefined
