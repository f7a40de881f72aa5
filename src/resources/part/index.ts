import type { Area } from '../area.ts'
import { partAttachment } from './attachment/part-attachment.resource.ts'
import { copyBomOfPart } from './bom-copy.action.ts'
import { readBomTree, readUsedInTree } from './bom-tree.view.ts'
import { readBomChecksum, validateBoms } from './bom-validate.action.ts'
import { categoryParameter } from './category/parameters/category-parameter.resource.ts'
import { partCategory } from './category/part-category.resource.ts'
import { partCategoryTree } from './category/part-category-tree.resource.ts'
import { changeCategory } from './change-category.action.ts'
import { internalPrice } from './internal-price/internal-price.resource.ts'
import { partParameter } from './parameter/part-parameter.resource.ts'
import { partParameterTemplate } from './parameter/template/part-parameter-template.resource.ts'
import { part as partResource } from './part.resource.ts'
import { changePricings, readPartPricing } from './pricing/part-pricing.action.ts'
import { relatedPart } from './related/related-part.resource.ts'
import { readRequirements } from './requirements.view.ts'
import { salePrice } from './sale-price/sale-price.resource.ts'
import { readScheduling } from './scheduling.view.ts'
import { readSerialNumbers } from './serial-numbers.view.ts'
import { generateStocktakeEntries } from './stocktake/generate.action.ts'
import { partStocktake } from './stocktake/part-stocktake.resource.ts'
import { generateStocktake } from './stocktake/report/generate.action.ts'
import { stocktakeReport } from './stocktake/report/stocktake-report.resource.ts'
import { testTemplate } from './test-template/test-template.resource.ts'
import { listThumbs, readThumb, replaceThumbs } from './thumbs/thumbs.action.ts'

export const part: Area = {
  resources: [
    partResource,
    partCategory,
    partCategoryTree,
    categoryParameter,
    partParameterTemplate,
    partParameter,
    relatedPart,
    testTemplate,
    internalPrice,
    salePrice,
    partStocktake,
    stocktakeReport,
    partAttachment,
  ],
  actions: [
    generateStocktake,
    generateStocktakeEntries,
    changeCategory,
    copyBomOfPart,
    readBomChecksum,
    ...validateBoms,
    readBomTree,
    readUsedInTree,
    readRequirements,
    readScheduling,
    readSerialNumbers,
    readPartPricing,
    ...changePricings,
    listThumbs,
    readThumb,
    ...replaceThumbs,
  ],
}
