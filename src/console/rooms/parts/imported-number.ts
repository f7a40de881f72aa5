/**
 * A number out of a file as the service reads it, with a point before decimals. The sign that the reader writes before decimals is that in a
 * file, too; so is the other one, unless three digits follow it: then it may as well stand between thousands.
 * @param decimal what the reader writes before decimals
 * @param isText whether somebody wrote it; a workbook has numbers with a point before decimals, whoever wrote it
 * @returns undefined where it can be read in two ways; what is no number as it is
 */
export function importedNumber(cell: string, decimal: string, isText: boolean): string | undefined {
  const text = cell.trim()
  // both signs: the last stands before decimals
  const both = /^(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*)(?!\2)[.,](\d+)$/.exec(text)
  if (both) return `${(both[1] as string).replaceAll(/[.,]/g, '')}.${both[3]}`
  if (/^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+$/.test(text)) return text.replaceAll(/[.,]/g, '')
  const [, whole, sign, rest] = /^(\d*)([.,])(\d+)$/.exec(text) ?? []
  if (sign === undefined) return cell
  const isSure = sign === decimal || (sign === '.' && !isText)
  if (!isSure && /^[1-9]\d{0,2}$/.test(whole as string) && rest?.length === 3) return undefined
  return `${whole || '0'}.${rest}`
}
