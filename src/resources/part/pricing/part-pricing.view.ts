import { type TSchema, Type } from 'typebox'
import { Json, view } from '../../../kit/definition/action.ts'
import { moment } from '../../../kit/definition/field.ts'
import { roles } from '../../../kit/request/caller.ts'
import { notFound } from '../../../kit/request/problem.ts'
import { defaultCurrency } from '../../currency/rates.ts'

const ranges = ['bom_cost', 'purchase_cost', 'internal_cost', 'supplier_price', 'variant_cost']
const later = ['overall', 'sale_price', 'sale_history']
const ends = (names: readonly string[]) => names.flatMap((name) => [`${name}_min`, `${name}_max`])

/** What each key shows, in the order of the answer. */
const columns: Record<string, string> = {
  currency: 'coalesce(currency, $2)',
  updated: moment('updated'),
  scheduled_for_update: 'coalesce(scheduled_for_update, false)',
  ...Object.fromEntries(ends(ranges).map((name) => [name, `${name}::text`])),
  override_min: 'override_min::text',
  override_min_currency: 'coalesce(override_min_currency, $2)',
  override_max: 'override_max::text',
  override_max_currency: 'coalesce(override_max_currency, $2)',
  ...Object.fromEntries(ends(later).map((name) => [name, `${name}::text`])),
}

const schema = (name: string): TSchema => {
  if (name === 'scheduled_for_update') return Type.Boolean()
  if (name.endsWith('currency')) return Type.String()
  return Type.Union([Type.String({ format: name === 'updated' ? 'date-time' : 'decimal' }), Type.Null()])
}

const STATEMENT = `select row_to_json(answer)::text as body from (
    select ${Object.entries(columns)
      .map(([name, sql]) => `${sql} as ${name}`)
      .join(', ')}
    from (select pk from part where pk = $1) chosen left join part_pricing on part_pricing.part = chosen.pk
  ) answer`

/**
 * What one unit of a part costs, as last worked out: the range of each kind of price and of all together, in `currency`; a
 * part whose prices were never worked out has none.
 */
export const readPartPricing = view({
  path: '/api/part/{id}/pricing/',
  summary: 'Prices of a part',
  access: roles('part'),
  answer: Type.Object(Object.fromEntries(Object.keys(columns).map((name) => [name, schema(name)]))),
  async read({ pk, database, settings }) {
    const [found] = await database.read<{ body: string }>({ text: STATEMENT, values: [pk, defaultCurrency({ settings })] })
    if (!found) throw notFound()
    return new Json(found.body)
  },
})
