import * as f from '../../../../../kit/definition/field.ts'
import { resource } from '../../../../../kit/definition/resource.ts'
import { part } from '../../../../part/part.table.ts'
import { company } from '../../../company.table.ts'
import { companyPartRoles } from '../../company-part-roles.ts'
import { manufacturerPartDetail } from '../manufacturer-part.resource.ts'
import { manufacturerPartParameter as table } from './manufacturer-part-parameter.table.ts'

/** Properties of manufacturer parts, as free text. */
export const manufacturerPartParameter = resource({
  path: '/api/company/part/manufacturer/parameter/',
  name: 'Manufacturer part parameter',
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
      address: '/api/company/part/manufacturer/',
    }),
    manufacturer_part_detail: f.nested(table.manufacturer_part, () => manufacturerPartDetail(), {
      flag: { name: 'manufacturer_part_detail' },
    }),
    name: f.column(table.name, { required: true, filter: true, search: true, order: true }),
    value: f.column(table.value, { required: true, filter: true, search: true, order: true }),
    units: f.column(table.units, { filter: true, search: true, order: true }),
  },
  filters: {
    manufacturer: { kind: 'reference', table: () => company, sql: '{manufacturer_part.manufacturer} = {@value}' },
    part: { kind: 'reference', table: () => part, sql: '{manufacturer_part.part} = {@value}' },
  },
  constraints: {
    manufacturer_part_parameter_manufacturer_part_name_key: {
      non_field_errors: ['The fields manufacturer_part, name must make a unique set.'],
    },
  },
})
