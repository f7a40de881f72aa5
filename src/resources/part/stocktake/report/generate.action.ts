import { Type } from 'typebox'
import { action } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { type Caller, roles } from '../../../../kit/request/caller.ts'
import { invalidObject } from '../../../../kit/request/problem.ts'
import type { Services } from '../../../../kit/services/services.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import { setting } from '../../../../settings/live.ts'
import { stockLocation } from '../../../stock/location/stock-location.table.ts'
import { partCategory } from '../../category/part-category.table.ts'
import { part } from '../../part.table.ts'
import { partErrors } from '../../part-errors.ts'
import { hasStockToCount } from '../count-parts.ts'
import { enqueueStocktake } from './runs.ts'

const NullableKey = Type.Union([Type.Integer(), Type.Null()])

/** The parts that a stocktake counts. */
export const scopeFields = {
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
    help: 'Only parts with stock in this location or below it; the report covers only that stock. Empty for all.',
  }),
}

export const generateStocktake = action({
  method: 'POST',
  path: '/api/part/stocktake/report/generate/',
  summary: 'Start a stocktake',
  description:
    'Records the quantity in stock of each part, and its value: the purchase price, otherwise the calculated cost. The stocktake runs in the background and notifies the caller when the report is ready. Parts without stock are skipped. The response repeats the request.',
  errors: {
    invalid: 'STOCKTAKE_ENABLE is off; the part, category or location does not exist; or nothing in the selection is in stock.',
  },
  example: { body: { category: 10, update_parts: false } },
  access: roles('stocktake'),
  body: {
    ...scopeFields,
    exclude_external: input.boolean({
      default: (services) => setting(services, 'STOCKTAKE_EXCLUDE_EXTERNAL'),
      label: 'Exclude External Stock',
      help: 'Whether stock in external locations is excluded; by default as in the settings.',
    }),
    generate_report: input.boolean({ default: true, label: 'Generate Report', help: 'Whether to create a report.' }),
    update_parts: input.boolean({
      default: true,
      label: 'Update Parts',
      help: 'Whether to create an entry for each part, and update its last stocktake.',
    }),
  },
  response: Type.Object({
    part: NullableKey,
    category: NullableKey,
    location: NullableKey,
    exclude_external: Type.Boolean(),
    generate_report: Type.Boolean(),
    update_parts: Type.Boolean(),
  }),
  async run(context) {
    const { part = null, category = null, location = null, ...rest } = context.body
    const stocktakeRequest = { part, category, location, ...rest }
    await startStocktake(context, stocktakeRequest)
    return stocktakeRequest
  },
})

/** Enqueues a stocktake in the name of the caller. @throws Problem 400 if stocktakes are disabled or would count nothing */
export async function startStocktake(
  context: Services & { tx: Tx; caller: Caller },
  stocktakeRequest: Parameters<typeof enqueueStocktake>[1],
): Promise<void> {
  if (!setting(context, 'STOCKTAKE_ENABLE')) throw invalidObject(partErrors.stocktake_disabled)
  if (!(await hasStockToCount(context.tx, stocktakeRequest))) throw invalidObject(partErrors.nothing_to_count)
  await enqueueStocktake(context, stocktakeRequest, context.caller.pk)
}
