import type { Area } from '../area.ts'

export const auth: Area = { resources: [], actions: [] }
