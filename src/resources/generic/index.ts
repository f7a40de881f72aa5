import type { Area } from '../area.ts'
import { readStatusTable, readStatusTables } from './status/status.view.ts'

export const generic: Area = { resources: [], actions: [readStatusTables, readStatusTable] }
