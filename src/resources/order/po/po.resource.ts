import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { type Resource, resource } from '../../../kit/definition/resource.ts'
import { tagSearch } from '../../../kit/definition/tags.ts'
import { buildOrder } from '../../build/build.table.ts'
import { companyBrief } from '../../company/company.resource.ts'
import { COMPANY_ROLE_RESTRICTIONS } from '../../company/company-roles.ts'
import { supplierPart } from '../../company/part/supplier-part.table.ts'
import { FORMER_FILES } from '../../former-files.ts'
import { importedFilter } from '../../imported-filter.ts'
import { parameterFilters, parameterOrders, parametersField } from '../../parameter/parameter-list.ts'
import { part } from '../../part/part.table.ts'
import { orderBrief, orderFields } from '../order-fields.ts'
import { createDateRangeFilter, createPartFilter, orderFilters } from '../order-filters.ts'
import { showExtended } from '../order-kind.ts'
import { orderRules } from '../order-rules.ts'
import { purchaseOrder as table } from './po.table.ts'
import { PURCHASE_ORDER } from './po-kind.ts'

const header = 'The reference must match the pattern in the settings, and the contact must belong to the supplier.'

/** See docs/interface/orders.md. */
export const purchaseOrder: Resource = resource({
  path: PURCHASE_ORDER.path,
  name: 'Purchase order',
  description:
    'An order of parts from a supplier: pending, then placed, and complete once the goods are received; or cancelled. Its lines and extra lines are resources of their own.',
  remarks: {
    list: 'Sorted by descending reference, unless `ordering` says otherwise.',
    create: `${header} With \`duplicate_order\` it gets copies of the lines of another order, with nothing received.`,
    update: `${header} The status cannot be changed here: issue, receive, complete or cancel the order instead.`,
    delete: 'Deletes its lines and extra lines as well. Received stock remains, without the order.',
  },
  example: {
    pk: 15,
    create: {
      reference: 'PO-0017',
      supplier: 2,
      description: 'Cable for the workshop evening',
      target_date: '2031-03-14',
      contact: 3,
      project_code: 2,
      responsible: 4,
    },
    replace: {
      reference: 'PO-0015',
      supplier: 1,
      description: 'Missing components for Robin',
      target_date: '2031-02-28',
      contact: 1,
      address: 1,
      project_code: 2,
      responsible: 3,
      order_currency: 'GBP',
    },
    change: { target_date: '2031-02-21', notes: 'Harriet will have the **pad lights** a week earlier.' },
    deletable: 13,
  },
  model: PURCHASE_ORDER.model,
  table,
  formerFile: FORMER_FILES.purchaseOrders,
  access: PURCHASE_ORDER.access,
  bulkUpdate: true,
  fields: {
    ...orderFields(PURCHASE_ORDER),
    issue_date: f.readonly(table.issue_date, { label: 'Issue Date', help: 'The day on which it was issued; null before.' }),
    complete_date: f.readonly(table.complete_date, {
      order: true,
      label: 'Completion Date',
      help: 'The day on which it was completed; null before.',
    }),
    destination: showExtended(
      PURCHASE_ORDER,
      f.ref(table.destination, {
        model: 'stocklocation',
        apiUrl: '/api/stock/location/',
        help: 'The default destination of the goods, for lines without one; empty for the default locations of the parts.',
      }),
    ),
    supplier: f.ref(table.supplier, {
      required: true,
      nullable: true,
      emptyIsNull: false,
      only: COMPANY_ROLE_RESTRICTIONS.supplier,
      extraColumns: ['currency'],
      filter: true,
      model: 'company',
      apiUrl: '/api/company/',
      filters: { is_supplier: true },
      help: 'The company that delivers the order.',
    }),
    supplier_name: f.extended(
      f.computed(Type.Union([Type.String(), Type.Null()]), '{supplier.name}', {
        type: 'string',
        api530: { metadata: { label: 'Supplier Name' } },
        help: 'The name of the supplier.',
      }),
    ),
    supplier_detail: f.nested(table.supplier, () => companyBrief(), { flag: { name: 'supplier_detail' } }),
    supplier_reference: f.column(table.supplier_reference, {
      search: true,
      label: 'Supplier Reference',
      help: 'The reference of the supplier; empty if unknown.',
    }),
    parameters: parametersField('purchase_order'),
  },
  orderFamily: parameterOrders('purchase_order'),
  filters: {
    ...importedFilter('purchaseorder'),
    ...parameterFilters('purchase_order'),
    ...orderFilters(PURCHASE_ORDER),
    part: createPartFilter(
      part,
      '{pk} in (select l."order" {from purchase_order_line} l {join supplier_part} s on s.pk = l.part where s.part {parts})',
      'Orders with a line for the part with this key. An unknown key has no effect.',
      true,
    ),
    supplier_part: {
      kind: 'reference',
      table: () => supplierPart,
      unknown: 'ignore',
      help: 'Orders with a line for the supplier part with this key. An unknown key has no effect.',
      sql: '{pk} in (select l."order" {from purchase_order_line} l where l.part = {@value})',
    },
    external_build: {
      kind: 'reference',
      table: () => buildOrder,
      where: '{external}',
      help: 'Orders with a line for the external build order with this key.',
      sql: '{pk} in (select l."order" {from purchase_order_line} l where l.build_order = {@value})',
    },
    date_range: createDateRangeFilter(PURCHASE_ORDER),
  },
  search: ['{supplier.name}', '{project_code.code}', tagSearch],
  order: {
    reference: ['{reference_int}', '{reference}'],
    supplier__name: ['{supplier.name}'],
    project_code: ['{project_code.code}'],
    created_by: ['{created_by}'],
  },
  defaultOrder: ['-reference'],
  ...orderRules(PURCHASE_ORDER, () => purchaseOrder),
})

/** An order inside another object, without the counts over its lines. */
export const purchaseOrderBrief = orderBrief(
  () => purchaseOrder,
  ['issue_date', 'complete_date', 'supplier', 'supplier_reference'],
  ['supplier_name', 'destination'],
)
