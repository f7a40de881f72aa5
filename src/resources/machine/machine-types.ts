import type { StatusTable } from '../../kit/definition/status.ts'
import type { Settings } from '../settings/setting.ts'
import { labelPrinterStatus } from './machine-status.ts'

/** A kind of machine: what its states are, and which settings every machine of the kind has. */
export type MachineType = {
  slug: string
  name: string
  description: string
  status: StatusTable
  settings: Settings
}

/** Every type of machines. Drivers come of plugins (`drivers.ts`). */
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
