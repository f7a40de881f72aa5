import type { Area } from '../area.ts'

export const units: Area = { resources: [], actions: [] }
