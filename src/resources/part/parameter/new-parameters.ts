import type { Tx } from '../../../kit/sql/tx.ts'
import { getUnitRegistry } from '../../units/unit-registry.ts'
import { toNumericValue, toStoredValue, type ValueFormat } from './parameter-value.ts'

/** Copies the parameters of another part to a new one. */
export const copyParameters = (tx: Tx, source: number, target: number): Promise<unknown> =>
  tx.query(
    `insert into part_parameter (part, template, data, data_numeric, metadata)
     select $2, template, data, data_numeric, metadata from part_parameter where part = $1 order by pk
     on conflict do nothing`,
    [source, target],
  )

/**
 * Gives a new part the default parameters of its category and the categories above it; the nearest category takes precedence. Existing
 * parameters of the part stay.
 */
export async function addCategoryParameters(tx: Tx, part: number): Promise<void> {
  const defaults = await tx.query<ValueFormat & { template: number; value: string }>(
    `select template.pk as template, template.units, template.checkbox, template.choices, parameter.default_value as value
     from part join part_category own on own.pk = part.category
     join part_category category on category.pk = any(own.path)
     join part_category_parameter_template parameter on parameter.category = category.pk
     join part_parameter_template template on template.pk = parameter.parameter_template
     where part.pk = $1 order by category.level desc, parameter.pk
     for share of template`,
    [part],
  )
  if (defaults.length === 0) return
  const registry = await getUnitRegistry(tx)
  const nearest = [...new Map(defaults.toReversed().map((parameter) => [parameter.template, parameter])).values()].toReversed()
  await tx.query(
    `insert into part_parameter (part, template, data, data_numeric)
     select $1, template, data, number from unnest($2::integer[], $3::text[], $4::numeric[]) new (template, data, number)
     on conflict do nothing`,
    [
      part,
      nearest.map(({ template }) => template),
      nearest.map((parameter) => toStoredValue(parameter.value, parameter)),
      nearest.map((parameter) => toNumericValue(parameter.value, parameter, registry)),
    ],
  )
}
