import { type PlainKey, typedNumber } from '../../kit/language/language.ts'

/** What orders of every kind have. */
export type Order = {
  pk: number
  reference: string
  description: string
  status: number
  status_text: string
  overdue: boolean
  line_items: number
  completed_lines: number
  creation_date: string | null
  target_date: string | null
  total_price: string | null
  order_currency: string | null
  link: string
  notes: string | null
  responsible_detail: { name: string; label: string } | null
  project_code_detail: { code: string; description: string } | null
  contact_detail: { name: string; phone: string; email: string } | null
  address_detail: Address | null
  /** The company of a purchase order. */
  supplier_detail?: CompanyBrief | null
  supplier_reference?: string
  /** The company of the other orders. */
  customer_detail?: CompanyBrief | null
  customer_reference?: string
}

/** One kind of order: the data by which its lists, pages and forms differ from those of the others. */
export type OrderKind = {
  /** The first part of the keys of its texts. */
  name: 'purchase' | 'sales' | 'returns'
  /** Its model in the addresses of the API and of reports. */
  model: 'po' | 'so' | 'ro'
  /** The path of its list in the console; an order is below it. */
  page: string
  /** The role whose rights count. */
  role: 'purchase_order' | 'sales_order' | 'return_order'
  company: 'supplier' | 'customer'
  states: Record<number, State>
  /** The status of an order that was issued and is not complete. */
  issued: number
  /** The setting that allows changes to complete orders. */
  editSetting: keyof EditSettings
}

/** The settings that allow changes to complete orders. */
export type EditSettings = Record<
  'PURCHASEORDER_EDIT_COMPLETED_ORDERS' | 'RETURNORDER_EDIT_COMPLETED_ORDERS' | 'SALESORDER_EDIT_COMPLETED_ORDERS',
  boolean
>

/** The status of an order of any kind that is not issued. */
export const PENDING = 10

/** The company of an order; null where it has none, or may not be read. */
export const companyOf = (order: Order): CompanyBrief | null => order.supplier_detail ?? order.customer_detail ?? null

/** The reference by which the company knows the order. */
export const companyReference = (order: Order): string => order.supplier_reference ?? order.customer_reference ?? ''

/** The fields that a new order is asked for, in their order; the others are under "More". */
export const newOrderFields = (company: OrderKind['company']): string[] => [
  company,
  'description',
  `${company}_reference`,
  'target_date',
  'reference',
]

/** Where the company of an order is. */
type Address = { line1: string; line2: string; postal_code: string; postal_city: string; country: string }

/** An extra line: freight, a discount. */
export type ExtraLine = {
  pk: number
  etag?: string
  description: string
  quantity: number
  reference: string
  notes: string
  price: string | null
  price_currency: string
}

/** Fields that have a place of their own, or are no matter of a form. */
export const SERVICE_PATHS = ['duplicate_order', 'duplicate_line_items', 'duplicate_extra_lines', 'barcode_hash', 'creation_date']

/** Without what binary fractions add: quantities have five decimals. */
export const tidy = (value: number): number => Math.round(value * 1e5) / 1e5

/**
 * An amount as somebody types it, in the form of the interface: `2,5` is `2.5`, and nothing is `0`. Undefined for what is no number, or below
 * zero.
 */
export function amountOf(typed: string): string | undefined {
  const text = typedNumber(typed.trim())
  if (text === '') return '0'
  return /^(\d+\.?\d*|\.\d+)$/.test(text) ? text : undefined
}

/** A part inside another object. */
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
  /** Where its stock belongs. */
  default_location?: number | null
}

/** The company of an order, inside it. */
export type CompanyBrief = { pk: number; name: string; description: string; currency: string }

/** The tone of a state, and its word. */
export type State = { tone?: 'good' | 'bad' | 'warn' | 'accent'; word: PlainKey }
