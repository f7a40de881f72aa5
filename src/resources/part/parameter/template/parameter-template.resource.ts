import { Type } from 'typebox'
import * as f from '../../../../kit/definition/field.ts'
import { resource, type Write } from '../../../../kit/definition/resource.ts'
import { roles } from '../../../../kit/request/caller.ts'
import { unitInput } from '../../../units/unit-input.ts'
import { unitRegistry } from '../../../units/unit-registry.ts'
import { partCategory } from '../../category/part-category.table.ts'
import { part } from '../../part.table.ts'
import { choicesOf, numericValue, type ParameterKind } from '../parameter-value.ts'
import { parameterTemplate as table } from './parameter-template.table.ts'

const refused = 'No other template has the same name, in capitals or not.'

export const parameterTemplate = resource({
  path: '/api/part/parameter/template/',
  name: 'Part parameter template',
  description:
    'A property that parts may have, such as their resistance. Its values are in a unit, or chosen from a list, or yes and no, or any text.',
  remarks: {
    create: refused,
    update: `${refused} With other units the numbers of all its values are worked out anew; the values stay as they were written.`,
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
        help: 'The unit of its values: a physical one, or one of `/api/units/`. Values may be in any unit that can be converted to it. Empty for none.',
      }),
      input: unitInput({ max: 25, default: '' }),
    },
    description: f.column(table.description, { search: true, help: 'What the property says of a part; empty for nothing.' }),
    parts: f.computed(Type.Integer(), '(select count(*) from part_parameter parameter where parameter.template = {pk})', {
      order: true,
      help: 'How many parts have it.',
    }),
    checkbox: f.column(table.checkbox, {
      filter: true,
      order: true,
      help: 'Whether its values are yes and no: they are stored as `True` and `False`. It has neither units nor choices then.',
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
      sql: '{pk} in (select parameter.template from part_parameter parameter where parameter.part = {@value})',
      help: 'Those that the part with this key has.',
    },
    category: {
      kind: 'reference',
      table: () => partCategory,
      sql: '{pk} in (select parameter.template from part_parameter parameter join part on part.pk = parameter.part where part.category in (select below.pk from part_category below where below.path @> array[{@value}]))',
      help: 'Those that any part has in the category with this key, or below it.',
    },
  },
  constraints: { part_parameter_template_name_key: { name: ['There is another template of this name.'] } },
  rules({ after, errors }) {
    const { units, checkbox, choices } = kindAfter(after)
    const given = choicesOf(choices)
    if (checkbox && units) errors.units = ['Yes and no have no units.']
    if (checkbox && given.length > 0) errors.choices = ['Yes and no are the only choices of a checkbox.']
    else if (new Set(given).size < given.length) errors.choices = ['Each choice stands there once.']
  },
  updated: convertValues,
})

const kindAfter = (after: Write['after']): ParameterKind => ({
  units: (after('units') ?? '') as string,
  checkbox: after('checkbox') === true,
  choices: (after('choices') ?? '') as string,
})

/** What is measured in other units now has other numbers. Whoever writes a value waits for the template, which is locked. */
async function convertValues({ tx, before, after }: Write, pk: number): Promise<void> {
  const kind = kindAfter(after)
  if (before?.units === kind.units && before?.checkbox === kind.checkbox) return
  const registry = await unitRegistry(tx)
  const values = await tx.query<{ data: string }>('select distinct data from part_parameter where template = $1', [pk])
  const numbers = values.map(({ data }) => numericValue(data, kind, registry))
  await tx.query(
    `update part_parameter parameter set data_numeric = new.number
     from unnest($2::text[], $3::numeric[]) new (data, number)
     where parameter.template = $1 and parameter.data = new.data and parameter.data_numeric is distinct from new.number`,
    [pk, values.map(({ data }) => data), numbers],
  )
}

/** A template inside a parameter. */
export const parameterTemplateDetail = f.brief(
  () => parameterTemplate,
  ['pk', 'name', 'units', 'description', 'parts', 'checkbox', 'choices'],
)
