import type { Deletion, Write } from '../../../kit/definition/resource.ts'
import { invalidObject, Problem } from '../../../kit/request/problem.ts'
import { setting } from '../../../settings/live.ts'
import { partErrors } from '../../part/part-errors.ts'
import { parameterErrors } from '../parameter-errors.ts'
import { PARAMETER_MODELS, PARAMETER_OWNERS } from '../parameter-models.ts'
import { splitChoices, type ValueFormat } from '../parameter-value.ts'
import { convertValues } from './convert-values.ts'

/** Checks a parameter template, and that its existing values follow a change of it. */
export async function checkTemplate(write: Write): Promise<void> {
  const { tx, caller, before, values, after, errors } = write
  if (values.model_type === '') values.model_type = null
  const owners = [before?.model_type, after('model_type')].map((model) =>
    PARAMETER_OWNERS.find((name) => PARAMETER_MODELS[name].model === model),
  )
  for (const owner of new Set(owners))
    if (!PARAMETER_MODELS[owner ?? 'part'].access(caller, before ? 'change' : 'add')) throw new Problem('permission_denied')
  // a client may return the values of the list, as GET shows them to it
  if (before?.selectionlist && after('selectionlist') === before.selectionlist) values.choices = undefined
  const { units, checkbox, choices } = readFormat(after)
  const isListed = after('selectionlist') !== null
  // rewrites the numbers of its values, which their writers lock before the template
  if (before && (units !== before.units || checkbox !== before.checkbox)) tx.lockExclusive()
  const choiceList = splitChoices(choices)
  if (checkbox && units) errors.units = [partErrors.checkbox_with_units]
  if (checkbox && choiceList.length > 0) errors.choices = [partErrors.checkbox_with_choices]
  else if (new Set(choiceList).size < choiceList.length) errors.choices = [partErrors.duplicate_choice]
  const isNewlyListed = isListed && after('selectionlist') !== before?.selectionlist
  if (isNewlyListed && checkbox) errors.selectionlist = [parameterErrors.checkbox_with_selection_list]
  else if (isNewlyListed && choiceList.length > 0) errors.selectionlist = [parameterErrors.template_with_two_lists]
  if (before) await checkKind(write, before.pk)
  await convert(write)
}

/** Rejects a kind of object that existing parameters of the template contradict. */
async function checkKind({ tx, before, values, errors }: Write, pk: number): Promise<void> {
  const { model_type } = values
  if (typeof model_type === 'string' && model_type !== before?.model_type) {
    const owner = PARAMETER_OWNERS.find((name) => PARAMETER_MODELS[name].model === model_type)
    if (await tx.first(`select from parameter where template = $1 and ${owner} is null limit 1`, [pk]))
      errors.model_type = [parameterErrors.parameter_template_kind_in_use]
  }
}

/** Rejects the deletion of a template while a locked part has a parameter of it. */
export async function requireUnlockedValues(deletion: Deletion): Promise<void> {
  const { tx, caller, row } = deletion
  const owner = PARAMETER_OWNERS.find((name) => PARAMETER_MODELS[name].model === row.model_type)
  if (!PARAMETER_MODELS[owner ?? 'part'].access(caller, 'delete')) throw new Problem('permission_denied')
  if (!setting(deletion, 'PART_ENABLE_LOCKING')) return
  const locked = await tx.first(
    'select from parameter join part on part.pk = parameter.part where parameter.template = $1 and part.locked limit 1',
    [row.pk],
  )
  if (locked) throw invalidObject(parameterErrors.parameter_template_in_use)
}

const readFormat = (after: Write['after']): ValueFormat => ({
  units: (after('units') ?? '') as string,
  checkbox: after('checkbox') === true,
  choices: (after('choices') ?? '') as string,
})

/**
 * Preserves the meaning of values, and of the default values of categories, when the units change. Values that cannot be converted reject
 * the change.
 */
async function convert(write: Write): Promise<void> {
  const { tx, before, values, after, errors } = write
  if (!before || Object.keys(errors).length > 0) return
  const [from, to] = [readFormat((name) => before[name]), readFormat(after)]
  if (from.units === to.units && from.checkbox === to.checkbox) return
  const converted = await convertValues(tx, before.pk, from, to, setting(write, 'PART_PARAMETER_ENFORCE_UNITS'))
  const { unconverted, count } = converted
  const [listedValues, more] = [unconverted.join('; '), count - unconverted.length]
  if (count > 0)
    errors.units = [
      more > 0
        ? partErrors.parameters_not_convertible_more({ units: to.units, count: more, values: listedValues })
        : partErrors.parameters_not_convertible({ units: to.units, values: listedValues }),
    ]
  else if (converted.choices !== to.choices) values.choices = converted.choices
}
