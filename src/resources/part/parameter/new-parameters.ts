import type { Tx } from '../../../kit/sql/tx.ts'
import { toNumericValue, toStoredValue, type ValueFormat } from '../../parameter/parameter-value.ts'
import { getUnitRegistry } from '../../units/unit-registry.ts'

/**
 * Gives new parts the default parameters of their category and the categories above it; the nearest category takes precedence. Existing
 * parameters of a part stay.
 */
export async function addCategoryParameters(tx: Tx, parts: readonly number[]): Promise<void> {
  const defaults = await tx.query<ValueFormat & { part: number; template: number; value: string }>(
    `select part.pk as part, template.pk as template, template.units, template.checkbox, template.choices,
       case when template."unique" = 0 then parameter.default_value else '' end as value
     from part join part_category own on own.pk = part.category
     join part_category category on category.pk = any(own.path)
     join part_category_parameter_template parameter on parameter.category = category.pk
     join parameter_template template on template.pk = parameter.parameter_template
     where part.pk = any($1::integer[]) and template.enabled and (template.model_type is null or template.model_type = 'part.part')
     order by part.pk, category.level desc, parameter.pk
     for share of template`,
    [parts],
  )
  if (defaults.length === 0) return
  const registry = await getUnitRegistry(tx)
  const nearest = [
    ...new Map(defaults.toReversed().map((parameter) => [`${parameter.part} ${parameter.template}`, parameter])).values(),
  ].toReversed()
  await tx.query(
    `insert into parameter (part, template, data, data_numeric)
     select part, template, data, number from unnest($1::integer[], $2::integer[], $3::text[], $4::numeric[]) new (part, template, data, number)
     on conflict do nothing`,
    [
      nearest.map(({ part }) => part),
      nearest.map(({ template }) => template),
      nearest.map((parameter) => toStoredValue(parameter.value, parameter)),
      nearest.map((parameter) => toNumericValue(parameter.value, parameter, registry)),
    ],
  )
}
