import { Type } from 'typebox'
import * as f from '../../../../kit/definition/field.ts'
import { resource, type Write } from '../../../../kit/definition/resource.ts'
import { roles } from '../../../../kit/request/caller.ts'
import { setting } from '../../../../settings/live.ts'
import { unitInput } from '../../../units/unit-input.ts'
import { partCategory } from '../../category/part-category.table.ts'
import { part } from '../../part.table.ts'
import { partErrors } from '../../part-errors.ts'
import { splitChoices, type ValueFormat } from '../parameter-value.ts'
import { convertValues } from './convert-values.ts'
import { parameterTemplate as table } from './parameter-template.table.ts'

const nameRule = 'The name of a template is unique, case-insensitive.'

export const parameterTemplate = resource({
  path: '/api/part/parameter/template/',
  name: 'Part parameter template',
  description:
    'A parameter that parts can have, such as resistance. Its values have a unit, come from a list of choices, are yes or no, or are any text.',
  remarks: {
    create: nameRule,
    update: `${nameRule} When the units change, values keep their meaning: values without a unit get the previous unit, in parts, in categories and among the choices. Rejected, with the values, if one cannot be converted to the new units.`,
    delete: 'Removes the parameter from all parts and categories.',
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
  fields: {
    pk: f.pk(table.pk),
    name: f.column(table.name, {
      required: true,
      filter: true,
      search: true,
      order: true,
      help: 'The name of the parameter.',
    }),
    units: {
      ...f.column(table.units, {
        filter: true,
        order: true,
        help: 'The unit of its values, such as m or ohm, or a custom unit. Values can be in any unit that converts to it. Empty for none.',
      }),
      input: unitInput({ max: 25, default: '' }),
    },
    description: f.column(table.description, { search: true, help: 'A short description; empty for none.' }),
    parts: f.computed(Type.Integer(), '(select count(*) {from part_parameter} parameter where parameter.template = {pk})', {
      order: true,
      help: 'The number of parts with this parameter.',
    }),
    checkbox: f.column(table.checkbox, {
      filter: true,
      order: true,
      help: 'Whether its values are yes and no. A checkbox has neither units nor choices.',
    }),
    choices: f.column(table.choices, {
      help: 'The allowed values, separated by commas, without duplicates; empty for any.',
    }),
  },
  filters: {
    has_choices: { kind: 'boolean', sql: `{choices} <> ''`, help: 'Whether values come from a list of choices.' },
    has_units: { kind: 'boolean', sql: `{units} <> ''`, help: 'Whether values have a unit.' },
    part: {
      kind: 'reference',
      table: () => part,
      sql: '{pk} in (select parameter.template {from part_parameter} parameter where parameter.part = {@value})',
      help: 'Parameter templates of the part with this key.',
    },
    category: {
      kind: 'reference',
      table: () => partCategory,
      sql: '{pk} in (select parameter.template {from part_parameter} parameter {join part} on part.pk = parameter.part where part.category in (select below.pk {from part_category} below where below.path @> array[{@value}]))',
      help: 'Parameter templates that any part uses in the category with this key, or below it.',
    },
  },
  constraints: { part_parameter_template_name_key: { name: [partErrors.parameter_template_name_taken] } },
  async rules(write) {
    const { tx, before, after, errors } = write
    const { units, checkbox, choices } = readFormat(after)
    // rewrites the numbers of its values, which their writers lock before the template
    if (before && (units !== before.units || checkbox !== before.checkbox)) tx.lockExclusive()
    const choiceList = splitChoices(choices)
    if (checkbox && units) errors.units = [partErrors.checkbox_with_units]
    if (checkbox && choiceList.length > 0) errors.choices = [partErrors.checkbox_with_choices]
    else if (new Set(choiceList).size < choiceList.length) errors.choices = [partErrors.duplicate_choice]
    await convert(write)
  },
})

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

/** A template inside a parameter. */
export const parameterTemplateDetail = f.brief(
  () => parameterTemplate,
  ['pk', 'name', 'units', 'description', 'parts', 'checkbox', 'choices'],
)
