import type { Area } from '../area.ts'

export const order: Area = { resources: [], actions: [] }
