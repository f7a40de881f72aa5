import { Type } from 'typebox'
import * as f from '../../../../kit/definition/field.ts'
import { resource } from '../../../../kit/definition/resource.ts'
import { roles } from '../../../../kit/request/caller.ts'
import { parameterTemplate as table } from '../../../parameter/template/parameter-template.table.ts'
import { newTemplateFields, templateFields, templateFilters } from '../../../parameter/template/template-fields.ts'
import { checkTemplate, requireUnlockedValues } from '../../../parameter/template/template-rules.ts'
import { partCategory } from '../../category/part-category.table.ts'
import { part } from '../../part.table.ts'
import { partErrors } from '../../part-errors.ts'

const nameRule = 'The name of a template is unique, case-insensitive.'
const { checkbox, choices, ...firstFields } = templateFields

/** The parameter templates that parts can have. */
export const partParameterTemplate = resource({
  path: '/api/part/parameter/template/',
  name: 'Part parameter template',
  description:
    'A parameter that parts can have, such as resistance. Its values have a unit, come from a list of choices, are yes or no, or are any text.',
  remarks: {
    create: nameRule,
    update: `${nameRule} When the units change, values keep their meaning: values without a unit get the previous unit, in parts, in categories and among the choices. Rejected, with the values, if one cannot be converted to the new units.`,
    delete: 'Removes the parameter from all parts and categories. Rejected while a locked part has it.',
  },
  example: {
    pk: 7,
    create: { name: 'Mounting', description: 'How it is fixed', choices: 'SMD, through hole, screw' },
    replace: { name: 'Voltage', units: 'V', description: 'That it bears for good' },
    change: { description: 'At 85 °C' },
    deletable: 6,
  },
  model: 'partparametertemplate',
  table,
  access: roles('part'),
  rows: () => ({ sql: `({model_type} is null or {model_type} = 'part.part')`, values: [] }),
  fields: {
    ...firstFields,
    parts: f.computed(
      Type.Integer(),
      '(select count(*) {from parameter} parameter where parameter.template = {pk} and parameter.part is not null)',
      { order: true, help: 'The number of parts with this parameter.' },
    ),
    checkbox: checkbox as f.Field,
    choices: {
      ...(choices as f.Field),
      // clients that know no selection lists offer their values
      sql: `coalesce((select string_agg(entry.value, ',' order by entry.pk) {from selection_list_entry} entry
        where entry.list = {selectionlist} and entry.active), {choices})`,
    },
    ...newTemplateFields,
  },
  filters: {
    ...templateFilters,
    part: {
      kind: 'reference',
      table: () => part,
      sql: '{pk} in (select parameter.template {from parameter} parameter where parameter.part = {@value})',
      help: 'Parameter templates of the part with this key.',
    },
    category: {
      kind: 'reference',
      table: () => partCategory,
      sql: '{pk} in (select parameter.template {from parameter} parameter {join part} on part.pk = parameter.part where part.category in (select below.pk {from part_category} below where below.path @> array[{@value}]))',
      help: 'Parameter templates that any part uses in the category with this key, or below it.',
    },
  },
  constraints: { parameter_template_name_key: { name: [partErrors.parameter_template_name_taken] } },
  rules: checkTemplate,
  beforeDelete: requireUnlockedValues,
})

/** A template inside a parameter of a part. */
export const partParameterTemplateDetail = f.brief(
  () => partParameterTemplate,
  ['pk', 'name', 'units', 'description', 'parts', 'checkbox', 'choices'],
)
