import { Type } from 'typebox'
import * as f from '../../../../kit/definition/field.ts'
import { resource, type Write } from '../../../../kit/definition/resource.ts'
import { roles } from '../../../../kit/request/caller.ts'
import { setting } from '../../../settings/live.ts'
import { unitInput } from '../../../units/unit-input.ts'
import { partCategory } from '../../category/part-category.table.ts'
import { part } from '../../part.table.ts'
import { partErrors } from '../../part-errors.ts'
import { choicesOf, type ParameterKind } from '../parameter-value.ts'
import { convertValues } from './convert-values.ts'
import { parameterTemplate as table } from './parameter-template.table.ts'

const refused = 'No other template has the same name, in capitals or not.'

export const parameterTemplate = resource({
  path: '/api/part/parameter/template/',
  name: 'Part parameter template',
  description:
    'A property that parts may have, such as their resistance. Its values are in a unit, or chosen from a list, or yes and no, or any text.',
  remarks: {
    create: refused,
    update: `${refused} With other units its values keep their meaning: one that names no unit gets the one that the template had, in parts, in categories and among the choices. Rejected, naming the values, where one cannot be converted to the new units.`,
    delete: 'All parts lose the property, and categories do not give it to new parts any more.',
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
      help: 'What the property is called.',
    }),
    units: {
      ...f.column(table.units, {
        filter: true,
        order: true,
        help: 'The unit of its values, such as m or ohm, or one of your own. Values may be in any unit that can be converted to it. Empty for none.',
      }),
      input: unitInput({ max: 25, default: '' }),
    },
    description: f.column(table.description, { search: true, help: 'What the property says of a part; empty for nothing.' }),
    parts: f.computed(Type.Integer(), '(select count(*) {from part_parameter} parameter where parameter.template = {pk})', {
      order: true,
      help: 'How many parts have it.',
    }),
    checkbox: f.column(table.checkbox, {
      filter: true,
      order: true,
      help: 'Whether its values are yes and no. It has neither units nor choices then.',
    }),
    choices: f.column(table.choices, {
      help: 'The values that may be chosen, each once, separated by commas; empty for any.',
    }),
  },
  filters: {
    has_choices: { kind: 'boolean', sql: `{choices} <> ''`, help: 'Whether values are chosen from a list.' },
    has_units: { kind: 'boolean', sql: `{units} <> ''`, help: 'Whether values are in a unit.' },
    part: {
      kind: 'reference',
      table: () => part,
      sql: '{pk} in (select parameter.template {from part_parameter} parameter where parameter.part = {@value})',
      help: 'Those that the part with this key has.',
    },
    category: {
      kind: 'reference',
      table: () => partCategory,
      sql: '{pk} in (select parameter.template {from part_parameter} parameter {join part} on part.pk = parameter.part where part.category in (select below.pk {from part_category} below where below.path @> array[{@value}]))',
      help: 'Those that any part has in the category with this key, or below it.',
    },
  },
  constraints: { part_parameter_template_name_key: { name: [partErrors.parameter_template_name_taken] } },
  async rules(write) {
    const { tx, before, after, errors } = write
    const { units, checkbox, choices } = kindOf(after)
    // the numbers of its values follow, which their writers lock before it
    if (before && (units !== before.units || checkbox !== before.checkbox)) tx.lockExclusive()
    const given = choicesOf(choices)
    if (checkbox && units) errors.units = [partErrors.checkbox_with_units]
    if (checkbox && given.length > 0) errors.choices = [partErrors.checkbox_with_choices]
    else if (new Set(given).size < given.length) errors.choices = [partErrors.duplicate_choice]
    await convert(write)
  },
})

const kindOf = (after: Write['after']): ParameterKind => ({
  units: (after('units') ?? '') as string,
  checkbox: after('checkbox') === true,
  choices: (after('choices') ?? '') as string,
})

/**
 * Has values, and what categories give, mean what they meant when the units change. Values that cannot be converted reject the change.
 */
async function convert(write: Write): Promise<void> {
  const { tx, before, values, after, errors } = write
  if (!before || Object.keys(errors).length > 0) return
  const [from, to] = [kindOf((name) => before[name]), kindOf(after)]
  if (from.units === to.units && from.checkbox === to.checkbox) return
  const converted = await convertValues(tx, before.pk, from, to, setting(write, 'PART_PARAMETER_ENFORCE_UNITS'))
  const { unconverted, count } = converted
  const [rows, more] = [unconverted.join('; '), count - unconverted.length]
  if (count > 0)
    errors.units = [
      more > 0
        ? partErrors.parameters_not_convertible_more({ units: to.units, count: more, values: rows })
        : partErrors.parameters_not_convertible({ units: to.units, values: rows }),
    ]
  else if (converted.choices !== to.choices) values.choices = converted.choices
}

/** A template inside a parameter. */
export const parameterTemplateDetail = f.brief(
  () => parameterTemplate,
  ['pk', 'name', 'units', 'description', 'parts', 'checkbox', 'choices'],
)
