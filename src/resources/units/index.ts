import type { Area } from '../area.ts'
import { unit } from './custom-unit.resource.ts'

export const units: Area = { resources: [unit], actions: [] }
