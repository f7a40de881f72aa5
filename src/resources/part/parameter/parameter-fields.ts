import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import * as input from '../../../kit/definition/input.ts'
import { partParameter as table } from './part-parameter.table.ts'
import { parameterTemplateDetail } from './template/parameter-template.resource.ts'

/** Fields of a parameter, on its own and inside its part. */
export const parameterFields: f.Fields = {
  pk: f.pk(table.pk),
  part: f.ref(table.part, { required: true, model: 'part', address: '/api/part/', help: 'The part of the parameter.' }),
  template: f.ref(table.template, {
    required: true,
    filter: true,
    order: true,
    model: 'partparametertemplate',
    address: '/api/part/parameter/template/',
    help: 'The parameter template.',
  }),
  template_detail: f.nested(table.template, () => parameterTemplateDetail(), {
    flag: { name: 'template_detail', list: true, detail: true },
    help: 'The parameter template.',
  }),
  data: f.column(table.data, {
    required: true,
    search: true,
    help: 'The value as entered: 4k7, 4.7 kohm or 4700 for a parameter in ohm, a choice, or any text; yes or no for a checkbox.',
  }),
  data_numeric: {
    ...f.column(table.data_numeric, {
      help: 'The value as a number in the units of the parameter. It is derived from the value and cannot be set.',
    }),
    input: {
      ...input.decimal({ nullable: true, digits: 400, places: 200, round: true, form: 'number' }),
      emptyIsNull: false,
    },
  },
}

/**
 * A template inside a parameter in a list of parts. Counts the parts of all templates in one query: a query for each template would take
 * seconds.
 */
const templateBrief = f.brief(parameterTemplateDetail, Object.keys(parameterTemplateDetail().fields), {
  parts: f.computed(
    Type.Integer(),
    `coalesce(((select json_object_agg(counted.template, counted.parts) from (
       select template, count(*) as parts {from part_parameter} group by template) counted) ->> {pk}::text)::integer, 0)`,
  ),
})

/** A parameter inside its part. */
export const parameterBrief = f.brief(() => ({ table, fields: parameterFields }), Object.keys(parameterFields), {
  template_detail: f.nested(table.template, () => templateBrief(), { help: 'The parameter template.' }),
})
