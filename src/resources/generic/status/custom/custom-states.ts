import { Type } from 'typebox'
import type { Statement } from '../../../../database/text-query.ts'
import * as f from '../../../../kit/definition/field.ts'
import { type Filter, readFilter } from '../../../../kit/definition/filter.ts'
import type { Choice } from '../../../../kit/definition/input.ts'
import type { StatusTable } from '../../../../kit/definition/status.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import { SPECIFICATION_WIRE } from '../../../../wire.ts'

/** The status tables to which states can be added, with the objects that have them. */
export const STATEFUL = {
  StockStatus: { table: 'stock_item', app: 'stock', model: 'stockitem', name: 'Stock Item' },
  BuildStatus: { table: 'build_order', app: 'build', model: 'build', name: 'Build Order' },
  PurchaseOrderStatus: { table: 'purchase_order', app: 'order', model: 'purchaseorder', name: 'Purchase Order' },
  SalesOrderStatus: { table: 'sales_order', app: 'order', model: 'salesorder', name: 'Sales Order' },
  TransferOrderStatus: { table: 'transfer_order', app: 'order', model: 'transferorder', name: 'Transfer Order' },
  ReturnOrderStatus: { table: 'return_order', app: 'order', model: 'returnorder', name: 'Return Order' },
} as const

/** The name of a status table to which states can be added. */
export type StatusName = keyof typeof STATEFUL

/** Selects the states added to a status table, in the order of their keys. */
const selectCustomStates = (name: StatusName): Statement => ({
  text: 'select key, logical_key, name, label, color from custom_state where reference_status = $1 order by key, pk',
  values: [name],
})

/** A status table to which states can be added. */
export const extensibleStatus = <Codes extends StatusTable['codes']>(name: StatusName, codes: Codes) => ({
  name,
  codes,
  customStates: selectCustomStates(name),
})

/**
 * Finds a state added to a status table. Its logical status stays the same while the transaction shares the lock of all writes: changes of
 * a state that is in use are rejected, and take that lock exclusively.
 */
export const findCustomState = (tx: Tx, name: StatusName, key: number): Promise<{ logical_key: number } | undefined> =>
  tx.first('select logical_key from custom_state where reference_status = $1 and key = $2', [name, key])

/** The text of a status: the label of the custom state of the object, otherwise that of its logical status. */
export function statusText(name: StatusName, choices: readonly Choice[], help: string): f.Field {
  const cases = choices.map(({ value, label }) => `when ${Number(value)} then '${label.replaceAll("'", "''")}'`).join(' ')
  const logical = `case {status} ${cases} else '' end`
  return f.computed(
    Type.String(),
    `case when {status_custom_key} is null then ${logical} else coalesce((
      select state.label {from custom_state} state where state.reference_status = '${name}' and state.key = {status_custom_key}
    ), ${logical}) end`,
    { api530: { metadata: { type: 'field' } }, help },
  )
}

/** Objects with a status: a built-in one with all custom states of it, or a custom one. No custom state has the key of a built-in one. */
export function statusFilter(choices: readonly Choice[], help: string): Filter {
  const builtIn = new Set(choices.map(({ value }) => String(value)))
  return {
    kind: 'custom',
    names: { status: help },
    read({ status = '' }, { config }) {
      const isBuiltIn = builtIn.has(status.trim())
      const column = isBuiltIn ? '{status}' : '{status_custom_key}'
      // an unknown key finds nothing; a statement that compares both columns could use no index for the order of the list
      const exact = isBuiltIn && config.wire.exactStatus ? ' and {status_custom_key} is null' : ''
      return readFilter('status', { kind: 'number', sql: `${column} = {@value}${exact}`, help }, status, SPECIFICATION_WIRE)
    },
  }
}
