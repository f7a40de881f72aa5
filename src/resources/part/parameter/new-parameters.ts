import type { Tx } from '../../../kit/sql/tx.ts'
import { toNumericValue, toStoredValue, type ValueFormat } from '../../parameter/parameter-value.ts'
import { getUnitRegistry } from '../../units/unit-registry.ts'

/**
 * Gives a new part the default parameters of its category and the categories above it; the nearest category takes precedence. Existing
 * parameters of the part stay.
 */
export async function addCategoryParameters(tx: Tx, part: number): Promise<void> {
  const defaults = await tx.query<ValueFormat & { template: number; value: string }>(
    `select template.pk as template, template.units, template.checkbox, template.choices,
       case when template."unique" = 0 then parameter.default_value else '' end as value
     from part join part_category own on own.pk = part.category
     join part_category category on category.pk = any(own.path)
     join part_category_parameter_template parameter on parameter.category = category.pk
     join parameter_template template on template.pk = parameter.parameter_template
     where part.pk = $1 and template.enabled and (template.model_type is null or template.model_type = 'part.part')
     order by category.level desc, parameter.pk
     for share of template`,
    [part],
  )
  if (defaults.length === 0) return
  const registry = await getUnitRegistry(tx)
  const nearest = [...new Map(defaults.toReversed().map((parameter) => [parameter.template, parameter])).values()].toReversed()
  await tx.query(
    `insert into parameter (part, template, data, data_numeric)
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
