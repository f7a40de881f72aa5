import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { parameter as table } from '../../parameter/parameter.table.ts'
import { dataField, numberField, templateField } from '../../parameter/value-fields.ts'
import { partParameterTemplateDetail } from './template/part-parameter-template.resource.ts'

/** Fields of a parameter of a part, on its own and inside its part. */
export const partParameterFields: f.Fields = {
  pk: f.pk(table.pk),
  part: {
    ...f.ref(table.part, {
      required: true,
      nullable: false,
      model: 'part',
      apiUrl: '/api/part/',
      help: 'The part of the parameter.',
    }),
    schema: Type.Integer(),
  },
  template: templateField('/api/part/parameter/template/', 'partparametertemplate'),
  template_detail: f.nested(table.template, () => partParameterTemplateDetail(), {
    flag: { name: 'template_detail', list: true, detail: true },
    help: 'The parameter template.',
  }),
  data: dataField,
  data_numeric: numberField,
}

/**
 * A template inside a parameter in a list of parts. Counts the parts of all templates in one query: a query for each template would take
 * seconds.
 */
const templateBrief = f.brief(partParameterTemplateDetail, Object.keys(partParameterTemplateDetail().fields), {
  parts: f.computed(
    Type.Integer(),
    `coalesce(((select json_object_agg(counted.template, counted.parts) from (
       select template, count(part) as parts {from parameter} group by template) counted) ->> {pk}::text)::integer, 0)`,
  ),
})

/** A parameter inside its part. */
export const partParameterBrief = f.brief(() => ({ table, fields: partParameterFields }), Object.keys(partParameterFields), {
  template_detail: f.nested(table.template, () => templateBrief(), { help: 'The parameter template.' }),
  model_type: f.extended(f.computed(Type.String(), `'part.part'`, { help: 'The type of the object.' })),
  model_id: f.extended(f.computed(Type.Integer(), '{part}', { help: 'The key of the object.' })),
})
