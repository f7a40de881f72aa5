import type { Area } from '../area.ts'

export const currency: Area = { resources: [], actions: [] }
