import { t } from '../language/language.ts'
import { isTyping } from '../navigation/keys.ts'
import { warn } from '../page/toast.tsx'
import type { FieldMetadata } from '../service/field-metadata.ts'

// Shared rules of values that are edited inside a table.

const TEXT_KINDS: readonly FieldMetadata['kind'][] = ['text', 'lines', 'email']

/**
 * Returns the text with which a key starts the edit of a cell, as in a spreadsheet; undefined for a key that starts none. @param isNumber
 * whether the value is a number, so that letters start no edit
 */
export function getStartText(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  { kind, choices }: FieldMetadata,
  isNumber: boolean,
) {
  if (ctrlKey || metaKey || altKey) return undefined
  if (isNumber) return /^[\d.,-]$/.test(key) ? key : undefined
  return TEXT_KINDS.includes(kind) && !choices && /^[\p{L}\p{N}]$/u.test(key) ? key : undefined
}

export const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Whether the typed value equals the previous one: for a number also `12.5` and `12.500`. */
export const isSame = (current: unknown, previous: unknown, isNumber: boolean): boolean =>
  current === previous ||
  (isEmpty(current) && isEmpty(previous)) ||
  (isNumber && !isEmpty(current) && !isEmpty(previous) && Number(current) === Number(previous))

/** Whether the user is typing somewhere else, so that nothing may take the focus. */
export const isFocusElsewhere = (cell: Element | null): boolean =>
  isTyping(document.activeElement) && !cell?.contains(document.activeElement)

/**
 * Reports that a cell could not be saved after the focus left it, with the typed text, as it may be out of sight.
 * @param row name of the row, or its position
 */
export function reportUnsaved(row: string, field: string, typed: unknown, problem: string): void {
  warn(t('cell.not-saved', { row, field, typed: isEmpty(typed) ? '–' : String(typed), problem }))
}

/** Name of a cell's row: the text of its first cell, otherwise its position. */
export function getRowName(cell: Element | null): string {
  const row = cell?.closest('tr')
  const first = row?.querySelector<HTMLElement>('td:not(.checkbox-field)')
  const label = (first?.querySelector<HTMLElement>('a') ?? first)?.innerText.split('\n')[0]?.trim()
  return label || t('cell.row', { number: (row?.sectionRowIndex ?? 0) + 1 })
}
