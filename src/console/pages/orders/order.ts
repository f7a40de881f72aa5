import type { DocumentModel } from '../../kit/files/print-reports.tsx'
import { type PlainKey, parseTypedNumber } from '../../kit/language/language.ts'

/** Fields common to all kinds of orders. */
export type Order = {
  pk: number
  reference: string
  description: string
  status: number
  status_text: string
  /** The key of its custom state; of a build order, otherwise that of its status. */
  status_custom_key?: number | null
  overdue: boolean
  line_items: number
  completed_lines: number
  creation_date: string | null
  target_date: string | null
  /** The total and its currency, of kinds with prices. */
  total_price?: string | null
  order_currency?: string | null
  link: string
  notes: string | null
  responsible_detail: { name: string; label: string } | null
  project_code_detail: { code: string; description: string } | null
  contact_detail: { name: string; phone: string; email: string } | null
  address_detail: Address | null
  /** The company of a purchase order. */
  supplier_detail?: CompanyBrief | null
  supplier_reference?: string
  /** The company of sales and return orders. */
  customer_detail?: CompanyBrief | null
  customer_reference?: string
}

/** One kind of order: the data that distinguishes its lists, pages and forms from those of the other kinds. */
export type OrderKind = {
  /** Prefix of the keys of its texts. */
  name: 'purchase' | 'sales' | 'returns' | 'transfers'
  /** Its name in the URLs of the API. */
  model: 'po' | 'so' | 'ro' | 'transfer-order'
  /** Its name in attachments and templates. */
  documentModel: DocumentModel
  /** Path of its list in the console; the page of an order is below it. */
  page: string
  /** The role whose permissions apply. */
  role: 'purchase_order' | 'sales_order' | 'return_order' | 'transfer_order'
  /** The field with its company; a kind without companies has no prices either. */
  company?: 'supplier' | 'customer'
  /** The fields that only this kind has, which its form shows first. */
  ownFields?: readonly string[]
  statuses: Record<number, StatusStyle>
  /** Status of an order that was issued and is not complete. */
  issued: number
  /** The setting that allows changes to complete orders of this kind; without one, they never change. */
  editSetting?: keyof EditSettings
}

/** The settings that allow changes to complete orders. */
export type EditSettings = Record<
  'PURCHASEORDER_EDIT_COMPLETED_ORDERS' | 'RETURNORDER_EDIT_COMPLETED_ORDERS' | 'SALESORDER_EDIT_COMPLETED_ORDERS',
  boolean
>

/** Status of an order of any kind that was not issued. */
export const PENDING_STATUS = 10

/** Status of an order of any kind, and of a build order, that is on hold. */
export const ON_HOLD_STATUS = 25

/** The company of an order; null if it has none or the account cannot read it. */
export const getCompany = (order: Order): CompanyBrief | null => order.supplier_detail ?? order.customer_detail ?? null

/** The company's own reference for the order. */
export const getCompanyReference = (order: Order): string => order.supplier_reference ?? order.customer_reference ?? ''

/** The fields shown in the form of a new order, in order; the others are under "More". */
export const listNewOrderFields = ({ company, ownFields = [] }: OrderKind): string[] => [
  ...(company ? [company] : []),
  ...ownFields,
  'description',
  ...(company ? [`${company}_reference`] : []),
  'target_date',
  'reference',
]

/** The address of the company of an order. */
type Address = { line1: string; line2: string; postal_code: string; postal_city: string; country: string }

/** A line of other charges: freight, a discount. */
export type ExtraLine = {
  pk: number
  etag?: string
  description: string
  quantity: number
  reference: string
  notes: string
  price: string | null
  price_currency: string
  discount: number
}

/** Fields that are edited elsewhere or do not belong in a form. */
export const EXCLUDED_FIELDS = [
  'duplicate_order',
  'duplicate_line_items',
  'duplicate_extra_lines',
  'barcode_hash',
  'creation_date',
]

/** The quantity of stock that is available for a line, of its part and the variants of that. */
export const getAvailable = (line: { available_stock: number; available_variant_stock: number }): number =>
  Math.max(0, line.available_stock + line.available_variant_stock)

/** Rounds away errors of binary fractions: quantities have five decimals. */
export const roundQuantity = (value: number): number => Math.round(value * 1e5) / 1e5

/**
 * Parses an amount typed in the reader's number format: `2,5` is `2.5`, and an empty string is `0`. Undefined for anything that is not a
 * number, or is below zero.
 */
export function parseAmount(typed: string): string | undefined {
  const text = parseTypedNumber(typed.trim())
  if (text === '') return '0'
  return /^(\d+\.?\d*|\.\d+)$/.test(text) ? text : undefined
}

/** A part nested in another object. */
export type PartBrief = {
  pk: number
  name: string
  IPN: string | null
  full_name: string
  description: string
  units: string | null
  trackable: boolean
  assembly: boolean
  thumbnail: string
  /** The default location of its stock. */
  default_location?: number | null
}

/** The company nested in an order. */
export type CompanyBrief = { pk: number; name: string; description: string; currency: string }

/** The tone and the label of a status. */
export type StatusStyle = { tone?: 'good' | 'bad' | 'warn' | 'accent'; label: PlainKey }
