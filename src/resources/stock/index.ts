import type { Area } from '../area.ts'

export const stock: Area = { resources: [], actions: [] }
