import type { Area } from '../area.ts'
import { listAllUnits } from './all/all-units.view.ts'
import { unit } from './custom-unit.resource.ts'

export const units: Area = { resources: [unit], actions: [listAllUnits] }
