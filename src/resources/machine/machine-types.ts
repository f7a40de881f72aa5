import type { StatusTable } from '../../kit/definition/status.ts'
import type { Settings } from '../../settings/setting.ts'
import { labelPrinterStatus } from './machine-status.ts'

/** A type of machine: its statuses, and the settings of every machine of the type. */
export type MachineType = {
  slug: string
  name: string
  description: string
  status: StatusTable
  settings: Settings
}

/** All types of machines. Drivers come from plugins (`drivers.ts`). */
export const machineTypes: readonly MachineType[] = [
  {
    slug: 'label-printer',
    name: 'Label printer',
    description: 'Prints labels.',
    status: labelPrinterStatus,
    settings: {
      LOCATION: {
        type: 'model',
        default: null,
        model: 'stock.stocklocation',
        apiUrl: '/api/stock/location/',
        name: 'Printer Location',
        description: 'The location of the printer.',
      },
    },
  },
]
