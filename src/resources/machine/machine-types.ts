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

/** What works with one make of machines of a type, and the settings that it needs for each. */
export type MachineDriver = {
  slug: string
  name: string
  description: string
  /** The slug of the type. */
  machineType: string
  settings: Settings
}

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
        description: 'The location in which the printer stands.',
      },
    },
  },
]

/** Every driver that there is. Nothing brings one yet, so that no machine can be made and none works. */
export const machineDrivers: readonly MachineDriver[] = []
