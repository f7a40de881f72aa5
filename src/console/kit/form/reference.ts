import { formatWithUnit, t } from '../language/language.ts'
import { showToast } from '../page/toast.tsx'
import { newKey, post } from '../service/api.ts'
import { hasPermission } from '../service/session.ts'
import type { Fallback, Source } from './combobox.tsx'

/** An object of any type, as a list returns it. */
type Row = { pk: number } & Record<string, unknown>

const toText = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const readField = (value: unknown, name: string): string => toText((value as Record<string, unknown> | null | undefined)?.[name])
const joinTexts = (...texts: string[]): string => texts.filter(Boolean).join(' · ')

/** Text of a stock item: its part, with its serial number or its quantity. */
export const formatStockItem = ({ part_detail, serial, quantity: amount }: Row): string =>
  `${readField(part_detail, 'full_name')} ${serial ? `#${toText(serial)}` : `× ${formatWithUnit(toText(amount), readField(part_detail, 'units'))}`}`

/** Text that distinguishes a stock item from others of its part, with its location. */
export const formatStockItemDetail = ({ batch, location_detail }: Row): string =>
  joinTexts(toText(batch), readField(location_detail, 'pathstring'))

const pathTexts = {
  pathFilter: 'pathstring',
  isPath: true,
  getTitle: (row: Row) => toText(row.pathstring),
  getDetail: (row: Row) => toText(row.description),
}
const nameTexts = { getTitle: (row: Row) => toText(row.name), getDetail: (row: Row) => toText(row.description) }

const ownPicture = { picture: (row: Row) => toText(row.thumbnail) }
const partPicture = { picture: (row: Row) => readField(row.part_detail, 'thumbnail') }

/** The types of objects that fields and filters refer to, each with the list that it is selected from. */
const SOURCES = {
  address: {
    url: '/api/company/address/',
    query: {},
    getTitle: (row) => joinTexts(toText(row.title), toText(row.line1)),
    getDetail: (row) =>
      joinTexts(toText(row.line2), `${toText(row.postal_code)} ${toText(row.postal_city)}`.trim(), toText(row.country)),
  },
  /** Parts that can be built. */
  assembly: {
    url: '/api/part/',
    query: { active: true, assembly: true, virtual: false },
    getTitle: (row) => joinTexts(toText(row.IPN), toText(row.name)),
    getDetail: (row) => toText(row.description),
    ...ownPicture,
  },
  build: {
    url: '/api/build/',
    query: { part_detail: true },
    getTitle: (row) => toText(row.reference),
    getDetail: (row) => joinTexts(readField(row.part_detail, 'full_name'), toText(row.title)),
    ...partPicture,
  },
  category: { url: '/api/part/category/', query: { ordering: 'pathstring' }, ...pathTexts },
  company: { url: '/api/company/', query: {}, ...nameTexts },
  contact: {
    url: '/api/company/contact/',
    query: {},
    getTitle: (row) => toText(row.name),
    getDetail: (row) => joinTexts(toText(row.role), toText(row.email), toText(row.phone)),
  },
  customer: { url: '/api/company/', query: { is_customer: true, active: true }, ...nameTexts },
  group: { url: '/api/user/group/', query: {}, getTitle: (row) => toText(row.name) },
  location: { url: '/api/stock/location/', query: { ordering: 'pathstring' }, ...pathTexts },
  /** Locations that can hold stock. */
  storageLocation: { url: '/api/stock/location/', query: { ordering: 'pathstring', structural: false }, ...pathTexts },
  locationType: { url: '/api/stock/location-type/', query: {}, ...nameTexts },
  manufacturer: { url: '/api/company/', query: { is_manufacturer: true, active: true }, ...nameTexts },
  manufacturerPart: {
    url: '/api/company/part/manufacturer/',
    query: { manufacturer_detail: true, part_detail: true },
    getTitle: (row) => joinTexts(toText(row.MPN), readField(row.manufacturer_detail, 'name')),
    getDetail: (row) => joinTexts(readField(row.part_detail, 'full_name'), toText(row.description)),
    ...partPicture,
  },
  owner: { url: '/api/user/owner/', query: {}, getTitle: (row) => toText(row.name), getDetail: (row) => toText(row.label) },
  parameterTemplate: {
    url: '/api/part/parameter/template/',
    query: {},
    getTitle: (row) => joinTexts(toText(row.name), toText(row.units)),
    getDetail: (row) => toText(row.description),
  },
  part: {
    url: '/api/part/',
    query: { active: true },
    getTitle: (row) => joinTexts(toText(row.IPN), toText(row.name)),
    getDetail: (row) => toText(row.description),
    ...ownPicture,
  },
  projectCode: {
    url: '/api/project-code/',
    query: {},
    getTitle: (row) => toText(row.code),
    getDetail: (row) => toText(row.description),
  },
  purchaseOrder: {
    url: '/api/order/po/',
    query: { supplier_detail: true },
    getTitle: (row) => toText(row.reference),
    getDetail: (row) => joinTexts(readField(row.supplier_detail, 'name'), toText(row.description)),
  },
  salesOrder: {
    url: '/api/order/so/',
    query: { customer_detail: true },
    getTitle: (row) => toText(row.reference),
    getDetail: (row) => joinTexts(readField(row.customer_detail, 'name'), toText(row.description)),
  },
  selectionList: { url: '/api/selection/', query: { active: true, choices: false }, ...nameTexts },
  stockItem: {
    url: '/api/stock/',
    query: { part_detail: true, location_detail: true, in_stock: true },
    getTitle: formatStockItem,
    getDetail: formatStockItemDetail,
    ...partPicture,
  },
  supplier: { url: '/api/company/', query: { is_supplier: true, active: true }, ...nameTexts },
  supplierPart: {
    url: '/api/company/part/',
    query: { supplier_detail: true, part_detail: true },
    getTitle: (row) => joinTexts(toText(row.SKU), readField(row.supplier_detail, 'name')),
    getDetail: (row) => joinTexts(readField(row.part_detail, 'full_name'), toText(row.description)),
    ...partPicture,
  },
  user: {
    url: '/api/user/',
    query: {},
    getTitle: (row) => toText(row.username),
    getDetail: (row) => joinTexts(toText(row.first_name), toText(row.last_name)),
  },
} satisfies Record<string, Source<Row>>

/** A type of object that fields refer to. */
type Reference = keyof typeof SOURCES

/** Types that fields and filters refer to, by their name. */
const REFERENCES_BY_FIELD: Record<string, Reference> = {
  assigned_to: 'user',
  build: 'build',
  category: 'category',
  company: 'company',
  consumed_by: 'build',
  customer: 'customer',
  default_location: 'storageLocation',
  default_supplier: 'supplierPart',
  destination: 'storageLocation',
  exclude_location: 'location',
  issued_by: 'user',
  location: 'storageLocation',
  location_type: 'locationType',
  manufacturer: 'manufacturer',
  manufacturer_part: 'manufacturerPart',
  owner: 'owner',
  part: 'part',
  project_code: 'projectCode',
  purchase_order: 'purchaseOrder',
  responsible: 'owner',
  sales_order: 'salesOrder',
  revision_of: 'part',
  selectionlist: 'selectionList',
  stock_item: 'stockItem',
  stocklocation: 'location',
  sub_part: 'part',
  supplier: 'supplier',
  supplier_part: 'supplierPart',
  take_from: 'location',
  variant_of: 'part',
}

/** Objects of their company that orders of every kind refer to. */
const ORDER_REFERENCES: Record<string, Reference> = { address: 'address', contact: 'contact' }

/** Types for `parent`, and for names with another meaning in one resource than in the others. */
const REFERENCES_BY_RESOURCE: Record<string, Record<string, Reference>> = {
  '/api/build/': { parent: 'build', part: 'assembly' },
  '/api/company/part/': { default_supplier: 'supplier' },
  '/api/company/price-break/': { part: 'supplierPart' },
  '/api/order/po-line/': { part: 'supplierPart' },
  '/api/order/po/': ORDER_REFERENCES,
  '/api/order/ro/': ORDER_REFERENCES,
  '/api/order/so/': ORDER_REFERENCES,
  '/api/part/category/': { parent: 'category' },
  '/api/part/parameter/': { template: 'parameterTemplate' },
  '/api/stock/location/': { parent: 'location' },
  '/api/user/': { group: 'group' },
  '/api/user/security-event/': { actor: 'user', user: 'user' },
}

/**
 * The list from which a field of a resource is selected; undefined when it is a plain value.
 * @param values values of the other fields, where they filter it: contacts and addresses are those of the company
 */
export function findSource(path: string, name: string, values: Record<string, unknown> = {}): Source<Row> | undefined {
  const kind = findReference(path, name)
  if (kind !== 'address' && kind !== 'contact') return kind && SOURCES[kind]
  const company = (values.supplier ?? values.customer ?? undefined) as number | undefined
  return { ...SOURCES[kind], query: { company } }
}

/** Fields of a new object that is created from its name alone. */
type BodyBuilder = (name: string) => Record<string, unknown>

const createNameBody: BodyBuilder = (name) => ({ name })
const createCompanyBody =
  (kind: string): BodyBuilder =>
  (name) => ({ name, is_supplier: false, is_customer: false, is_manufacturer: false, [kind]: true })

/** Types that can be created from a name alone where they are selected, and the roles for that. */
const CREATABLE: { [kind in Reference]?: { roles: string[]; createBody: BodyBuilder } } = {
  category: { roles: ['part_category'], createBody: createNameBody },
  customer: { roles: ['sales_order', 'return_order'], createBody: createCompanyBody('is_customer') },
  location: { roles: ['stock_location'], createBody: createNameBody },
  manufacturer: { roles: ['purchase_order'], createBody: createCompanyBody('is_manufacturer') },
  storageLocation: { roles: ['stock_location'], createBody: createNameBody },
  supplier: { roles: ['purchase_order'], createBody: createCompanyBody('is_supplier') },
}

/**
 * Returns the alternative that a field of a resource offers when there are no matches: creating the object from its name alone, if that is
 * possible and the account has the permission.
 */
export function createFallback(path: string, name: string): Fallback<Row> | undefined {
  const kind = findReference(path, name)
  const creatable = kind && CREATABLE[kind]
  if (!creatable || !hasPermission('add', ...creatable.roles)) return undefined
  return {
    text: (typed) => (typed ? t('pick.create', { name: typed }) : undefined),
    async run(typed) {
      const { body } = await post<Row>(SOURCES[kind].url, creatable.createBody(typed), newKey())
      showToast(t('pick.created', { name: typed }))
      return body
    },
  }
}

/**
 * The list from which a filter of a resource is selected: with structural locations, which match the stock inside them, and with inactive
 * companies.
 */
export function findFilterSource(path: string, name: string): Source<Row> | undefined {
  if (findReference(path, name) === 'storageLocation') return SOURCES.location
  const source = findSource(path, name)
  // the records of an inactive company can be found as well
  return source?.url === SOURCES.company.url ? { ...source, query: { ...source.query, active: undefined } } : source
}

const findReference = (path: string, name: string): Reference | undefined =>
  REFERENCES_BY_RESOURCE[path]?.[name] ?? REFERENCES_BY_FIELD[name]

/** The list of a type of object: `getSource('location')`. */
export const getSource = (kind: Reference): Source<Row> => SOURCES[kind]
