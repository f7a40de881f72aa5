import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import { barcodeHash, link, notes } from '../../../kit/definition/common.ts'
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

const header = 'The reference must fit the pattern that the settings ask for, and a contact must be one of the supplier.'

/** See the reference description of orders and stock, sections 4 to 8. */
export const purchaseOrder = resource({
  path: '/api/order/po/',
  name: 'Purchase order',
  description:
    'An order of parts from a supplier: pending while it is being written, then placed, and complete once the goods are there; or cancelled on the way. Its lines and extra lines are objects of their own.',
  remarks: {
    list: 'The highest reference comes first, unless `ordering` says otherwise.',
    create: `${header} With \`duplicate_order\` it gets lines of another order, of which nothing has come yet.`,
    update: `${header} The state is not changed here, but by issuing, receiving, completing and cancelling.`,
    delete: 'Its lines and extra lines go with it. Stock that was received stays, without the order.',
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
      description: 'What the Robins still lack',
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
  model: 'purchaseorder',
  table,
  access: roles('purchase_order'),
  fields: {
    pk: f.pk(table.pk),
    creation_date: f.column(table.creation_date, {
      default: today,
      order: true,
      label: 'Creation Date',
      help: 'The day on which it was written, by default today (UTC); null for none.',
    }),
    target_date: f.column(table.target_date, {
      order: true,
      label: 'Target Date',
      help: 'The day by which the goods are expected, for lines that have none of their own; null for none.',
    }),
    description: f.column(table.description, { search: true, help: 'What it is about, in a line; may be empty.' }),
    line_items: f.readonly(table.line_items, {
      order: true,
      label: 'Line Items',
      help: 'How many lines it has. Extra lines do not count.',
    }),
    completed_lines: f.readonly(table.completed_lines, {
      label: 'Completed Lines',
      help: 'How many of its lines have come in full. Extra lines do not count.',
    }),
    link: link(table.link),
    project_code: f.ref(table.project_code, {
      filter: true,
      model: 'projectcode',
      address: '/api/project-code/',
      label: 'Project Code',
      help: 'The project that it is charged to, by the key of its project code; null for none.',
    }),
    project_code_detail: f.nested(table.project_code, projectCodeDetail),
    reference: f.column(table.reference, {
      required: true,
      search: true,
      filter: referenceFilter,
      help: 'What the order is called; no two have the same. It fits the setting `PURCHASEORDER_REFERENCE_PATTERN`; OPTIONS suggests the next.',
    }),
    responsible: {
      ...ownerRef(table.responsible, {
        label: 'Responsible',
        help: 'Who answers for it: an account or a group, by its key in `/api/user/owner/`; null for nobody, unless `PURCHASEORDER_REQUIRE_RESPONSIBLE` is on.',
      }),
      order: ['{responsible}'],
    },
    responsible_detail: ownerDetail(table.responsible),
    contact: f.ref(table.contact, {
      keep: ['company'],
      model: 'contact',
      address: '/api/company/contact/',
      help: 'Whom to ask about it: a contact of the supplier; null for nobody.',
    }),
    contact_detail: f.nested(table.contact, contactDetail),
    address: f.ref(table.address, {
      model: 'address',
      address: '/api/company/address/',
      help: 'Which of the addresses of the supplier the order is for; null for none. Whether it is one of them is not checked.',
    }),
    address_detail: f.nested(table.address, addressDetail),
    status: f.readonly(table.status, {
      label: 'Order Status',
      filter: true,
      order: true,
      help: 'The state as a number of `/api/order/po/status/`: 10 pending, 20 placed, 30 complete, 40 cancelled.',
    }),
    status_text: f.label(table.status, PO_STATUS_CHOICES, { help: 'The state in words.' }),
    notes: notes(table.notes),
    barcode_hash: { ...barcodeHash(table.barcode_hash), label: 'Barcode hash' },
    overdue: f.computed(Type.Boolean(), `coalesce({status} in ${OPEN_STATES} and {target_date} < current_date, false)`, {
      filter: true,
      help: 'Whether it is still open although its target date is over.',
    }),
    issue_date: f.readonly(table.issue_date, { label: 'Issue Date', help: 'The day on which it was placed; null before.' }),
    complete_date: f.readonly(table.complete_date, {
      label: 'Completion Date',
      help: 'The day on which it was completed; null before.',
    }),
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
      help: 'Who the parts are ordered from: a company that is a supplier; null while that is not decided.',
    }),
    supplier_detail: f.nested(table.supplier, () => companyBrief(), { flag: { name: 'supplier_detail' } }),
    supplier_reference: f.column(table.supplier_reference, {
      search: true,
      label: 'Supplier Reference',
      help: 'What the supplier calls the order; empty while it is not known.',
    }),
    total_price: f.readonly(table.total_price, {
      order: true,
      help: 'The sum of all lines and extra lines, in the currency of the order; null where an exchange rate that it needs is missing.',
    }),
    order_currency: f.column(table.order_currency, {
      choices: () => CURRENCIES,
      blank: true,
      label: 'Order Currency',
      help: 'The currency of the total; null or empty for that of the supplier, or without a supplier the default currency.',
    }),
    duplicate_order: f.writeOnly(
      input.reference(() => table, { nullable: true }),
      {
        help: 'Another order, whose lines or extra lines are copied to the new one as the next two fields say; null for none. A change passes over it.',
      },
    ),
    duplicate_line_items: f.writeOnly(input.boolean(), {
      help: 'Whether the lines of `duplicate_order` are copied, with their prices and dates, and nothing received; by default they are not.',
    }),
    duplicate_extra_lines: f.writeOnly(input.boolean(), {
      help: 'Whether the extra lines of `duplicate_order` are copied; by default they are not.',
    }),
  },
  filters: {
    assigned_to: {
      kind: 'reference',
      table: () => owner,
      sql: '{responsible} = {@value}',
      help: 'Those that the account or group with this key in `/api/user/owner/` answers for.',
    },
    assigned_to_me: {
      kind: 'boolean',
      help: 'Whether the caller, or a group of the caller, answers for it.',
      sql: `{responsible} in (select o.pk from owner o where o."user" = {@caller}
        or o."group" in (select m."group" from user_group_member m where m."user" = {@caller}))`,
    },
    outstanding: {
      kind: 'boolean',
      sql: `{status} in ${OPEN_STATES}`,
      help: 'Whether it is open, pending or placed.',
    },
    has_project_code: { kind: 'boolean', sql: '{project_code} is not null', help: 'Whether it is charged to a project.' },
    part: {
      kind: 'reference',
      table: () => part,
      unknown: 'ignore',
      help: 'Those with a line for the part with this key. A key that is unknown narrows nothing.',
      sql: '{pk} in (select l."order" from purchase_order_line l join supplier_part s on s.pk = l.part where s.part = {@value})',
    },
    supplier_part: {
      kind: 'reference',
      table: () => supplierPart,
      unknown: 'ignore',
      help: 'Those with a line for the supplier part with this key. A key that is unknown narrows nothing.',
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

/** The order that a line is of. */
export const orderOfLine = (column: PgColumn): f.Field =>
  f.ref(column, {
    required: true,
    filter: true,
    model: 'purchaseorder',
    address: '/api/order/po/',
    help: 'The order that the line is of.',
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
