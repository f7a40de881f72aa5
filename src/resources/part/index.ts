import type { Area } from '../area.ts'
import { partAttachment } from './attachment/part-attachment.resource.ts'
import { partCategory } from './category/part-category.resource.ts'
import { partCategoryTree } from './category/part-category-tree.resource.ts'
import { changeCategory } from './change-category.action.ts'
import { part as partResource } from './part.resource.ts'
import { readPartPricing } from './pricing/part-pricing.view.ts'
import { readRequirements } from './requirements.view.ts'
import { readSerialNumbers } from './serial-numbers.view.ts'
import { listThumbs, readThumb, replaceThumbs } from './thumbs/thumbs.action.ts'

export const part: Area = {
  resources: [partResource, partCategory, partCategoryTree, partAttachment],
  actions: [changeCategory, readRequirements, readSerialNumbers, readPartPricing, listThumbs, readThumb, ...replaceThumbs],
}
