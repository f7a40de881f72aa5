import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { userBrief } from '../user/user.resource.ts'
import { parameter as table } from './parameter.table.ts'
import { PARAMETER_MODELS, PARAMETER_OWNERS } from './parameter-models.ts'
import { parameterTemplateDetail } from './template/parameter-template.resource.ts'
import { dataField, numberField, templateField } from './value-fields.ts'

const owners = PARAMETER_OWNERS.map((owner) => `when {${owner}} is not null then '${PARAMETER_MODELS[owner].model}'`).join(' ')

/** Fields of a parameter of any kind of object, on its own and inside its object. */
export const parameterFields: f.Fields = {
  pk: f.pk(table.pk),
  template: templateField('/api/parameter/template/', 'parametertemplate'),
  model_type: f.computed(Type.String(), `case ${owners} end`, {
    type: 'choice',
    label: 'Model Type',
    api530: { metadata: { default: '' } },
    help: 'The kind of object, such as part.part or company.company.',
  }),
  model_id: f.computed(Type.Integer(), `coalesce(${PARAMETER_OWNERS.map((owner) => `{${owner}}`).join(', ')})`, {
    label: 'Model ID',
    help: 'The key of the object.',
  }),
  data: dataField,
  data_numeric: numberField,
  note: f.column(table.note, { help: 'A short note on the value; empty for none.' }),
  updated: f.readonly(table.updated, { order: true, help: 'When it was last changed; null if not since it was imported.' }),
  updated_by: f.ref(table.updated_by, {
    readonly: true,
    filter: true,
    order: true,
    model: 'user',
    apiUrl: '/api/user/',
    label: 'Update By',
    api530: { metadata: { type: 'field' } },
    help: 'The account that changed it last; empty if unknown.',
  }),
  template_detail: f.nested(table.template, () => parameterTemplateDetail(), {
    flag: { name: 'template_detail', list: true, detail: true },
    help: 'The parameter template.',
  }),
  updated_by_detail: f.nested(table.updated_by, () => userBrief(), {
    flag: { name: 'updated_by_detail', list: true, detail: true },
    help: 'The account that changed it last.',
  }),
}

/** A parameter inside its object. */
export const parameterBrief = f.brief(() => ({ table, fields: parameterFields }), Object.keys(parameterFields))
