import * as f from '../../../kit/definition/field.ts'
import { readBoolean, readKey, unknownReference } from '../../../kit/definition/filter.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { changeRoles } from '../../../kit/request/caller.ts'
import { constraintErrors } from '../../../kit/request/request-errors.ts'
import { lockReferred } from '../../../kit/writing/lock-referred.ts'
import { setting } from '../../../settings/live.ts'
import { getUnitRegistry } from '../../units/unit-registry.ts'
import { partBrief } from '../part.resource.ts'
import { part } from '../part.table.ts'
import { partErrors } from '../part-errors.ts'
import { parameterFields } from './parameter-fields.ts'
import { findUnitError, splitChoices, toNumericValue, toStoredValue, type ValueFormat } from './parameter-value.ts'
import { partParameter as table } from './part-parameter.table.ts'

const validationRules =
  'A part has one value for each template. It must be one of the choices of the template, if it has any, and convert to its units while PART_PARAMETER_ENFORCE_UNITS is on.'

export const partParameter = resource({
  path: '/api/part/parameter/',
  name: 'Part parameter',
  description: 'The value of a parameter of a part, such as 4.7 kΩ for its resistance.',
  remarks: { create: validationRules, update: validationRules },
  example: {
    pk: 1,
    create: { part: 7, template: 4, data: 'LQFP-48' },
    replace: { part: 1, template: 1, data: '470 ohm' },
    change: { data: '0.47 kohm' },
    deletable: 3,
  },
  model: 'partparameter',
  table,
  access: changeRoles('part'),
  fields: {
    ...parameterFields,
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail' }, help: 'The part.' }),
  },
  filters: {
    part: {
      kind: 'custom',
      names: {
        part: 'Parameters of the part with this key.',
        include_variants: 'Whether to include parameters of all variants below the part; `false` by default.',
      },
      read(query) {
        if (!query.part) return undefined
        const pk = readKey(query.part)
        if (pk === undefined) throw unknownReference('part')
        const sql = readBoolean(query.include_variants ?? '')
          ? '{part} in (select below.pk {from part} below where below.path @> array[{@value}::integer])'
          : '{part} = {@value}::integer'
        return { name: 'part', table: part, pk, negative: false, ignore: false, condition: { sql, values: [pk] } }
      },
    },
  },
  search: ['{template.name}', '{template.description}', '{template.units}'],
  order: { name: ['{template.name}'], data: ['{data_numeric}', '{data}'], part: ['{part.name}'] },
  constraints: {
    part_parameter_part_template_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['part', 'template'] })],
    },
  },
  locksFirst: lockReferred('part_parameter', 'template', 'part_parameter_template'),
  rules: checkValue,
  // the response includes the template with its count, so it is read once the new parameter is stored
  created() {},
})

/** Checks a value against its template, which is locked, and computes its number. */
async function checkValue(write: Write): Promise<void> {
  const { tx, before, values, after, errors } = write
  values.data_numeric = undefined
  const [template, data] = [after('template'), after('data') as string]
  if (before && template === before.template && data === before.data) return
  const format = (await tx.first<ValueFormat>(
    'select units, checkbox, choices from part_parameter_template where pk = $1 for share',
    [template],
  )) as ValueFormat
  const registry = await getUnitRegistry(tx)
  const choices = splitChoices(format.choices)
  const unitError = setting(write, 'PART_PARAMETER_ENFORCE_UNITS') ? findUnitError(data, format, registry) : undefined
  if (unitError) errors.data = [unitError]
  else if (choices.length > 0 && !choices.includes(data)) errors.data = [partErrors.not_a_template_choice]
  values.data = toStoredValue(data, format)
  values.data_numeric = toNumericValue(data, format, registry)
}
