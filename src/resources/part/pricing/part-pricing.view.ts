import { type TSchema, Type } from 'typebox'
import { Json, view } from '../../../kit/definition/action.ts'
import { moment } from '../../../kit/definition/field.ts'
import { explained } from '../../../kit/definition/input.ts'
import { roles } from '../../../kit/request/caller.ts'
import { notFound } from '../../../kit/request/problem.ts'
import { defaultCurrency } from '../../currency/rates.ts'

/** A key of the answer: its SQL, its schema and what it says. */
type Key = { sql: string; schema: TSchema; help: string }

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])
const amount = (name: string, help: string): Key => ({
  sql: `${name}::text`,
  schema: orNull(Type.String({ format: 'decimal' })),
  help,
})
const currency = (name: string, help: string): Key => ({ sql: `coalesce(${name}, $2)`, schema: Type.String(), help })

/** The least and the most of one kind of price. */
const range = (name: string, what: string): Record<string, Key> => ({
  [`${name}_min`]: amount(`${name}_min`, `The least ${what}, in \`currency\`; null if not known.`),
  [`${name}_max`]: amount(`${name}_max`, `The most ${what}, in \`currency\`; null if not known.`),
})

const override = (name: string, what: string): Record<string, Key> => ({
  [name]: amount(name, `The ${what} as it was set by hand, in \`${name}_currency\`; null for none.`),
  [`${name}_currency`]: currency(`${name}_currency`, `The currency of \`${name}\`.`),
})

/** In the order of the answer. */
const keys: Record<string, Key> = {
  currency: currency('currency', 'The currency of all amounts but those that are set by hand.'),
  updated: {
    sql: moment('updated'),
    schema: orNull(Type.String({ format: 'date-time' })),
    help: 'When they were last worked out; null if never.',
  },
  scheduled_for_update: {
    sql: 'coalesce(scheduled_for_update, false)',
    schema: Type.Boolean(),
    help: 'Whether they are to be worked out anew.',
  },
  ...range('bom_cost', 'that the parts of its bill of materials cost'),
  ...range('purchase_cost', 'that was paid for it on purchase orders'),
  ...range('internal_cost', 'of its internal prices'),
  ...range('supplier_price', 'that suppliers ask for'),
  ...range('variant_cost', 'that its variants cost'),
  ...override('override_min', 'least'),
  ...override('override_max', 'most'),
  ...range('overall', 'of all these together'),
  ...range('sale_price', 'for which it is offered'),
  ...range('sale_history', 'for which it was sold'),
}

const STATEMENT = `select row_to_json(answer)::text as body from (
    select ${Object.entries(keys)
      .map(([name, { sql }]) => `${sql} as ${name}`)
      .join(', ')}
    from (select pk from part where pk = $1) chosen left join part_pricing on part_pricing.part = chosen.pk
  ) answer`

export const readPartPricing = view({
  path: '/api/part/{id}/pricing/',
  summary: 'Prices of a part',
  description:
    'What one unit of a part costs, as last worked out: the range of each kind of price, and of all together. A part whose prices were never worked out has none.',
  example: { params: { id: 7 } },
  access: roles('part'),
  answer: Type.Object(Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, explained(key)]))),
  async read({ pk, database, settings }) {
    const [found] = await database.read<{ body: string }>({ text: STATEMENT, values: [pk, defaultCurrency({ settings })] })
    if (!found) throw notFound()
    return new Json(found.body)
  },
})
