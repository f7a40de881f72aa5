import * as f from '../../../kit/definition/field.ts'
import type { Filter } from '../../../kit/definition/filter.ts'
import type * as input from '../../../kit/definition/input.ts'
import { unitInput } from '../../units/unit-input.ts'
import { PARAMETER_MODELS, PARAMETER_OWNERS } from '../parameter-models.ts'
import { parameterTemplate as table } from './parameter-template.table.ts'

/** The kinds of objects that have parameters. */
export const MODEL_CHOICES: readonly input.Choice[] = PARAMETER_OWNERS.map((owner) => ({
  value: PARAMETER_MODELS[owner].model,
  label: PARAMETER_MODELS[owner].label,
}))

const UNIQUE_CHOICES: readonly input.Choice[] = [
  { value: 0, label: 'No uniqueness required' },
  { value: 1, label: 'Unique for model type' },
  { value: 2, label: 'Globally unique' },
]

/** Fields that parameter templates have always had. */
export const templateFields: f.Fields = {
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
  checkbox: f.column(table.checkbox, {
    filter: true,
    order: true,
    help: 'Whether its values are yes and no. A checkbox has neither units nor choices.',
  }),
  choices: f.column(table.choices, {
    help: 'The allowed values, separated by commas, without duplicates; empty for any.',
  }),
}

/** Fields of parameter templates of any kind of object. */
export const newTemplateFields: f.Fields = {
  model_type: f.column(table.model_type, {
    api530: { metadata: { default: '' } },
    choices: () => MODEL_CHOICES,
    blank: true,
    nullable: true,
    label: 'Model Type',
    help: 'The kind of object that has the parameter; empty for any.',
  }),
  selectionlist: f.ref(table.selectionlist, {
    model: 'selectionlist',
    apiUrl: '/api/selection/',
    label: 'Selection List',
    help: 'The selection list whose active entries are the allowed values, instead of choices; empty for none.',
  }),
  enabled: f.column(table.enabled, {
    filter: true,
    order: true,
    help: 'Whether objects can get the parameter. Existing values remain.',
  }),
  unique: f.column(table.unique, {
    choices: () => UNIQUE_CHOICES,
    filter: true,
    label: 'Uniqueness',
    help: 'Whether values must be unique: not at all, among objects of the same kind, or among all objects.',
  }),
}

export const templateFilters: Record<string, Filter> = {
  has_choices: {
    kind: 'boolean',
    sql: `{choices} <> ''`,
    help: 'Whether they have choices of their own.',
  },
  has_units: { kind: 'boolean', sql: `{units} <> ''`, help: 'Whether values have a unit.' },
}
