import type { StatusTable } from '../../kit/definition/status.ts'

/** The statuses that every type of machine has: none; each type defines its own. */
export const machineStatus: StatusTable = { name: 'MachineStatus', codes: {} }

/** The statuses of a label printer. */
export const labelPrinterStatus = {
  name: 'LabelPrinterStatus',
  codes: {
    CONNECTED: { key: 100, label: 'Connected', color: 'success' },
    UNKNOWN: { key: 101, label: 'Unknown', color: 'secondary' },
    PRINTING: { key: 110, label: 'Printing', color: 'primary' },
    NO_MEDIA: { key: 301, label: 'No media', color: 'warning' },
    DISCONNECTED: { key: 400, label: 'Disconnected', color: 'danger' },
  },
} as const satisfies StatusTable
