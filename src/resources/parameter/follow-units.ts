import type { Tx } from '../../kit/sql/tx.ts'
import { isKnownUnit, keepsDimension, type UnitRegistry } from '../../notation/units/physical-units.ts'
import { selectObjectName } from './parameter-models.ts'
import { toNumericValue, type ValueFormat } from './parameter-value.ts'

type Registries = { before: UnitRegistry; after: UnitRegistry }

/**
 * Recomputes the numbers of parameters whose unit changes or is removed. Writers of values wait for their templates, which are locked.
 * @returns the templates, by name, and the values, with their objects, that convert before the change and not after it; if there are any,
 * nothing is stored
 */
export async function recomputeAfterUnitChange(tx: Tx, { before, after }: Registries): Promise<string[]> {
  const templates = await tx.query<ValueFormat & { pk: number; name: string }>(
    `select pk, name, units, checkbox, choices from parameter_template where units <> '' order by pk for no key update`,
  )
  const unconvertible = templates
    .filter(({ units }) => isKnownUnit(units, before) && !keepsDimension(units, before, after))
    .map(({ name }) => name)
  const values = await tx.query<{ template: number; data: string; object: string }>(
    `select parameter.template, parameter.data, min(${selectObjectName()}) as object from parameter
     where parameter.template = any($1::integer[]) group by 1, 2`,
    [templates.map(({ pk }) => pk)],
  )
  const templatesByKey = new Map(templates.map((template) => [template.pk, template]))
  const changed = values.flatMap((value) => {
    const format = templatesByKey.get(value.template) as ValueFormat
    const [old, next] = [toNumericValue(value.data, format, before), toNumericValue(value.data, format, after)]
    return old === next ? [] : [{ ...value, next }]
  })
  unconvertible.push(...changed.filter(({ next }) => next === null).map(({ data, object }) => `${data} (${object})`))
  if (unconvertible.length > 0 || changed.length === 0) return unconvertible
  await tx.query(
    `update parameter set data_numeric = new.number
     from unnest($1::integer[], $2::text[], $3::numeric[]) new (template, data, number)
     where parameter.template = new.template and parameter.data = new.data`,
    [changed.map(({ template }) => template), changed.map(({ data }) => data), changed.map(({ next }) => next)],
  )
  return []
}
