import * as f from '../../../kit/definition/field.ts'
import { readKey } from '../../../kit/definition/filter.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { readWriteAccess, signedIn } from '../../../kit/request/caller.ts'
import { invalidQuery } from '../../../kit/request/problem.ts'
import { queryErrors } from '../../../kit/values/value-errors.ts'
import { partErrors } from '../../part/part-errors.ts'
import { parameterAccess } from '../parameter-access.ts'
import { findParameterOwner, PARAMETER_MODELS } from '../parameter-models.ts'
import { parameterTemplate as table } from './parameter-template.table.ts'
import { RELATED_MODELS, readRelated } from './related-objects.ts'
import { newTemplateFields, templateFields, templateFilters } from './template-fields.ts'
import { checkTemplate, requireUnlockedValues } from './template-rules.ts'

const rules =
  'The name of a template is unique, case-insensitive. Requires the permission in the role of its kind of object; without one, in the role of parts.'

export const parameterTemplate = resource({
  path: '/api/parameter/template/',
  name: 'Parameter template',
  description:
    'A parameter that objects can have, such as the resistance of a part or the credit limit of a company. Its values have a unit, come from choices or from a selection list, are yes or no, or are any text.',
  remarks: {
    create: rules,
    update: `${rules} When the units change, values keep their meaning. Rejected, with the values, if one cannot be converted to the new units.`,
    delete: 'Removes the parameter from all objects and categories. Rejected while a locked part has it.',
  },
  example: {
    pk: 7,
    create: { name: 'Credit limit', description: 'In EUR', model_type: 'company.company' },
    replace: { name: 'Voltage', units: 'V', description: 'That it bears for good' },
    change: { description: 'At 85 °C' },
    deletable: 5,
  },
  model: 'parametertemplate',
  table,
  access: readWriteAccess(signedIn, parameterAccess),
  fields: { ...templateFields, ...newTemplateFields },
  filters: {
    ...templateFilters,
    model_type: {
      kind: 'custom',
      names: { model_type: 'Parameter templates of this kind of object only.' },
      read: ({ model_type }) => ({ sql: '{model_type} = {@value}', values: [readModel('model_type', model_type)] }),
    },
    for_model: {
      kind: 'custom',
      names: { for_model: 'Parameter templates that objects of this kind can have.' },
      read: ({ for_model }) => ({
        sql: '({model_type} is null or {model_type} = {@value})',
        values: [readModel('for_model', for_model)],
      }),
    },
    exists_for_model: {
      kind: 'custom',
      names: {
        exists_for_model: 'Parameter templates that objects of this kind have.',
        exists_for_model_id: 'The key of one object of that kind.',
        exists_for_related_model: `With \`exists_for_model\`: only parameters of objects that belong to an object of this kind: ${RELATED_MODELS}.`,
        exists_for_related_model_id: 'The key of that object.',
      },
      read({ exists_for_model, exists_for_model_id, exists_for_related_model, exists_for_related_model_id }) {
        const pk = exists_for_model_id ? readKey(exists_for_model_id) : null
        if (pk === undefined) throw invalidQuery({ exists_for_model_id: [queryErrors.filter_number_expected] })
        const owner = findParameterOwner(exists_for_model ?? '')
        if (!owner) throw invalidQuery({ exists_for_model: [queryErrors.unavailable_choice] })
        const isOfObject = pk === null ? `parameter.${owner} is not null` : `parameter.${owner} = {@value}::integer`
        const related = readRelated(owner, exists_for_related_model, exists_for_related_model_id)
        const values = [...(pk === null ? [] : [pk]), ...(related ? [related.pk] : [])]
        const belongs = related
          ? ` and ${related.condition(`parameter.${owner}`, `{@value${values.length - 1 || ''}}::integer`)}`
          : ''
        return { sql: `{pk} in (select parameter.template {from parameter} parameter where ${isOfObject}${belongs})`, values }
      },
    },
  },
  order: { model_type: ['{model_type}'] },
  constraints: { parameter_template_name_key: { name: [partErrors.parameter_template_name_taken] } },
  rules: checkTemplate,
  beforeDelete: requireUnlockedValues,
})

function readModel(name: string, text = ''): string {
  const owner = findParameterOwner(text)
  if (!owner) throw invalidQuery({ [name]: [queryErrors.unavailable_choice] })
  return PARAMETER_MODELS[owner].model
}

/** A template inside a parameter. */
export const parameterTemplateDetail = f.brief(
  () => parameterTemplate,
  ['pk', 'name', 'units', 'description', 'model_type', 'checkbox', 'choices', 'selectionlist', 'enabled', 'unique'],
)
