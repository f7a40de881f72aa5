import type { Area } from '../area.ts'
import { bomItem } from './bom-item.resource.ts'
import { extractBom } from './import/extract.action.ts'
import { submitBom } from './import/submit.action.ts'
import { uploadBom } from './import/upload.action.ts'
import { bomSubstitute } from './substitute/bom-substitute.resource.ts'
import { validateLines } from './validate.action.ts'

export const bom: Area = {
  resources: [bomItem, bomSubstitute],
  actions: [...validateLines, uploadBom, extractBom, submitBom],
}
