import * as f from '../../../kit/definition/field.ts'
import { readBoolean, readKey, unknownReference } from '../../../kit/definition/filter.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { changeRoles } from '../../../kit/request/caller.ts'
import { constraintErrors } from '../../../kit/request/request-errors.ts'
import { parameter as table } from '../../parameter/parameter.table.ts'
import { checkParameter, lockParameters, requireUnlockedPart } from '../../parameter/parameter-rules.ts'
import { partBrief } from '../part.resource.ts'
import { part } from '../part.table.ts'
import { partParameterFields } from './part-parameter-fields.ts'

const validationRules =
  'A part has one value for each template. It must be one of the choices of the template, if it has any, and convert to its units while PART_PARAMETER_ENFORCE_UNITS is on. Rejected while the part is locked.'

export const partParameter = resource({
  path: '/api/part/parameter/',
  name: 'Part parameter',
  description: 'The value of a parameter of a part, such as 4.7 kΩ for its resistance.',
  remarks: { create: validationRules, update: validationRules, delete: 'Rejected while the part is locked.' },
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
  rows: () => ({ sql: '{part} is not null', values: [] }),
  fields: {
    ...partParameterFields,
    note: f.column(table.note, { help: 'A short note on the value; empty for none.' }),
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
    parameter_part_template_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['part', 'template'] })],
    },
  },
  locksFirst: lockParameters,
  rules: (write) => checkParameter(write, { owner: 'part', pk: write.after('part') as number }),
  beforeDelete: (deletion) => requireUnlockedPart(deletion, deletion.row.part),
  // the response includes the template with its count, so it is read once the new parameter is stored
  afterCreate() {},
})
