/**
 * A number out of a file as the service reads it, with a point before decimals. The sign that is written before decimals is that in a file,
 * too; so is the other one, unless three digits follow it: then it may as well stand between thousands.
 * @param decimal what is written before decimals; undefined where that is not known
 * @param isText whether somebody wrote it; a workbook has numbers with a point before decimals, whoever wrote it
 * @returns undefined where it can be read in two ways; what is no number as it is
 */
export function importedNumber(cell: string, decimal: string | undefined, isText: boolean): string | undefined {
  const text = cell.trim()
  // both signs: the last stands before decimals
  const both = /^(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*)(?!\2)[.,](\d+)$/.exec(text)
  if (both) return `${(both[1] as string).replaceAll(/[.,]/g, '')}.${both[3]}`
  if (/^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+$/.test(text)) return text.replaceAll(/[.,]/g, '')
  const [, whole, sign, rest] = ONE_SIGN.exec(text) ?? []
  if (sign === undefined) return cell
  const isSure = sign === decimal || (sign === '.' && !isText)
  if (!isSure && mayBeThousands(text)) return undefined
  return `${whole || '0'}.${rest}`
}

const ONE_SIGN = /^(\d*)([.,])(\d+)$/

const mayBeThousands = (text: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)

/**
 * The numbers of a column, each as `importedNumber` reads it, by the sign that the column has before decimals: whoever exported it need not
 * write as the reader does. A percentage keeps its sign.
 * @param reader what the reader writes before decimals, which counts where the column does not tell
 */
export function importedNumbers(
  cells: readonly (string | null)[],
  reader: string,
  isText: boolean,
): (string | null | undefined)[] {
  const parts = cells.map((cell) => /^(.*?)(\s*%\s*)?$/s.exec(cell ?? '') ?? [])
  const decimal = decimalOf(
    parts.map(([, number]) => number ?? ''),
    reader,
  )
  return cells.map((cell, at) => {
    if (cell === null) return null
    const [, number = '', percent = ''] = parts[at] as string[]
    const read = importedNumber(number, decimal, isText)
    return read === undefined ? undefined : read + percent
  })
}

/** What stands before decimals in a column, if one of its numbers shows it and all have the same sign; undefined if they have both signs. */
function decimalOf(cells: readonly string[], reader: string): string | undefined {
  const signed = cells.map((cell) => cell.trim()).filter((text) => /^[\d.,]*[.,]\d+$/.test(text))
  if (signed.every(mayBeThousands)) return reader
  const signs = new Set(signed.map((text) => text.replaceAll(/\d/g, '').at(-1)))
  return signs.size === 1 ? [...signs][0] : undefined
}

/** Whether a cell of a file is a number, in whichever way it is written. */
export const isNumber = (cell: string): boolean =>
  /^(\d+([.,]\d+)?|[.,]\d+|\d{1,3}([.,])\d{3}(\3\d{3})*([.,]\d+)?)$/.test(cell.trim())
