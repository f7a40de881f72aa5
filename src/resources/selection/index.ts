import type { Area } from '../area.ts'
import { selectionEntry } from './entry/selection-entry.resource.ts'
import { selectionList } from './selection-list.resource.ts'

export const selection: Area = { resources: [selectionList, selectionEntry], actions: [] }
