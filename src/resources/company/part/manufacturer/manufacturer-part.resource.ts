import { Type } from 'typebox'
import { link, notes } from '../../../../kit/definition/common.ts'
import * as f from '../../../../kit/definition/field.ts'
import { resource } from '../../../../kit/definition/resource.ts'
import { tagFilters, tagSearch, tags } from '../../../../kit/definition/tags.ts'
import { constraintErrors } from '../../../../kit/request/request-errors.ts'
import { valueErrors } from '../../../../kit/values/value-errors.ts'
import { barcodeConstraints } from '../../../barcode/duplicate-code.ts'
import { parameterFilters, parameterOrders, parametersField } from '../../../parameter/parameter-list.ts'
import { partBrief } from '../../../part/part.resource.ts'
import { ONLY_PARTS } from '../../../part/part-flags.ts'
import { companyBrief } from '../../company.resource.ts'
import { companyErrors } from '../../company-errors.ts'
import { COMPANY_ROLE_RESTRICTIONS } from '../../company-roles.ts'
import { companyPartRoles } from '../company-part-roles.ts'
import { manufacturerPart as table } from './manufacturer-part.table.ts'

const deletionRule = 'Deletes its parameters, and the supplier parts that name it, as well.'

export const manufacturerPart = resource({
  path: '/api/company/part/manufacturer/',
  name: 'Manufacturer part',
  description: 'A part as a manufacturer makes it, with an MPN. Several suppliers can sell it.',
  remarks: { delete: deletionRule, 'bulk-delete': deletionRule },
  example: {
    pk: 13,
    create: { part: 15, manufacturer: 11, MPN: 'YU16-C', description: 'Gold contacts, 10000 cycles' },
    replace: { part: 13, manufacturer: 11, MPN: 'YJ35-S', link: 'https://yamabuki.example/yj35' },
    change: { description: 'With switch contacts' },
    deletable: 3,
  },
  model: 'manufacturerpart',
  table,
  access: companyPartRoles,
  deletesExclusively: true,
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    part: f.ref(table.part, {
      required: true,
      filter: true,
      only: ONLY_PARTS.purchaseable,
      filters: { purchaseable: true },
      label: 'Base Part',
      help: 'The part; it must be purchasable.',
      model: 'part',
      apiUrl: '/api/part/',
    }),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail', detail: true } }),
    manufacturer: f.ref(table.manufacturer, {
      required: true,
      filter: true,
      only: COMPANY_ROLE_RESTRICTIONS.manufacturer,
      filters: { is_manufacturer: true },
      model: 'company',
      apiUrl: '/api/company/',
      help: 'The manufacturer; the company must be a manufacturer.',
    }),
    manufacturer_detail: f.nested(table.manufacturer, () => companyBrief(), {
      flag: { name: 'manufacturer_detail', detail: true },
    }),
    description: f.column(table.description, {
      search: true,
      order: true,
      help: "The manufacturer's description; empty for none.",
    }),
    MPN: f.column(table.MPN, {
      required: true,
      filter: true,
      search: true,
      order: true,
      label: 'MPN',
      help: "The manufacturer's part number (MPN), unique for each part and manufacturer.",
    }),
    link: link(table.link, { order: true }),
    barcode_hash: f.column(table.barcode_hash, {
      order: true,
      label: 'Barcode Hash',
      help: 'The MD5 hash of the linked barcode, unique across all objects; empty without one.',
    }),
    notes: notes(table.notes),
    tags: tags(table.tags),
    pretty_name: f.computed(Type.String(), `concat_ws(' | ', {manufacturer.name}, {MPN})`, {
      flag: { name: 'pretty' },
      help: 'The manufacturer and the MPN in one line.',
    }),
    parameters: parametersField('manufacturer_part'),
  },
  orderFamily: parameterOrders('manufacturer_part'),
  filters: {
    ...parameterFilters('manufacturer_part'),
    ...tagFilters,
    active: { kind: 'boolean', sql: '{part.active}', help: 'Whether the part is active, like `part_active`.' },
    part_active: { kind: 'boolean', sql: '{part.active}', help: 'Whether the part is active.' },
    manufacturer_active: { kind: 'boolean', sql: '{manufacturer.active}', help: 'Whether the manufacturer is active.' },
  },
  search: ['{manufacturer.name}', '{part.IPN}', '{part.name}', '{part.description}', tagSearch],
  order: { part: ['{part.name}'], manufacturer: ['{manufacturer.name}'] },
  async rules({ tx, values, errors, hidden, before }) {
    // imported parts may have no MPN, but an MPN cannot be removed
    if (values.MPN === null) errors.MPN = [valueErrors.null_not_allowed]
    // when only the hash of a barcode is set, its text and decoded form are unknown
    const { barcode_hash } = values
    if (before && barcode_hash !== undefined && barcode_hash !== before.barcode_hash)
      Object.assign(hidden, { barcode_data: '', barcode_key: '' })
    // supplier parts that name it are of the same part
    if (!before || values.part === undefined || values.part === before.part) return
    const conflictingPart = await tx.first('select 1 from supplier_part where manufacturer_part = $1 and part <> $2 limit 1', [
      before.pk,
      values.part,
    ])
    if (conflictingPart) errors.part = [companyErrors.manufacturer_part_has_supplier_parts]
  },
  constraints: {
    manufacturer_part_part_manufacturer_MPN_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['part', 'manufacturer', 'MPN'] })],
    },
    ...barcodeConstraints({ barcode_hash: [companyErrors.barcode_of_other_object] }),
  },
})

/** A manufacturer part inside another object. */
export const manufacturerPartDetail = f.brief(
  () => manufacturerPart,
  ['pk', 'part', 'manufacturer', 'manufacturer_detail', 'description', 'MPN', 'link', 'barcode_hash', 'tags'],
  {},
  ['notes'],
)
