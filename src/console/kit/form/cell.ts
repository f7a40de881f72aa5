import { t } from '../language/language.ts'
import { isTyping } from '../navigation/keys.ts'
import { warn } from '../page/toast.tsx'
import type { FieldMetadata } from '../service/field-metadata.ts'

// What values have in common that are edited where they stand in a table.

const TEXTS: readonly FieldMetadata['kind'][] = ['text', 'lines', 'email']

/** What a key begins the edit of a cell with, as in a spreadsheet; undefined for a key that does not. @param isNumber letters begin none */
export function startOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, { kind, choices }: FieldMetadata, isNumber: boolean) {
  if (ctrlKey || metaKey || altKey) return undefined
  if (isNumber) return /^[\d.,-]$/.test(key) ? key : undefined
  return TEXTS.includes(kind) && !choices && /^[\p{L}\p{N}]$/u.test(key) ? key : undefined
}

export const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Whether what was typed is what was there: of a number `12.5` and `12.500`. */
export const isSame = (given: unknown, before: unknown, isNumber: boolean): boolean =>
  given === before ||
  (isEmpty(given) && isEmpty(before)) ||
  (isNumber && !isEmpty(given) && !isEmpty(before) && Number(given) === Number(before))

/** Whether somebody went on typing elsewhere, so that nothing may take the focus. */
export const isElsewhere = (cell: Element | null): boolean =>
  isTyping(document.activeElement) && !cell?.contains(document.activeElement)

/**
 * Says that a cell which was left could not be saved, with what was typed, as it may be out of sight.
 * @param row what the row is called, or which it is
 */
export function tellUnsaved(row: string, field: string, typed: unknown, problem: string): void {
  warn(t('cell.not-saved', { row, field, typed: isEmpty(typed) ? '–' : String(typed), problem }))
}

/** What the row of a cell is called: the words of its first cell, else which it is. */
export function rowName(cell: Element | null): string {
  const row = cell?.closest('tr')
  const first = row?.querySelector<HTMLElement>('td:not(.tick)')
  const words = (first?.querySelector<HTMLElement>('a') ?? first)?.innerText.split('\n')[0]?.trim()
  return words || t('cell.row', { number: (row?.sectionRowIndex ?? 0) + 1 })
}
