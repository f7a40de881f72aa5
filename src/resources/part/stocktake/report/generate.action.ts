import { Type } from 'typebox'
import { action } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { roles } from '../../../../kit/request/caller.ts'
import { invalidObject } from '../../../../kit/request/problem.ts'
import { setting } from '../../../settings/live.ts'
import { stockLocation } from '../../../stock/location/stock-location.table.ts'
import { partCategory } from '../../category/part-category.table.ts'
import { part } from '../../part.table.ts'
import { partErrors } from '../../part-errors.ts'
import { isAnythingToCount } from '../count-parts.ts'
import { beginStocktake } from './runs.ts'

const Key = Type.Union([Type.Integer(), Type.Null()])

export const generateStocktake = action({
  method: 'POST',
  path: '/api/part/stocktake/report/generate/',
  summary: 'Make a stocktake',
  description:
    'Writes down how much there is in stock of each part, and what it is worth: what was paid for it, else what the part costs. It is made in the background; whoever asked is told when the report is there. Parts of which there is nothing in stock are left out. The answer is what was asked for.',
  refuses: {
    invalid: 'STOCKTAKE_ENABLE is off; or there is no such part, category or location, or none of what is asked for is in stock.',
  },
  example: { body: { category: 10, update_parts: false } },
  access: roles('stocktake'),
  body: {
    part: input.reference(() => part, {
      nullable: true,
      options: { model: 'part', api_url: '/api/part/' },
      help: 'Only this part and its variants; empty for all.',
    }),
    category: input.reference(() => partCategory, {
      nullable: true,
      options: { model: 'partcategory', api_url: '/api/part/category/' },
      help: 'Only parts in this category or below it; empty for all.',
    }),
    location: input.reference(() => stockLocation, {
      nullable: true,
      options: { model: 'stocklocation', api_url: '/api/stock/location/' },
      help: 'Only parts of which there is stock in this location or below it; the report tells of what is there. Empty for all.',
    }),
    exclude_external: input.boolean({
      default: (services) => setting(services, 'STOCKTAKE_EXCLUDE_EXTERNAL'),
      label: 'Exclude External Stock',
      help: 'Whether stock in external locations is excluded; by default as the settings say.',
    }),
    generate_report: input.boolean({ default: true, label: 'Generate Report', help: 'Whether a report is made.' }),
    update_parts: input.boolean({
      default: true,
      label: 'Update Parts',
      help: 'Whether each part gets an entry, and the day as that of its last stocktake.',
    }),
  },
  answer: Type.Object({
    part: Key,
    category: Key,
    location: Key,
    exclude_external: Type.Boolean(),
    generate_report: Type.Boolean(),
    update_parts: Type.Boolean(),
  }),
  async run(context) {
    const { body, caller } = context
    if (!setting(context, 'STOCKTAKE_ENABLE')) throw invalidObject(partErrors.stocktake_disabled)
    const { part = null, category = null, location = null, ...rest } = body
    const asked = { part, category, location, ...rest }
    if (!(await isAnythingToCount(context.tx, asked))) throw invalidObject(partErrors.nothing_to_count)
    await beginStocktake(context, asked, caller.pk)
    return asked
  },
})
