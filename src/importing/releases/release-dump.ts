import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../paths.ts'

/**
 * A field in the releases of InvenTree: its type, the first release that has it unless all do, and the last one unless it is the newest.
 * A reference is an arrow with its model, and `null` if it can be missing.
 */
type ReleaseField = string | [type: string, first: string] | [type: string, first: string, last: string]

type ReleaseModels = { releases: string[]; models: Record<string, Record<string, ReleaseField>> }

/** The models of each release with their fields, as its migrations leave them. */
const { releases, models }: ReleaseModels = JSON.parse(readFileSync(join(ROOT, 'src/importing/releases/models.json'), 'utf8'))

export { releases }

export type ReleaseRecord = { model: string; pk: number | string; fields: Record<string, unknown> }

/** Values of the types of fields, in the form of a dump. */
const VALUES: Record<string, (name: string) => unknown> = {
  text: (name) => name,
  integer: () => 1,
  decimal: () => '1.500000',
  number: () => 1.5,
  boolean: () => true,
  date: () => '2024-03-01',
  datetime: () => '2024-03-01T12:00:00Z',
  json: () => ({ plugin: { key: 'value' } }),
  file: (name) => `files/${name}.txt`,
  url: () => 'https://example.com/page',
  email: () => 'ann@example.com',
  currency: () => 'EUR',
  uuid: () => '6a2f41a3-c54c-fce8-32d2-0324e1c32e22',
  list: () => [],
}

/** Values that have to fit together, or that a rule restricts. */
const FITTING: Record<string, unknown> = {
  'build.build.status': 20,
  'build.build.reference': 'BO-0001',
  'build.buildline.quantity': '2',
  'build.builditem.quantity': '1',
  'common.attachment.model_type': 'part',
  'common.customunit.definition': '12 m',
  'common.customunit.name': 'roll_of_tape',
  'common.inventreecustomuserstatemodel.reference_status': 'StockStatus',
  'common.inventreecustomuserstatemodel.key': 77,
  'common.inventreecustomuserstatemodel.logical_key': 10,
  'common.inventreesetting.key': 'INVENTREE_COMPANY_NAME',
  'common.inventreeusersetting.key': 'SEARCH_HIDE_INACTIVE_PARTS',
  'common.parameter.data': '1.5 mm',
  'common.parameter.model_type': ['part', 'part'],
  'common.parametertemplate.checkbox': false,
  'common.parametertemplate.choices': '',
  'common.parametertemplate.model_type': ['part', 'part'],
  'common.parametertemplate.units': 'mm',
  'company.address.postal_code': '12345',
  'company.supplierpart.pack_quantity': '2',
  'company.supplierpart.pack_quantity_native': '2',
  'order.purchaseorder.status': 20,
  'order.purchaseorder.reference': 'PO-0001',
  'order.purchaseorderlineitem.received': '0',
  'order.salesorder.status': 15,
  'order.salesorder.reference': 'SO-0001',
  'order.salesorderlineitem.shipped': '0',
  'order.salesordershipment.shipment_date': null,
  'order.salesordershipment.delivery_date': null,
  'order.salesorderallocation.quantity': '1',
  'order.returnorder.status': 20,
  'order.returnorder.reference': 'RMA-0001',
  'order.returnorderlineitem.outcome': 10,
  'order.transferorder.status': 20,
  'order.transferorder.reference': 'TO-0001',
  'order.transferorderlineitem.transferred': '0',
  'order.transferorderallocation.quantity': '1',
  'part.bomitem.sub_part': 2,
  'part.bomitemsubstitute.part': 3,
  'part.part.units': 'm',
  'part.partparameter.data': '1.5 mm',
  'part.partparametertemplate.choices': '',
  'part.partparametertemplate.checkbox': false,
  'part.partparametertemplate.units': 'mm',
  'part.partrelated.part_2': 2,
  'report.labeltemplate.model_type': 'part',
  'report.reporttemplate.model_type': 'part',
  'stock.stockitem.part': 2,
  'stock.stockitem.status': 10,
  'stock.stockitem.status_custom_key': 77,
  'stock.stockitem.quantity': '10.5',
  'stock.stockitem.serial': '',
  'stock.stockitem.serial_int': 0,
  'stock.stockitem.is_building': false,
  'stock.stockitem.build': null,
  'stock.stockitem.consumed_by': null,
  'stock.stockitem.customer': null,
  'stock.stockitem.sales_order': null,
  'stock.stockitem.stocktake_user': ['ann'],
  'stock.stockitem.supplier_part': null,
  'users.owner.owner_type': ['auth', 'user'],
  'users.ruleset.name': 'part',
  'users.userprofile.type': 'internal',
  'part.partcategory.pathstring': 'name',
  'stock.stocklocation.pathstring': 'name',
  level: 0,
  order_currency: 'EUR',
  currency: 'EUR',
  barcode_data: '',
  barcode_hash: '',
  status_custom_key: null,
}

/** Builds a dump of a release with one record of each of its models, in which every field has a value. */
export function createReleaseDump(release: string): ReleaseRecord[] {
  const position = releases.indexOf(release)
  const has = (field: ReleaseField) => {
    const [, first = releases[0], last = releases.at(-1)] = typeof field === 'string' ? [field] : field
    return releases.indexOf(first as string) <= position && position <= releases.indexOf(last as string)
  }
  const records = Object.entries(models).flatMap(([model, fields]): ReleaseRecord[] => {
    const present = Object.entries(fields).filter(([, field]) => has(field))
    if (present.length === 0) return []
    const values = present.map(([name, field]) => [name, createValue(model, name, typeof field === 'string' ? field : field[0])])
    return [{ model, pk: 1, fields: Object.fromEntries(values) }]
  })
  const [part] = records.filter(({ model }) => model === 'part.part') as [ReleaseRecord]
  return [...ACCOUNTS, ...records, copyPart(part, 2), copyPart(part, 3)]
}

/** A further part, for BOM lines and relations: it is no assembly. */
const copyPart = ({ model, fields }: ReleaseRecord, pk: number): ReleaseRecord => ({
  model,
  pk,
  fields: { ...fields, name: `part ${pk}`, IPN: `IPN-${pk}`, assembly: false },
})

function createValue(model: string, name: string, type: string): unknown {
  const fitting = [`${model}.${name}`, name].find((key) => Object.hasOwn(FITTING, key))
  if (fitting !== undefined) return FITTING[fitting]
  if (!type.startsWith('-> ')) return VALUES[type]?.(name)
  const [, target, isNullable] = /^-> (\S+)( null)?$/.exec(type) ?? []
  // a record is not below itself
  return target === model && isNullable ? null : 1
}

/** The models of Django that a dump has. */
const ACCOUNTS: readonly ReleaseRecord[] = [
  { model: 'auth.group', pk: 1, fields: { name: 'makers', permissions: [] } },
  {
    model: 'auth.user',
    pk: 1,
    fields: {
      ...{ username: 'ann', password: '!', email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee', groups: [['makers']] },
      ...{ is_active: true, is_staff: true, is_superuser: true, date_joined: '2024-03-01T12:00:00Z', last_login: null },
      user_permissions: [],
    },
  },
]
