import * as f from '../../../../../kit/definition/field.ts'
import { resource } from '../../../../../kit/definition/resource.ts'
import { constraintErrors } from '../../../../../kit/request/request-errors.ts'
import { part } from '../../../../part/part.table.ts'
import { company } from '../../../company.table.ts'
import { companyPartRoles } from '../../company-part-roles.ts'
import { manufacturerPartDetail } from '../manufacturer-part.resource.ts'
import { manufacturerPartParameter as table } from './manufacturer-part-parameter.table.ts'

export const manufacturerPartParameter = resource({
  path: '/api/company/part/manufacturer/parameter/',
  name: 'Manufacturer part parameter',
  description:
    'A property of a manufacturer part, such as its tolerance, as free text. Names are unique within a manufacturer part.',
  example: {
    pk: 1,
    create: { manufacturer_part: 2, name: 'Voltage', value: '75', units: 'V' },
    replace: { manufacturer_part: 2, name: 'Tolerance', value: '1', units: '%' },
    change: { value: '0.5' },
    deletable: 6,
  },
  model: 'manufacturerpartparameter',
  table,
  access: companyPartRoles,
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    manufacturer_part: f.ref(table.manufacturer_part, {
      required: true,
      filter: true,
      order: true,
      model: 'manufacturerpart',
      apiUrl: '/api/company/part/manufacturer/',
      label: 'Manufacturer Part',
      help: 'The manufacturer part of the parameter.',
    }),
    manufacturer_part_detail: f.nested(table.manufacturer_part, () => manufacturerPartDetail(), {
      flag: { name: 'manufacturer_part_detail' },
    }),
    name: f.column(table.name, {
      required: true,
      filter: true,
      search: true,
      order: true,
      help: 'The name of the parameter, such as Tolerance.',
    }),
    value: f.column(table.value, {
      required: true,
      filter: true,
      search: true,
      order: true,
      help: 'The value, as free text.',
    }),
    units: f.column(table.units, {
      filter: true,
      search: true,
      order: true,
      help: 'The unit of the value, as free text; empty for none.',
    }),
  },
  filters: {
    manufacturer: {
      kind: 'reference',
      table: () => company,
      sql: '{manufacturer_part.manufacturer} = {@value}',
      help: 'Parameters of the parts made by the company with this key.',
    },
    part: {
      kind: 'reference',
      table: () => part,
      sql: '{manufacturer_part.part} = {@value}',
      help: 'Parameters of all manufacturer parts of the part with this key.',
    },
  },
  constraints: {
    manufacturer_part_parameter_manufacturer_part_name_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['manufacturer_part', 'name'] })],
    },
  },
})
