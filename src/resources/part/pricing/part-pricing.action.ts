import { action, view } from '../../../kit/definition/action.ts'
import { responseSchema } from '../../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../../kit/reading/detail.ts'
import { roles } from '../../../kit/request/caller.ts'
import { notFound } from '../../../kit/request/problem.ts'
import { queryThrough, queryWithin, type RunQuery } from '../../../kit/sql/run-query.ts'
import { toWriteRequest, update } from '../../../kit/writing/write.ts'
import { defaultCurrency } from '../../currency/rates.ts'
import { partPricing } from './part-pricing.resource.ts'
import { createMissingPricings } from './recalculate.ts'

const path = '/api/part/{id}/pricing/'
const access = roles('part')
const pricingSchema = responseSchema(partPricing)

/** Returns the key of a part's pricing; undefined if it has none yet. */
const findPricingKey = async (query: RunQuery, part: number): Promise<number | undefined> =>
  (await query<{ pk: number }>('select pk from part_pricing where part = $1', [part]))[0]?.pk

export const readPartPricing = view({
  path,
  summary: 'Get the prices of a part',
  description:
    'Returns the calculated cost of one unit of a part: the price range of each source, and the overall range. All are null for a part whose prices have never been calculated.',
  example: { params: { id: 7 } },
  access,
  response: pricingSchema,
  async read({ pk: part, caller, ...services }) {
    const { database } = services
    let pk = await findPricingKey(queryThrough(services), part)
    if (pk === undefined) {
      await database.transaction((tx) => createMissingPricings(tx, [part], defaultCurrency(services)))
      pk = await findPricingKey(queryThrough(services), part)
    }
    if (pk === undefined) throw notFound()
    return toDetailJson(await readDetail(partPricing, pk, new Set(), { caller, services, executor: database }))
  },
})

const changePricing = (method: 'PUT' | 'PATCH') =>
  action({
    method,
    path,
    summary: `${method === 'PUT' ? 'Replace' : 'Change'} the price override of a part`,
    description:
      'Sets or clears (with null) the overrides of the minimum and maximum price, and recalculates the prices of the part. The minimum must not be above the maximum; if only one of them is set, the calculated other one is adjusted to it. Prices of its assemblies and templates are recalculated in the background.',
    access,
    versioned: true,
    writes: partPricing,
    example: {
      params: { id: 7 },
      body: method === 'PUT' ? { override_min: '1.20', override_max: '2.50' } : { override_max: '2.75' },
    },
    response: pricingSchema,
    async run(request) {
      const { tx, pk: part } = request
      await createMissingPricings(tx, [part], defaultCurrency(request))
      const pk = await findPricingKey(queryWithin(tx), part)
      if (pk === undefined) throw notFound()
      return toDetailJson(await update(partPricing, pk, toWriteRequest(request), method === 'PATCH'))
    },
  })

export const changePricings = [changePricing('PUT'), changePricing('PATCH')]
