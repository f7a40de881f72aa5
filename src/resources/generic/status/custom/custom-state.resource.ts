import { Type } from 'typebox'
import * as f from '../../../../kit/definition/field.ts'
import { readKey, unknownReference } from '../../../../kit/definition/filter.ts'
import { resource, type Write } from '../../../../kit/definition/resource.ts'
import type { StatusTable } from '../../../../kit/definition/status.ts'
import { readWriteAccess, signedIn, staff } from '../../../../kit/request/caller.ts'
import type { ErrorEntry } from '../../../../kit/request/errors.ts'
import { invalidObject } from '../../../../kit/request/problem.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import { buildStatus } from '../../../build/build-status.ts'
import { contentTypeKey } from '../../../contenttype/content-type-key.ts'
import { purchaseOrderStatus } from '../../../order/po/po-status.ts'
import { returnOrderStatus } from '../../../order/ro/ro-status.ts'
import { salesOrderStatus } from '../../../order/so/so-status.ts'
import { transferOrderStatus } from '../../../order/transfer-order/transfer-order-status.ts'
import { serviceErrors } from '../../../service-errors.ts'
import { stockStatus } from '../../../stock/stock-status.ts'
import { customState as table } from './custom-state.table.ts'
import { STATEFUL, type StatusName } from './custom-states.ts'

/** The status tables to which states can be added, by their names. */
export const STATUSES: Readonly<Record<StatusName, StatusTable>> = {
  StockStatus: stockStatus,
  BuildStatus: buildStatus,
  PurchaseOrderStatus: purchaseOrderStatus,
  SalesOrderStatus: salesOrderStatus,
  ReturnOrderStatus: returnOrderStatus,
  TransferOrderStatus: transferOrderStatus,
}

const COLORS = ['primary', 'secondary', 'success', 'danger', 'warning', 'info', 'dark']
const MODEL_NAMES = Object.entries(STATEFUL).map(([status, { name }]) => `when '${status}' then '${name}'`)

/** The keys of the kinds of objects in `/api/contenttype/`, by status table. */
const MODEL_KEYS = Object.entries(STATEFUL).map(([status, { app, model }]) => [status, contentTypeKey(app, model)] as const)
const MODEL_KEY = `case {reference_status} ${MODEL_KEYS.map(([status, key]) => `when '${status}' then ${key}`).join(' ')} end`

export const customState = resource({
  path: '/api/generic/status/custom/',
  name: 'Custom state',
  description:
    'A state that this installation adds to a status of stock items or orders, such as "In the lab" for quarantined stock. The rules of its logical status apply to objects in it.',
  remarks: {
    update: 'While objects are in the state, its key, its logical status and its status table cannot change.',
    delete: 'Rejected while objects are in the state.',
  },
  example: {
    pk: 1,
    create: { reference_status: 'StockStatus', key: 177, name: 'IN_LAB', label: 'In the lab', logical_key: 75, color: 'info' },
    replace: { reference_status: 'StockStatus', key: 178, name: 'IN_REPAIR', label: 'In repair', logical_key: 55 },
    change: { label: 'At the repair shop' },
    deletable: 2,
  },
  model: 'inventreecustomuserstatemodel',
  table,
  access: readWriteAccess(signedIn, staff),
  deletesExclusively: true,
  fields: {
    pk: f.pk(table.pk),
    key: f.column(table.key, {
      required: true,
      order: true,
      label: 'Value',
      help: 'The number of the state, unique within its status table and not that of a built-in status.',
    }),
    name: f.column(table.name, {
      required: true,
      order: true,
      search: true,
      help: 'A short name in capital letters, unique within its status table and not that of a built-in status.',
    }),
    label: f.column(table.label, { required: true, order: true, search: true, help: 'The text that people see.' }),
    color: f.column(table.color, {
      choices: () => COLORS.map((color) => ({ value: color, label: color })),
      order: true,
      help: 'The color in which clients show it.',
    }),
    logical_key: f.column(table.logical_key, {
      required: true,
      order: true,
      label: 'Logical Key',
      help: 'The key of the built-in status whose rules apply to objects in the state.',
    }),
    model: f.extended(
      f.computed(Type.Integer(), MODEL_KEY, {
        filter: {
          kind: 'custom',
          names: { model: 'States of the kind of object with this key in `/api/contenttype/`.' },
          read({ model = '' }) {
            const pk = readKey(model)
            if (!MODEL_KEYS.some(([, key]) => key === pk)) throw unknownReference('model')
            return { sql: `${MODEL_KEY} = {@value}::integer`, values: [pk] }
          },
        },
        api530: { metadata: { type: 'related field', model: 'contenttype', api_url: '/api/contenttype/' } },
        help: 'The kind of object that can be in the state, by its key in `/api/contenttype/`; it follows from `reference_status`.',
      }),
    ),
    model_name: f.computed(Type.String(), `case {reference_status} ${MODEL_NAMES.join(' ')} else '' end`, {
      label: 'Model name',
      help: 'The kind of object that can be in the state.',
    }),
    reference_status: f.column(table.reference_status, {
      required: true,
      choices: () => Object.keys(STATEFUL).map((name) => ({ value: name, label: name })),
      filter: true,
      order: true,
      search: true,
      label: 'Reference Status Set',
      help: 'The status table that it belongs to.',
    }),
  },
  defaultOrder: ['pk'],
  constraints: {
    custom_state_key_key: { key: [serviceErrors.custom_state_key_taken] },
    custom_state_name_key: { name: [serviceErrors.custom_state_name_taken] },
  },
  rules: checkState,
  async beforeDelete({ tx, row }) {
    const objects = await countObjects(tx, row)
    if (objects > 0) throw invalidObject(serviceErrors.custom_state_in_use({ objects }))
  },
})

async function checkState({ tx, before, after, values, errors }: Write): Promise<void> {
  const { codes } = STATUSES[after('reference_status') as StatusName]
  const builtIn = Object.values(codes).map(({ key }) => key)
  if (builtIn.includes(after('key') as number)) errors.key = [serviceErrors.custom_state_key_built_in]
  if (!builtIn.includes(after('logical_key') as number)) errors.logical_key = [serviceErrors.logical_key_unknown]
  if (Object.hasOwn(codes, after('name') as string)) errors.name = [serviceErrors.custom_state_name_taken]
  const changed = ['key', 'logical_key', 'reference_status'].filter(
    (name) => before && values[name] !== undefined && values[name] !== before[name],
  )
  if (changed.length > 0) {
    // objects get the state, with its logical status, under the shared lock
    tx.lockExclusive()
    const objects = await countObjects(tx, before as Row)
    const error: ErrorEntry = [serviceErrors.custom_state_in_use({ objects })]
    if (objects > 0) for (const name of changed) errors[name] ??= error
  }
  const clashes = await tx.query<{ same_key: boolean; same_name: boolean }>(
    `select key = $2 as same_key, name = $3 as same_name from custom_state
     where reference_status = $1 and (key = $2 or name = $3) and pk is distinct from $4`,
    [after('reference_status'), after('key'), after('name'), before?.pk ?? null],
  )
  const taken = [
    ...(clashes.some(({ same_key }) => same_key) ? [serviceErrors.custom_state_key_taken] : []),
    ...(clashes.some(({ same_name }) => same_name) ? [serviceErrors.custom_state_name_taken] : []),
  ]
  if (taken.length > 0) errors.non_field_errors = taken
}

type Row = Record<string, unknown>

/** The number of objects in a state. */
async function countObjects(tx: Tx, { reference_status, key }: Row): Promise<number> {
  const { table: objects } = STATEFUL[reference_status as StatusName]
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count from ${objects} where status_custom_key = $1`,
    [key],
  )
  return row?.count ?? 0
}
