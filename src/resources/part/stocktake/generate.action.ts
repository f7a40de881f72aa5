import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { roles } from '../../../kit/request/caller.ts'
import { setting } from '../../../settings/live.ts'
import { scopeFields, startStocktake } from './report/generate.action.ts'

const NullableKey = Type.Union([Type.Integer(), Type.Null()])

/** The same for clients of API 448. */
export const generateStocktakeEntries = action({
  method: 'POST',
  path: '/api/part/stocktake/generate/',
  summary: 'Start a stocktake, with what it makes',
  description:
    'Starts a stocktake like `/api/part/stocktake/report/generate/`, with entries for parts and with a report only as requested. Without either, nothing is done. The report is listed at `/api/part/stocktake/report/` once it is ready.',
  errors: {
    invalid: 'STOCKTAKE_ENABLE is off; the part, category or location does not exist; or nothing in the selection is in stock.',
  },
  example: { body: { category: 10 } },
  access: roles('stocktake'),
  body: {
    ...scopeFields,
    generate_entry: input.boolean({
      default: false,
      label: 'Generate Entry',
      api530: { metadata: { label: 'Generate Stocktake Entries' } },
      help: 'Whether to create an entry for each part.',
    }),
    generate_report: input.boolean({ default: false, label: 'Generate Report', help: 'Whether to create a report.' }),
  },
  status: 200,
  api530: { metadata: { output: { type: 'nested object' } } },
  response: Type.Object({
    part: NullableKey,
    category: NullableKey,
    location: NullableKey,
    output: Type.Null({ description: 'Always null: the report is made in the background.' }),
  }),
  async run(context) {
    const { generate_entry, generate_report, ...body } = context.body
    const scope = { part: body.part ?? null, category: body.category ?? null, location: body.location ?? null }
    if (generate_entry || generate_report)
      await startStocktake(context, {
        ...scope,
        exclude_external: setting(context, 'STOCKTAKE_EXCLUDE_EXTERNAL'),
        generate_report,
        update_parts: generate_entry,
      })
    return { ...scope, output: null }
  },
})
