import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import * as input from '../../../kit/definition/input.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { insertRow } from '../../../kit/writing/write.ts'
import { addressDetail } from '../../company/address/address.resource.ts'
import { companyBrief } from '../../company/company.resource.ts'
import { contactDetail } from '../../company/contact/contact.resource.ts'
import { supplierPart } from '../../company/part/supplier-part.table.ts'
import { CURRENCIES } from '../../currency/rates.ts'
import { part } from '../../part/part.table.ts'
import { projectCodeDetail } from '../../project-code/project-code.resource.ts'
import { setting } from '../../settings/live.ts'
import { ownerDetail, ownerRef } from '../../user/owner/owner.resource.ts'
import { owner } from '../../user/owner/owner.table.ts'
import { checkReference, referenceInteger } from '../reference.ts'
import { duplicateLines } from './duplicate-lines.ts'
import { suggestReference, takeNextReference } from './next-reference.ts'
import { inDateRange, referenceFilter } from './po.filters.ts'
import { purchaseOrder as table } from './po.table.ts'
import { OPEN_STATES, PO_STATUS_CHOICES } from './po-status.ts'
import { recomputeTotals, totalCurrency } from './recompute-totals.ts'

const today = () => new Date().toISOString().slice(0, 10)

/** Orders of parts from a supplier. (The reference description of orders and stock, sections 4 to 8.) */
export const purchaseOrder = resource({
  path: '/api/order/po/',
  name: 'Purchase order',
  model: 'purchaseorder',
  table,
  access: roles('purchase_order'),
  fields: {
    pk: f.pk(table.pk),
    creation_date: f.column(table.creation_date, { default: today, order: true }),
    target_date: f.column(table.target_date, { order: true }),
    description: f.column(table.description, { search: true }),
    line_items: f.readonly(table.line_items, { order: true }),
    completed_lines: f.readonly(table.completed_lines),
    link: f.column(table.link, { format: 'url' }),
    project_code: f.ref(table.project_code, { filter: true, model: 'projectcode', address: '/api/project-code/' }),
    project_code_detail: f.nested(table.project_code, projectCodeDetail),
    reference: f.column(table.reference, { required: true, search: true, filter: referenceFilter }),
    responsible: { ...ownerRef(table.responsible), order: ['{responsible}'] },
    responsible_detail: ownerDetail(table.responsible),
    contact: f.ref(table.contact, { keep: ['company'], model: 'contact', address: '/api/company/contact/' }),
    contact_detail: f.nested(table.contact, contactDetail),
    address: f.ref(table.address, { model: 'address', address: '/api/company/address/' }),
    address_detail: f.nested(table.address, addressDetail),
    status: f.readonly(table.status, { label: 'Order Status', filter: true, order: true }),
    status_text: f.label(table.status, PO_STATUS_CHOICES),
    notes: f.column(table.notes, { multiline: true }),
    barcode_hash: f.readonly(table.barcode_hash),
    /** Goods are still to come, and the expected day is over. */
    overdue: f.computed(Type.Boolean(), `coalesce({status} in ${OPEN_STATES} and {target_date} < current_date, false)`, {
      filter: true,
    }),
    issue_date: f.readonly(table.issue_date),
    complete_date: f.readonly(table.complete_date, { label: 'Completion Date' }),
    supplier: f.ref(table.supplier, {
      required: true,
      nullable: true,
      emptyIsNull: false,
      where: '{is_supplier}',
      keep: ['currency'],
      filter: true,
      model: 'company',
      address: '/api/company/',
      filters: { is_supplier: true },
    }),
    supplier_detail: f.nested(table.supplier, () => companyBrief(), { flag: { name: 'supplier_detail' } }),
    supplier_reference: f.column(table.supplier_reference, { search: true }),
    /** In the order's currency; null when an exchange rate is missing. */
    total_price: f.readonly(table.total_price, { order: true }),
    order_currency: f.column(table.order_currency, { choices: () => CURRENCIES, blank: true }),
    duplicate_order: f.writeOnly(input.reference(() => table, { nullable: true })),
    duplicate_line_items: f.writeOnly(input.boolean()),
    duplicate_extra_lines: f.writeOnly(input.boolean()),
  },
  filters: {
    assigned_to: { kind: 'reference', table: () => owner, sql: '{responsible} = {@value}' },
    assigned_to_me: {
      kind: 'boolean',
      sql: `{responsible} in (select o.pk from owner o where o."user" = {@caller}
        or o."group" in (select m."group" from user_group_member m where m."user" = {@caller}))`,
    },
    outstanding: { kind: 'boolean', sql: `{status} in ${OPEN_STATES}` },
    has_project_code: { kind: 'boolean', sql: '{project_code} is not null' },
    part: {
      kind: 'reference',
      table: () => part,
      unknown: 'ignore',
      sql: '{pk} in (select l."order" from purchase_order_line l join supplier_part s on s.pk = l.part where s.part = {@value})',
    },
    supplier_part: {
      kind: 'reference',
      table: () => supplierPart,
      unknown: 'ignore',
      sql: '{pk} in (select l."order" from purchase_order_line l where l.part = {@value})',
    },
    date_range: inDateRange,
  },
  search: ['{supplier.name}', '{project_code.code}'],
  order: {
    reference: ['{reference_int}', '{reference}'],
    supplier__name: ['{supplier.name}'],
    project_code: ['{project_code.code}'],
  },
  defaultOrder: ['-reference'],
  constraints: {
    purchase_order_reference_key: { reference: ['Purchase order with this Reference already exists.'] },
  },
  suggested: async (services) => ({ reference: await suggestReference(services) }),
  async completed({ services, tx, body }) {
    if (services.config.wireForm === 'specification' || body.reference !== undefined) return body
    return { ...body, reference: await takeNextReference(services, tx) }
  },
  async rules(write) {
    const { before, values, hidden } = write
    checkHeader(write)
    if (write.after('contact') !== null && (await companyOfContact(write)) !== write.after('supplier'))
      write.errors.contact = ['Contact does not match selected company']
    if (before) return
    hidden.created_by = write.caller.pk
    hidden.total_price = '0'
    hidden.total_price_currency = totalCurrency(
      write,
      values.order_currency,
      write.referred.supplier?.currency as string | undefined,
    )
  },
  async insert(write) {
    const { tx, values } = write
    const copied = values.duplicate_order as number | null | undefined
    // an order without lines has its total already
    if (!copied) return undefined
    const pk = await insertRow(purchaseOrder, write)
    await duplicateLines(tx, copied, pk, {
      lines: values.duplicate_line_items === true,
      extraLines: values.duplicate_extra_lines === true,
    })
    await recomputeTotals(write, [pk])
    return pk
  },
  updated: (write, pk) => recomputeTotals(write, [pk]),
})

/** An order inside another object: without what is counted over its lines. */
export const purchaseOrderBrief = f.brief(
  () => purchaseOrder,
  [
    'pk',
    'creation_date',
    'target_date',
    'description',
    'link',
    'project_code',
    'project_code_detail',
    'reference',
    'responsible',
    'responsible_detail',
    'contact',
    'contact_detail',
    'address',
    'address_detail',
    'status',
    'status_text',
    'notes',
    'barcode_hash',
    'issue_date',
    'complete_date',
    'supplier',
    'supplier_reference',
    'total_price',
    'order_currency',
  ],
)

/** What the settings ask of an order's own fields. An unchanged reference stays good when the pattern changes. */
function checkHeader(write: Write): void {
  const { before, values, hidden, errors } = write
  const reference = values.reference as string | undefined
  if (reference !== undefined && reference !== before?.reference) {
    const pattern = setting(write, 'PURCHASEORDER_REFERENCE_PATTERN')
    const problem = checkReference(pattern, reference)
    if (problem !== null) errors.reference = [problem]
    hidden.reference_int = referenceInteger(pattern, reference)
  }
  if (setting(write, 'PURCHASEORDER_REQUIRE_RESPONSIBLE') && write.after('responsible') === null)
    errors.responsible = ['Responsible user or group must be specified']
}

/** The company of the contact: out of the body, or of the order as it is. */
async function companyOfContact({ tx, referred, after }: Write): Promise<unknown> {
  if (referred.contact) return referred.contact.company
  const contact = await tx.first<{ company: number }>('select company from contact where pk = $1', [after('contact')])
  return contact?.company
}
