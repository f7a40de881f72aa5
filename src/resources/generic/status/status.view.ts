import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import {
  readStatusTable as readTable,
  STATUS_METADATA,
  type StatusTable,
  statusTableSchema,
} from '../../../kit/definition/status.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { buildStatus } from '../../build/build-status.ts'
import { importStatus } from '../../importer/import-status.ts'
import { labelPrinterStatus, machineStatus } from '../../machine/machine-status.ts'
import { purchaseOrderStatus } from '../../order/po/po-status.ts'
import { returnOrderStatus } from '../../order/ro/ro-status.ts'
import { returnOrderLineStatus } from '../../order/ro-line/ro-line-status.ts'
import { salesOrderStatus } from '../../order/so/so-status.ts'
import { transferOrderStatus } from '../../order/transfer-order/transfer-order-status.ts'
import { serviceErrors } from '../../service-errors.ts'
import { stockHistoryCode } from '../../stock/movement/stock-history.ts'
import { stockStatus } from '../../stock/stock-status.ts'

/** Every status table, by its name in the list; that of a type of machine has a prefix. */
const tables: Readonly<Record<string, StatusTable>> = {
  MachineStatus: machineStatus,
  MachineStatus__LabelPrinterStatus: labelPrinterStatus,
  ...Object.fromEntries(
    [
      purchaseOrderStatus,
      salesOrderStatus,
      stockStatus,
      stockHistoryCode,
      buildStatus,
      returnOrderStatus,
      returnOrderLineStatus,
      transferOrderStatus,
      importStatus,
    ].map((table) => [table.name, table]),
  ),
}

export const readStatusTables = view({
  path: '/api/generic/status/',
  summary: 'List the values of all statuses',
  description: 'Returns all status tables by name, each status with its key, its text and its color.',
  access: signedIn,
  response: Type.Record(Type.String(), statusTableSchema),
  async read({ database, config }) {
    const entries = Object.entries(tables).map(async ([name, table]) => [name, await readTable(table, database, config)] as const)
    return Object.fromEntries(await Promise.all(entries))
  },
})

export const readStatusTable = view({
  path: '/api/generic/status/{statusmodel}/',
  summary: 'List the values of a status',
  description: 'Returns a status table by name. Rejects an unknown name.',
  access: signedIn,
  errors: { invalid: 'The status table does not exist.' },
  params: { statusmodel: 'The name of the table, as in `GET /api/generic/status/`.' },
  example: { params: { statusmodel: 'StockStatus' } },
  response: statusTableSchema,
  api530: { metadata: STATUS_METADATA },
  read({ params: { statusmodel = '' }, database, config }) {
    const table = Object.hasOwn(tables, statusmodel) ? tables[statusmodel] : undefined
    if (!table) throw invalid({ statusmodel: [serviceErrors.unknown_status_table] })
    return readTable(table, database, config)
  },
})
