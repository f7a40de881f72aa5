import { quantity, t } from '../language/language.ts'
import { showToast } from '../page/toast.tsx'
import { newKey, post } from '../service/api.ts'
import { may } from '../service/session.ts'
import type { Fallback, Source } from './chooser.tsx'

/** An object of any type, as a list returns it. */
type Row = { pk: number } & Record<string, unknown>

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const inside = (value: unknown, name: string): string => text((value as Record<string, unknown> | null | undefined)?.[name])
const joined = (...texts: string[]): string => texts.filter(Boolean).join(' · ')

/** Text of a stock item: its part, with its serial number or its quantity. */
export const stockText = ({ part_detail, serial, quantity: amount }: Row): string =>
  `${inside(part_detail, 'full_name')} ${serial ? `#${text(serial)}` : `× ${quantity(text(amount), inside(part_detail, 'units'))}`}`

/** Text that distinguishes a stock item from others of its part, with its location. */
export const stockMore = ({ batch, location_detail }: Row): string => joined(text(batch), inside(location_detail, 'pathstring'))

const byPath = {
  words: 'pathstring',
  isPath: true,
  text: (row: Row) => text(row.pathstring),
  more: (row: Row) => text(row.description),
}
const byName = { text: (row: Row) => text(row.name), more: (row: Row) => text(row.description) }

/** The types of objects that fields and filters refer to, each with the list that it is selected from. */
const SOURCES = {
  address: {
    url: '/api/company/address/',
    query: {},
    text: (row) => joined(text(row.title), text(row.line1)),
    more: (row) => joined(text(row.line2), `${text(row.postal_code)} ${text(row.postal_city)}`.trim(), text(row.country)),
  },
  /** Parts that can be built. */
  assembly: {
    url: '/api/part/',
    query: { active: true, assembly: true, virtual: false },
    text: (row) => joined(text(row.IPN), text(row.name)),
    more: (row) => text(row.description),
  },
  build: {
    url: '/api/build/',
    query: { part_detail: true },
    text: (row) => text(row.reference),
    more: (row) => joined(inside(row.part_detail, 'full_name'), text(row.title)),
  },
  category: { url: '/api/part/category/', query: { ordering: 'pathstring' }, ...byPath },
  company: { url: '/api/company/', query: {}, ...byName },
  contact: {
    url: '/api/company/contact/',
    query: {},
    text: (row) => text(row.name),
    more: (row) => joined(text(row.role), text(row.email), text(row.phone)),
  },
  customer: { url: '/api/company/', query: { is_customer: true, active: true }, ...byName },
  location: { url: '/api/stock/location/', query: { ordering: 'pathstring' }, ...byPath },
  /** Locations that can hold stock. */
  place: { url: '/api/stock/location/', query: { ordering: 'pathstring', structural: false }, ...byPath },
  locationType: { url: '/api/stock/location-type/', query: {}, ...byName },
  manufacturer: { url: '/api/company/', query: { is_manufacturer: true, active: true }, ...byName },
  manufacturerPart: {
    url: '/api/company/part/manufacturer/',
    query: { manufacturer_detail: true, part_detail: true },
    text: (row) => joined(text(row.MPN), inside(row.manufacturer_detail, 'name')),
    more: (row) => joined(inside(row.part_detail, 'full_name'), text(row.description)),
  },
  owner: { url: '/api/user/owner/', query: {}, text: (row) => text(row.name), more: (row) => text(row.label) },
  parameterTemplate: {
    url: '/api/part/parameter/template/',
    query: {},
    text: (row) => joined(text(row.name), text(row.units)),
    more: (row) => text(row.description),
  },
  part: {
    url: '/api/part/',
    query: { active: true },
    text: (row) => joined(text(row.IPN), text(row.name)),
    more: (row) => text(row.description),
  },
  projectCode: { url: '/api/project-code/', query: {}, text: (row) => text(row.code), more: (row) => text(row.description) },
  purchaseOrder: {
    url: '/api/order/po/',
    query: { supplier_detail: true },
    text: (row) => text(row.reference),
    more: (row) => joined(inside(row.supplier_detail, 'name'), text(row.description)),
  },
  salesOrder: {
    url: '/api/order/so/',
    query: { customer_detail: true },
    text: (row) => text(row.reference),
    more: (row) => joined(inside(row.customer_detail, 'name'), text(row.description)),
  },
  stockItem: {
    url: '/api/stock/',
    query: { part_detail: true, location_detail: true, in_stock: true },
    text: stockText,
    more: stockMore,
  },
  supplier: { url: '/api/company/', query: { is_supplier: true, active: true }, ...byName },
  supplierPart: {
    url: '/api/company/part/',
    query: { supplier_detail: true, part_detail: true },
    text: (row) => joined(text(row.SKU), inside(row.supplier_detail, 'name')),
    more: (row) => joined(inside(row.part_detail, 'full_name'), text(row.description)),
  },
  user: {
    url: '/api/user/',
    query: {},
    text: (row) => text(row.username),
    more: (row) => joined(text(row.first_name), text(row.last_name)),
  },
} satisfies Record<string, Source<Row>>

/** A type of object that fields refer to. */
type Reference = keyof typeof SOURCES

/** Types that fields and filters refer to, by their name. */
const FIELDS: Record<string, Reference> = {
  assigned_to: 'user',
  build: 'build',
  category: 'category',
  company: 'company',
  consumed_by: 'build',
  customer: 'customer',
  default_location: 'place',
  default_supplier: 'supplierPart',
  destination: 'place',
  exclude_location: 'location',
  issued_by: 'user',
  location: 'place',
  location_type: 'locationType',
  manufacturer: 'manufacturer',
  manufacturer_part: 'manufacturerPart',
  owner: 'owner',
  part: 'part',
  project_code: 'projectCode',
  purchase_order: 'purchaseOrder',
  responsible: 'owner',
  sales_order: 'salesOrder',
  stock_item: 'stockItem',
  stocklocation: 'location',
  sub_part: 'part',
  supplier: 'supplier',
  supplier_part: 'supplierPart',
  take_from: 'location',
  variant_of: 'part',
}

/** Objects of their company that orders of every kind refer to. */
const OF_ORDERS: Record<string, Reference> = { address: 'address', contact: 'contact' }

/** Types for `parent`, and for names with another meaning in one resource than in the others. */
const OF_RESOURCE: Record<string, Record<string, Reference>> = {
  '/api/build/': { parent: 'build', part: 'assembly' },
  '/api/company/part/': { default_supplier: 'supplier' },
  '/api/company/price-break/': { part: 'supplierPart' },
  '/api/order/po-line/': { part: 'supplierPart' },
  '/api/order/po/': OF_ORDERS,
  '/api/order/ro/': OF_ORDERS,
  '/api/order/so/': OF_ORDERS,
  '/api/part/category/': { parent: 'category' },
  '/api/part/parameter/': { template: 'parameterTemplate' },
  '/api/stock/location/': { parent: 'location' },
}

/**
 * The list from which a field of a resource is selected; undefined when it is a plain value.
 * @param values values of the other fields, where they filter it: contacts and addresses are those of the company
 */
export function sourceOf(path: string, name: string, values: Record<string, unknown> = {}): Source<Row> | undefined {
  const kind = kindOf(path, name)
  if (kind !== 'address' && kind !== 'contact') return kind && SOURCES[kind]
  const company = (values.supplier ?? values.customer ?? undefined) as number | undefined
  return { ...SOURCES[kind], query: { company } }
}

/** Fields of a new object that is created from its name alone. */
type BodyBuilder = (name: string) => Record<string, unknown>

const called: BodyBuilder = (name) => ({ name })
const company =
  (kind: string): BodyBuilder =>
  (name) => ({ name, is_supplier: false, is_customer: false, is_manufacturer: false, [kind]: true })

/** Types that can be created from a name alone where they are selected, and the roles for that. */
const CREATABLE: { [kind in Reference]?: { roles: string[]; making: BodyBuilder } } = {
  category: { roles: ['part_category'], making: called },
  customer: { roles: ['sales_order', 'return_order'], making: company('is_customer') },
  location: { roles: ['stock_location'], making: called },
  manufacturer: { roles: ['purchase_order'], making: company('is_manufacturer') },
  place: { roles: ['stock_location'], making: called },
  supplier: { roles: ['purchase_order'], making: company('is_supplier') },
}

/**
 * Alternative without matches for a field of a resource: to create the object from its name alone, if that is possible and the account has
 * the permission.
 */
export function createFallback(path: string, name: string): Fallback<Row> | undefined {
  const kind = kindOf(path, name)
  const creatable = kind && CREATABLE[kind]
  if (!creatable || !may('add', ...creatable.roles)) return undefined
  return {
    text: (typed) => (typed ? t('pick.make', { name: typed }) : undefined),
    async choose(typed) {
      const { body } = await post<Row>(SOURCES[kind].url, creatable.making(typed), newKey())
      showToast(t('pick.made', { name: typed }))
      return body
    },
  }
}

/**
 * The list from which a filter of a resource is selected: with structural locations, which match the stock inside them, and with inactive
 * companies.
 */
export function sourceOfFilter(path: string, name: string): Source<Row> | undefined {
  if (kindOf(path, name) === 'place') return SOURCES.location
  const source = sourceOf(path, name)
  // records of a company can be found after it became inactive, too
  return source?.url === SOURCES.company.url ? { ...source, query: { ...source.query, active: undefined } } : source
}

const kindOf = (path: string, name: string): Reference | undefined => OF_RESOURCE[path]?.[name] ?? FIELDS[name]

/** The list of a type of object: `sourceOfKind('location')`. */
export const sourceOfKind = (kind: Reference): Source<Row> => SOURCES[kind]
