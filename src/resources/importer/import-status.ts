import type { StatusTable } from '../../kit/definition/status.ts'

/** The steps of an import. */
export const importStatus = {
  name: 'DataImportStatusCode',
  codes: {
    INITIAL: { key: 0, label: 'Initializing', color: 'secondary' },
    MAPPING: { key: 10, label: 'Mapping Columns', color: 'primary' },
    IMPORTING: { key: 20, label: 'Importing Data', color: 'primary' },
    PROCESSING: { key: 30, label: 'Processing Data', color: 'primary' },
    COMPLETE: { key: 40, label: 'Complete', color: 'success' },
  },
} as const satisfies StatusTable

const { codes } = importStatus

/** The columns can be mapped; rows are being read; rows can be accepted; every row was accepted. */
export const MAPPING = codes.MAPPING.key
export const IMPORTING = codes.IMPORTING.key
export const PROCESSING = codes.PROCESSING.key
export const COMPLETE = codes.COMPLETE.key
