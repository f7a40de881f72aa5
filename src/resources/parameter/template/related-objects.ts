import { readKey } from '../../../kit/definition/filter.ts'
import { invalidQuery } from '../../../kit/request/problem.ts'
import { queryErrors } from '../../../kit/values/value-errors.ts'
import type { ParameterOwner } from '../parameter-models.ts'

type Condition = (of: string, pk: string) => string

/** Kinds of objects to which objects with parameters belong, each with the condition for the object `of` with the key `pk`. */
const RELATED: Partial<Record<ParameterOwner, Record<string, Condition>>> = {
  part: {
    partcategory: (of, pk) =>
      `${of} in (select p.pk {from part} p {join part_category} c on c.pk = p.category where c.path @> array[${pk}])`,
  },
  supplier_part: {
    part: (of, pk) => `${of} in (select s.pk {from supplier_part} s where s.part = ${pk})`,
    company: (of, pk) => `${of} in (select s.pk {from supplier_part} s where s.supplier = ${pk})`,
  },
  manufacturer_part: {
    part: (of, pk) => `${of} in (select m.pk {from manufacturer_part} m where m.part = ${pk})`,
    company: (of, pk) => `${of} in (select m.pk {from manufacturer_part} m where m.manufacturer = ${pk})`,
  },
  build_order: { part: (of, pk) => `${of} in (select b.pk {from build_order} b where b.part = ${pk})` },
  purchase_order: { company: (of, pk) => `${of} in (select o.pk {from purchase_order} o where o.supplier = ${pk})` },
  sales_order: { company: (of, pk) => `${of} in (select o.pk {from sales_order} o where o.customer = ${pk})` },
  return_order: { company: (of, pk) => `${of} in (select o.pk {from return_order} o where o.customer = ${pk})` },
}

/** The related kinds in words, for the help of the filter. */
export const RELATED_MODELS: string = [...new Set(Object.values(RELATED).flatMap((models) => Object.keys(models)))]
  .map((model) => `\`${model}\``)
  .join(', ')

/** @throws Problem 400 for a kind to which the objects do not belong, or an invalid key */
export function readRelated(owner: ParameterOwner, model = '', key = '') {
  if (model === '' && key === '') return undefined
  const name = model.slice(model.lastIndexOf('.') + 1)
  const models: Record<string, Condition> = RELATED[owner] ?? {}
  const condition: Condition | undefined = Object.hasOwn(models, name) ? models[name] : undefined
  if (!condition) throw invalidQuery({ exists_for_related_model: [queryErrors.unavailable_choice] })
  const pk = readKey(key)
  if (pk === undefined) throw invalidQuery({ exists_for_related_model_id: [queryErrors.filter_number_expected] })
  return { pk, condition }
}
