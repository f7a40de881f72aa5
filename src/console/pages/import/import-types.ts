import type { PlainKey } from '../../kit/language/language.ts'
import { hasPermission } from '../../kit/service/session.ts'

/** A type of objects that the console imports. */
type ImportType = {
  title: PlainKey
  /** The roles of which any allows it. */
  roles: readonly string[]
  /** The fields by which rows find existing objects, the best first, if they are mapped to a column. */
  matches?: readonly string[]
  /** The heading of the keys in files that existing clients export, as their first column. */
  keyHeading?: string
  /** Values of rows that have none. */
  defaults?: Readonly<Record<string, string>>
  /** The page of an object, and the list in the console, if there is one. */
  page?: string
  list?: string
}

const COMPANY_ROLES = ['purchase_order', 'sales_order', 'return_order']

/** The types by their names in the API, in the order in which they are offered. */
export const IMPORT_TYPES: Readonly<Record<string, ImportType>> = {
  part: { title: 'import.type.part', roles: ['part'], matches: ['IPN'], keyHeading: 'Part ID', page: '/part/', list: '/part/' },
  stockitem: {
    title: 'import.type.stockitem',
    roles: ['stock'],
    keyHeading: 'Stock Item ID',
    page: '/stock/item/',
    list: '/stock/',
  },
  company: {
    title: 'import.type.company',
    roles: COMPANY_ROLES,
    matches: ['name'],
    page: '/company/',
    list: '/company/',
  },
  supplierpart: { title: 'import.type.supplierpart', roles: ['purchase_order'], matches: ['SKU'], page: '/supplier-part/' },
  manufacturerpart: {
    title: 'import.type.manufacturerpart',
    roles: ['purchase_order'],
    matches: ['MPN'],
    page: '/manufacturer-part/',
  },
  supplierpricebreak: { title: 'import.type.supplierpricebreak', roles: ['purchase_order'] },
  stocklocation: {
    title: 'import.type.stocklocation',
    roles: ['stock_location'],
    keyHeading: 'Location ID',
    page: '/stock/location/',
    list: '/stock/location/?view=table',
  },
  partcategory: {
    title: 'import.type.partcategory',
    roles: ['part_category'],
    keyHeading: 'Category ID',
    page: '/part/category/',
  },
  parameter: { title: 'import.type.parameter', roles: ['part'], defaults: { model_type: 'part.part' } },
  parametertemplate: { title: 'import.type.parametertemplate', roles: ['part'], matches: ['name'] },
  bomitem: { title: 'import.type.bomitem', roles: ['bom'] },
  partinternalpricebreak: { title: 'import.type.partinternalpricebreak', roles: ['part'] },
  partsellpricebreak: { title: 'import.type.partsellpricebreak', roles: ['part'] },
  contact: { title: 'import.type.contact', roles: COMPANY_ROLES, matches: ['email'] },
  address: { title: 'import.type.address', roles: COMPANY_ROLES },
  purchaseorder: {
    title: 'import.type.purchaseorder',
    roles: ['purchase_order'],
    matches: ['reference'],
    page: '/order/purchase-order/',
    list: '/order/purchase-order/',
  },
  purchaseorderlineitem: { title: 'import.type.purchaseorderlineitem', roles: ['purchase_order'] },
  salesorder: {
    title: 'import.type.salesorder',
    roles: ['sales_order'],
    matches: ['reference'],
    page: '/order/sales-order/',
    list: '/order/sales-order/',
  },
  salesorderlineitem: { title: 'import.type.salesorderlineitem', roles: ['sales_order'] },
  transferorderlineitem: { title: 'import.type.transferorderlineitem', roles: ['transfer_order'] },
}

/** The types of which the account can add or change objects. */
export const listImportTypes = (): string[] =>
  Object.keys(IMPORT_TYPES).filter((type) => {
    const { roles = [] } = IMPORT_TYPES[type] ?? {}
    return hasPermission('add', ...roles) || hasPermission('change', ...roles)
  })

/** The address that starts an import of a type. @param fixed values that all rows have, such as their order */
export const getImportUrl = (type: string, fixed: Readonly<Record<string, number | string>> = {}): string => {
  const query = new URLSearchParams({ type })
  for (const [name, value] of Object.entries(fixed)) query.set(`with.${name}`, String(value))
  return `/import/?${query}`
}
