import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { type StatusTable, statusTableAnswer, statusTableSchema } from '../../../kit/definition/status.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { buildStatus } from '../../build/build-status.ts'
import { labelPrinterStatus, machineStatus } from '../../machine/machine-status.ts'
import { purchaseOrderStatus } from '../../order/po/po-status.ts'
import { returnOrderStatus } from '../../order/ro/ro-status.ts'
import { returnOrderLineStatus } from '../../order/ro-line/ro-line-status.ts'
import { salesOrderStatus } from '../../order/so/so-status.ts'
import { serviceErrors } from '../../service-errors.ts'
import { stockHistoryCode } from '../../stock/movement/stock-history.ts'
import { stockStatus } from '../../stock/stock-status.ts'

/** Every table of states, by the name under which it is listed: its own, or that of a kind of machine. */
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
    ].map((table) => [table.name, table]),
  ),
}

export const readStatusTables = view({
  path: '/api/generic/status/',
  summary: 'The values of every status',
  description: 'Every table of states by its name, each state with its number, its text and the colour in which it is shown.',
  access: signedIn,
  answer: Type.Record(Type.String(), statusTableSchema),
  read: () => Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, statusTableAnswer(table)])),
})

export const readStatusTable = view({
  path: '/api/generic/status/{statusmodel}/',
  summary: 'The values of one status',
  description: 'One table of states by its name. A name that is none is refused.',
  access: signedIn,
  refuses: { invalid: 'There is no table of states of this name.' },
  params: { statusmodel: 'The name of the table, as `GET /api/generic/status/` has it.' },
  example: { params: { statusmodel: 'StockStatus' } },
  answer: statusTableSchema,
  read({ params: { statusmodel = '' } }) {
    const table = Object.hasOwn(tables, statusmodel) ? tables[statusmodel] : undefined
    if (!table) throw invalid({ statusmodel: [serviceErrors.unknown_status_table] })
    return statusTableAnswer(table)
  },
})
