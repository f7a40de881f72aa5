/**
 * Converts a number from a file to the service's notation, with a decimal point. The given decimal separator is read as such; so is the
 * other one, unless three digits follow it: it may then group thousands instead.
 * @param decimal the decimal separator; undefined when it is unknown
 * @param isText whether a person wrote it; in a workbook, numbers always have a decimal point
 * @returns undefined when it is ambiguous; the unchanged cell when it is not a number
 */
export function parseImportedNumber(cell: string, decimal: string | undefined, isText: boolean): string | undefined {
  const text = cell.trim()
  // with both signs, the last is the decimal separator
  const match = /^(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*)(?!\2)[.,](\d+)$/.exec(text)
  if (match) return `${(match[1] as string).replaceAll(/[.,]/g, '')}.${match[3]}`
  if (/^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+$/.test(text)) return text.replaceAll(/[.,]/g, '')
  const [, whole, sign, rest] = ONE_SIGN.exec(text) ?? []
  if (sign === undefined) return cell
  const isUnambiguous = sign === decimal || (sign === '.' && !isText)
  if (!isUnambiguous && canBeThousands(text)) return undefined
  return `${whole || '0'}.${rest}`
}

const ONE_SIGN = /^(\d*)([.,])(\d+)$/

const canBeThousands = (text: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)

/**
 * Converts the numbers of a column, each with `parseImportedNumber`, by the column's decimal separator: the exporting program need not use
 * that of the user. A percentage keeps its sign.
 * @param userDecimal the user's decimal separator, used when the column shows none
 */
export function parseImportedNumbers(
  cells: readonly (string | null)[],
  userDecimal: string,
  isText: boolean,
): (string | null | undefined)[] {
  const parts = cells.map((cell) => /^(.*?)(\s*%\s*)?$/s.exec(cell ?? '') ?? [])
  const decimal = detectDecimal(
    parts.map(([, number]) => number ?? ''),
    userDecimal,
  )
  return cells.map((cell, index) => {
    if (cell === null) return null
    const [, number = '', percent = ''] = parts[index] as string[]
    const read = parseImportedNumber(number, decimal, isText)
    return read === undefined ? undefined : read + percent
  })
}

/**
 * Detects the decimal separator of a column, if one of its numbers shows it and all have the same; undefined if they have both. Returns the
 * user's when all may be thousands.
 */
function detectDecimal(cells: readonly string[], userDecimal: string): string | undefined {
  const signed = cells.map((cell) => cell.trim()).filter((text) => /^[\d.,]*[.,]\d+$/.test(text))
  if (signed.every(canBeThousands)) return userDecimal
  const signs = new Set(signed.map((text) => text.replaceAll(/\d/g, '').at(-1)))
  return signs.size === 1 ? [...signs][0] : undefined
}

/** Whether a cell of a file is a number, in any notation. */
export const isNumber = (cell: string): boolean =>
  /^(\d+([.,]\d+)?|[.,]\d+|\d{1,3}([.,])\d{3}(\3\d{3})*([.,]\d+)?)$/.test(cell.trim())
