import type { Area } from '../area.ts'
import { customState } from './status/custom/custom-state.resource.ts'
import { readStatusTable, readStatusTables } from './status/status.view.ts'

export const generic: Area = { resources: [customState], actions: [readStatusTables, readStatusTable] }
