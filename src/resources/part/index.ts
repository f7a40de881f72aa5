import type { Area } from '../area.ts'
import { partCategory } from './category/part-category.resource.ts'
import { partCategoryTree } from './category/part-category-tree.resource.ts'
import { part as partResource } from './part.resource.ts'

export const part: Area = { resources: [partResource, partCategory, partCategoryTree], actions: [] }
