import { getTableName } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import { barcodeHash, link, notes } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { tagsOnRequest } from '../../kit/definition/tags.ts'
import { addressDetail } from '../company/address/address.resource.ts'
import { contactDetail } from '../company/contact/contact.resource.ts'
import { CURRENCIES } from '../currency/rates.ts'
import { statusFilter, statusText } from '../generic/status/custom/custom-states.ts'
import { duplicateField } from '../parameter/duplicate.ts'
import type { ParameterOwner } from '../parameter/parameter-models.ts'
import { projectCodeDetail, projectCodeLabel, projectCodeRef } from '../project-code/project-code.resource.ts'
import { ownerDetail, ownerRef } from '../user/owner/owner.resource.ts'
import { userBrief } from '../user/user.resource.ts'
import { type HeaderKind, hasPrices, type OrderKind, openStates, showExtended } from './order-kind.ts'
import { referenceField } from './reference-field.ts'

/** Current date (UTC). */
export const getToday = () => new Date().toISOString().slice(0, 10)

/**
 * Returns the fields that every type of order has.
 * @param party the company whose contacts and addresses it names, in words
 */
export function headerFields(kind: HeaderKind, party: string): f.Fields {
  const { table, words, states } = kind
  return {
    pk: f.pk(table.pk),
    created_by: showExtended(
      kind,
      f.nested(table.created_by, () => userBrief(), { label: 'Created By', help: 'The account that created it.' }),
    ),
    creation_date: f.column(table.creation_date, {
      default: getToday,
      order: true,
      api530: { metadata: { read_only: true } },
      label: 'Creation Date',
      help: 'The creation date, by default today (UTC); empty for none.',
    }),
    start_date: showExtended(
      kind,
      f.column(table.start_date, {
        order: true,
        api530: { metadata: { label: 'Start date' } },
        label: 'Start Date',
        help: 'The day on which work on the order begins, not after the target date; empty for none.',
      }),
    ),
    target_date: f.column(table.target_date, {
      order: true,
      label: 'Target Date',
      help: `The day by which ${words.target}; it applies to lines without a target date. Empty for none.`,
    }),
    description: f.column(table.description, { search: true, help: 'A short description; may be empty.' }),
    line_items: f.readonly(table.line_items, {
      order: true,
      label: 'Line Items',
      help: 'The number of lines, without extra lines.',
    }),
    completed_lines: f.readonly(table.completed_lines, {
      label: 'Completed Lines',
      help: `The number of lines that ${words.completed}, without extra lines.`,
    }),
    link: link(table.link),
    project_code: projectCodeRef(table.project_code),
    project_code_label: projectCodeLabel(),
    project_code_detail: f.nested(table.project_code, projectCodeDetail),
    reference: referenceField(kind),
    responsible: {
      ...ownerRef(table.responsible, {
        label: 'Responsible',
        help: 'The responsible user or group; empty for none, if settings allow that.',
      }),
      order: ['{responsible}'],
    },
    responsible_detail: ownerDetail(table.responsible),
    contact: f.ref(table.contact, {
      extraColumns: ['company'],
      model: 'contact',
      apiUrl: '/api/company/contact/',
      help: `The contact person at ${party}; empty for none.`,
    }),
    contact_detail: f.nested(table.contact, contactDetail),
    address: f.ref(table.address, {
      model: 'address',
      apiUrl: '/api/company/address/',
      help: `The address of ${party} to use; empty for none.`,
    }),
    address_detail: f.nested(table.address, addressDetail),
    updated_at: showExtended(
      kind,
      f.readonly(table.updated_at, { order: true, label: 'Updated At', help: 'The time of its last change; null if unknown.' }),
    ),
    status: f.readonly(table.status, {
      label: 'Order Status',
      filter: statusFilter(
        states.choices,
        `Orders with this status, or in this custom state, by its key in \`${kind.path}status/\`.`,
      ),
      order: true,
      help: `The status${kind.states.hasPath === false ? '' : `, by its key in \`${kind.path}status/\``}: ${words.states}.`,
    }),
    status_text: statusText(states.table, states.choices, 'The status as text: the label of its custom state, if it is in one.'),
    status_custom_key: showExtended(
      kind,
      f.column(table.status_custom_key, {
        label: 'Custom Status Key',
        help: 'The key of a custom state of its status; empty for none. It ends when the status changes.',
      }),
    ),
    notes: notes(table.notes),
    tags: tagsOnRequest(table.tags),
    barcode_hash: { ...barcodeHash(table.barcode_hash), api530: { metadata: { label: 'Barcode Hash' } }, label: 'Barcode hash' },
    overdue: f.computed(Type.Boolean(), `coalesce({status} in ${openStates(kind)} and {target_date} < current_date, false)`, {
      filter: true,
      help: 'Whether it is open after its target date.',
    }),
    duplicate: duplicateField(getTableName(table) as ParameterOwner, {
      // the items of a return belong to that return alone
      copy_lines: input.boolean({
        default: kind.model !== 'returnorder',
        label: 'Copy Lines',
        help: 'Whether to copy its lines.',
      }),
      ...(hasPrices(kind)
        ? {
            copy_extra_lines: input.boolean({
              default: true,
              label: 'Copy Extra Lines',
              help: 'Whether to copy its extra lines.',
            }),
          }
        : {}),
    }),
    duplicate_order: f.writeOnly(
      input.reference(() => table, { nullable: true }),
      {
        help: `The order to copy ${hasPrices(kind) ? 'lines or extra lines from, as the next two fields say' : 'lines from, as the next field says'}; empty for none.`,
      },
    ),
    duplicate_line_items: f.writeOnly(input.boolean(), {
      help: `Whether to copy the lines of that order with their ${hasPrices(kind) ? 'prices and dates' : 'quantities and dates'}, but as lines of which nothing ${words.copied}. Off by default.`,
    }),
  }
}

/** A day that the actions of an order set. Clients of API 530 correct it; a PUT without it keeps it. */
export const actionDate = (column: PgColumn, label: string, help: string, uses: { order?: boolean } = {}): f.Field => ({
  ...f.column(column, { ...uses, label, help }),
  isKeptOnPut: true,
})

/** Returns the fields that every type of order with prices has. */
export function orderFields(kind: OrderKind): f.Fields {
  const { table, company } = kind
  return {
    ...headerFields(kind, `the ${company}`),
    total_price: f.readonly(table.total_price, {
      order: true,
      api530: { metadata: { label: 'Total Price' } },
      help: 'The total of all lines and extra lines, in the currency of the order; null if a required exchange rate is missing.',
    }),
    order_currency: f.column(table.order_currency, {
      choices: () => CURRENCIES,
      blank: true,
      label: 'Order Currency',
      help: `The currency of the total; empty for that of the ${company}, or without a ${company} the default currency.`,
    }),
    duplicate_extra_lines: f.writeOnly(input.boolean(), {
      help: 'Whether to copy the extra lines of that order. Off by default.',
    }),
  }
}

/** An order inside another object, without values computed from its lines. `ownFields` are the fields that only its type has. */
export const headerBrief = (
  getOrder: () => Resource,
  ownFields: readonly string[],
  extendedFields: readonly string[] = [],
  uncomputedFields: readonly string[] = [],
): (() => f.ReadShape) =>
  f.brief(
    getOrder,
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
      ...ownFields,
    ],
    Object.fromEntries(['line_items', 'completed_lines', 'overdue', ...uncomputedFields].map((name) => [name, f.uncomputed()])),
    ['created_by', 'start_date', 'status_custom_key', 'updated_at', 'project_code_label', ...extendedFields].filter(
      (name) => !ownFields.includes(name),
    ),
  )

/** The same for an order with prices. */
export const orderBrief = (
  getOrder: () => Resource,
  ownFields: readonly string[],
  extendedFields?: readonly string[],
  uncomputedFields?: readonly string[],
): (() => f.ReadShape) => headerBrief(getOrder, ['total_price', 'order_currency', ...ownFields], extendedFields, uncomputedFields)
