import type { Input } from '../../kit/definition/input.ts'
import { type Errors, FieldError, invalidChoice } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { findCustomState } from '../generic/status/custom/custom-states.ts'
import { serviceErrors } from '../service-errors.ts'
import { STOCK_STATUS_CHOICES, stockStatus } from './stock-status.ts'

/** The status of a stock item: a built-in one, and the custom state of it, if it is in one. */
export type ItemStatus = { status: number; status_custom_key: number | null }

/** The statuses and the custom states of stock items, for forms. */
export const describeItemStates = async ({ database }: Services) => ({
  choices: [
    ...STOCK_STATUS_CHOICES.map(({ value, label }) => ({ value, display_name: label })),
    ...(await database.read<{ key: number; label: string }>(stockStatus.customStates)).map(({ key, label }) => ({
      value: key,
      display_name: label,
    })),
  ],
})

/** An input that accepts the keys of custom states in addition to those of its choices; `readItemStatus` finds out whether there is such a state. */
export const withCustomStates = (choice: Input<number>): Input<number> => ({
  ...choice,
  api530: { describe: describeItemStates },
  read(value, reading, fail) {
    try {
      return choice.read(value, reading, fail)
    } catch (error) {
      const isKey = typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^-?\d{1,9}$/.test(value)
      if (!(error instanceof FieldError) || !isKey || Math.abs(Number(value)) > 2_147_483_647) throw error
      return Number(value)
    }
  },
})

/** The status that a key stands for, of a built-in status or of a custom state; undefined if it is unknown. */
export async function readItemStatus(tx: Tx, key: number): Promise<ItemStatus | undefined> {
  if (STOCK_STATUS_CHOICES.some(({ value }) => value === key)) return { status: key, status_custom_key: null }
  const state = await findCustomState(tx, stockStatus.name, key)
  return state && { status: state.logical_key, status_custom_key: key }
}

/** The entry of a status in the history of an item: the key that it shows, and its logical status where that is another. */
export const statusDeltas = ({ status, status_custom_key: state }: ItemStatus) =>
  state === null ? { status } : { status: state, status_logical: status }

/**
 * Completes the status and the custom state of an item that is created or changed; either can be given by the key of a built-in status or
 * of a custom state. A client that returns the whole object repeats the state, which then follows the status.
 */
export async function completeStatus(
  tx: Tx,
  values: { status?: number; status_custom_key?: number | null },
  before?: ItemStatus,
): Promise<Errors> {
  const { status, status_custom_key: state } = values
  const isRepeated = before !== undefined && state === (before.status_custom_key ?? before.status)
  if (typeof state === 'number' && !isRepeated) {
    const found = await readItemStatus(tx, state)
    if (!found) return { status_custom_key: [serviceErrors.custom_state_unknown] }
    const wanted = status === undefined || status === before?.status ? undefined : await readItemStatus(tx, status)
    if (wanted && wanted.status !== found.status) return { status_custom_key: [serviceErrors.custom_state_of_other_status] }
    Object.assign(values, found)
    return {}
  }
  if (status !== undefined && status !== before?.status) {
    const found = await readItemStatus(tx, status)
    if (!found) return { status: [invalidChoice(status)] }
    Object.assign(values, found)
  } else if (isRepeated) delete values.status_custom_key
  return {}
}

/**
 * The statuses that the entries of a request name, by their keys.
 * @throws Problem 400 at the index of an entry with an unknown key
 */
export async function readItemStatuses(
  tx: Tx,
  entries: readonly { status?: number | null }[],
): Promise<ReadonlyMap<number, ItemStatus>> {
  const statuses = new Map<number, ItemStatus>()
  for (const key of new Set(entries.flatMap(({ status }) => status ?? []))) {
    const found = await readItemStatus(tx, key)
    if (found) statuses.set(key, found)
  }
  const errors = entries.map(
    ({ status }): Errors => (typeof status === 'number' && !statuses.has(status) ? { status: [invalidChoice(status)] } : {}),
  )
  if (errors.some((entry) => 'status' in entry)) throw invalid({ items: errors })
  return statuses
}
