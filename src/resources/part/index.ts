import type { Area } from '../area.ts'

export const part: Area = { resources: [], actions: [] }
