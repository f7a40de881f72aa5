import { getTemplateModel, isLabel, type TemplateKind, type TemplateModel } from '../kinds.ts'

/** A variable that templates of a kind have. */
export type Variable = {
  /** The URL of the type of its objects; none for a plain value. */
  object?: string
  isList?: true
  /** Names of its fields, for an object without a type. */
  fields?: readonly string[]
}

const PART = { object: '/api/part/' }
const BOM_ITEMS = { object: '/api/bom/', isList: true } as const
const STOCK_ITEM = { object: '/api/stock/' }
const STOCK_ITEMS = { ...STOCK_ITEM, isList: true } as const
const TEST_RESULTS = { object: '/api/stock/test/', isList: true } as const
const TESTS = { object: '/api/part/test-template/', isList: true } as const

const TEMPLATE_FIELDS = { fields: ['name', 'description', 'revision', 'width', 'height', 'page_size', 'landscape'] }

const commonVariables: Record<string, Variable> = {
  base_url: {},
  date: {},
  datetime: {},
  user: { object: '/api/user/me/' },
  logo: {},
  sender: { fields: ['name', 'address', 'contact', 'tax_id', 'footer'] },
  language: {},
}

const labelVariables: Record<string, Variable> = {
  ...commonVariables,
  label_template: TEMPLATE_FIELDS,
  width: {},
  height: {},
  page_style: {},
}

const reportVariables: Record<string, Variable> = {
  ...commonVariables,
  report_template: TEMPLATE_FIELDS,
  report_name: {},
  report_description: {},
  report_revision: {},
  page_size: {},
}

const orderVariables = (kind: 'po' | 'so' | 'ro', partner: 'supplier' | 'customer'): Record<string, Variable> => ({
  order: { object: `/api/order/${kind}/` },
  reference: {},
  description: {},
  title: {},
  [partner]: { object: '/api/company/' },
  lines: { object: `/api/order/${kind}-line/`, isList: true },
  extra_lines: { object: `/api/order/${kind}-extra-line/`, isList: true },
})

const modelVariables: Record<TemplateModel, Record<string, Variable>> = {
  part: {
    part: PART,
    category: { object: '/api/part/category/' },
    bom_items: BOM_ITEMS,
    test_template_list: TESTS,
    name: {},
    description: {},
    IPN: {},
    revision: {},
    qr_data: {},
    qr_url: {},
    parameters: {},
  },
  stockitem: {
    item: STOCK_ITEM,
    stock_item: STOCK_ITEM,
    part: PART,
    name: {},
    ipn: {},
    revision: {},
    parameters: {},
    quantity: {},
    serial: {},
    batch: {},
    barcode_hash: {},
    barcode_data: {},
    qr_data: {},
    qr_url: {},
    tests: {},
    installed_items: STOCK_ITEMS,
    child_items: STOCK_ITEMS,
    test_keys: {},
    test_template_list: TESTS,
    test_template_map: {},
    test_templates: {},
    results: {},
    result_list: TEST_RESULTS,
  },
  stocklocation: {
    location: { object: '/api/stock/location/' },
    stock_location: { object: '/api/stock/location/' },
    parent: { object: '/api/stock/location/' },
    stock_items: STOCK_ITEMS,
    qr_data: {},
    qr_url: {},
  },
  build: {
    build: { object: '/api/build/' },
    part: PART,
    build_outputs: STOCK_ITEMS,
    line_items: { object: '/api/build/line/', isList: true },
    bom_items: BOM_ITEMS,
    reference: {},
    quantity: {},
    title: {},
  },
  buildline: {
    build_line: { object: '/api/build/line/' },
    build: { object: '/api/build/' },
    bom_item: { object: '/api/bom/' },
    part: PART,
    quantity: {},
    allocated_quantity: {},
    allocations: { object: '/api/build/item/', isList: true },
  },
  company: {
    company: { object: '/api/company/' },
    name: {},
    description: {},
    addresses: { object: '/api/company/address/', isList: true },
    contacts: { object: '/api/company/contact/', isList: true },
    qr_data: {},
    qr_url: {},
  },
  purchaseorder: orderVariables('po', 'supplier'),
  salesorder: orderVariables('so', 'customer'),
  returnorder: orderVariables('ro', 'customer'),
  transferorder: {
    order: { object: '/api/order/transfer-order/' },
    reference: {},
    description: {},
    title: {},
    lines: { object: '/api/order/transfer-order-line/', isList: true },
    allocations: { object: '/api/order/transfer-order-allocation/', isList: true },
  },
  salesordershipment: {
    shipment: { object: '/api/order/so/shipment/' },
    reference: {},
    tracking_number: {},
    order: { object: '/api/order/so/' },
    title: {},
    address: { object: '/api/company/address/' },
    allocations: { object: '/api/order/so-allocation/', isList: true },
  },
}

/** All variables of the templates of a kind, by name: those of its objects, and those of every template. A test compares them with a print. */
export const listVariables = (kind: TemplateKind): Readonly<Record<string, Variable>> => ({
  ...(isLabel(kind) ? labelVariables : reportVariables),
  ...modelVariables[getTemplateModel(kind)],
})
