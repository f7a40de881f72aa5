import { Type } from 'typebox'
import * as f from '../../../../kit/definition/field.ts'
import { resource } from '../../../../kit/definition/resource.ts'
import { tagFilters, tagSearch } from '../../../../kit/definition/tags.ts'
import { texts } from '../../../../kit/request/errors.ts'
import { partBrief } from '../../../part/part.resource.ts'
import { companyBrief } from '../../company.resource.ts'
import { companyPartRoles } from '../company-part-roles.ts'
import { manufacturerPart as table } from './manufacturer-part.table.ts'

/** Parts as manufacturers make them. With a manufacturer part go its parameters and the supplier parts made by it. */
export const manufacturerPart = resource({
  path: '/api/company/part/manufacturer/',
  name: 'Manufacturer part',
  model: 'manufacturerpart',
  table,
  access: companyPartRoles,
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    part: f.ref(table.part, {
      required: true,
      filter: true,
      where: '{purchaseable}',
      filters: { purchaseable: true },
      label: 'Base Part',
      model: 'part',
      address: '/api/part/',
    }),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail', detail: true } }),
    manufacturer: f.ref(table.manufacturer, {
      required: true,
      filter: true,
      where: '{is_manufacturer}',
      filters: { is_manufacturer: true },
      model: 'company',
      address: '/api/company/',
    }),
    manufacturer_detail: f.nested(table.manufacturer, () => companyBrief(), {
      flag: { name: 'manufacturer_detail', detail: true },
    }),
    description: f.column(table.description, { search: true, order: true }),
    MPN: f.column(table.MPN, { required: true, filter: true, search: true, order: true }),
    link: f.column(table.link, { format: 'url', order: true }),
    barcode_hash: f.column(table.barcode_hash, { order: true }),
    tags: f.column(table.tags),
    pretty_name: f.computed(Type.String(), `concat_ws(' | ', {manufacturer.name}, {MPN})`, { flag: { name: 'pretty' } }),
  },
  filters: {
    ...tagFilters,
    part_active: { kind: 'boolean', sql: '{part.active}' },
    manufacturer_active: { kind: 'boolean', sql: '{manufacturer.active}' },
  },
  search: ['{manufacturer.name}', '{part.IPN}', '{part.name}', '{part.description}', tagSearch],
  order: { part: ['{part.name}'], manufacturer: ['{manufacturer.name}'] },
  rules({ values, errors }) {
    // imported parts may lack one, but no part loses it
    if (values.MPN === null) errors.MPN = [texts.null]
  },
  constraints: {
    manufacturer_part_part_manufacturer_MPN_key: {
      non_field_errors: ['The fields part, manufacturer, MPN must make a unique set.'],
    },
    manufacturer_part_barcode_hash_key: { barcode_hash: ['Another manufacturer part has this barcode already.'] },
  },
})

/** A manufacturer part inside another object. */
export const manufacturerPartDetail = f.brief(
  () => manufacturerPart,
  ['pk', 'part', 'manufacturer', 'manufacturer_detail', 'description', 'MPN', 'link', 'barcode_hash', 'tags'],
)
