import { getTemplateModel, isLabel, type TemplateKind, type TemplateModel } from '../kinds.ts'

/** A variable that templates of a kind have. */
export type Variable = {
  /** One sentence about its value, for the editor of templates. */
  about: string
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
  base_url: { about: 'The address of this installation, without a slash at the end.' },
  date: { about: 'Today, as a date.' },
  datetime: { about: 'The date and time of the print.' },
  user: { about: 'The account that prints.', object: '/api/user/me/' },
  logo: { about: 'The logo, for `src` of a picture; empty without one.' },
  sender: { about: 'The letterhead of this installation.', fields: ['name', 'address', 'contact', 'tax_id', 'footer'] },
  language: { about: 'The language of documents, `en` or `de`.' },
}

const labelVariables: Record<string, Variable> = {
  ...commonVariables,
  label_template: { about: 'This template.', ...TEMPLATE_FIELDS },
  width: { about: 'The width of the label, in millimeters.' },
  height: { about: 'The height of the label, in millimeters.' },
  page_style: { about: 'The CSS rule that makes the page as large as the label.' },
}

const reportVariables: Record<string, Variable> = {
  ...commonVariables,
  report_template: { about: 'This template.', ...TEMPLATE_FIELDS },
  report_name: { about: 'The name of this template.' },
  report_description: { about: 'The description of this template.' },
  report_revision: { about: 'The number of times that this template was saved.' },
  page_size: { about: 'The size of the page, such as A4.' },
}

const orderVariables = (kind: 'po' | 'so' | 'ro', partner: 'supplier' | 'customer'): Record<string, Variable> => ({
  order: { about: 'The order.', object: `/api/order/${kind}/` },
  reference: { about: 'Its reference, such as PO-0012.' },
  description: { about: 'Its description.' },
  title: { about: 'Its reference and company, as a heading.' },
  [partner]: { about: `The ${partner}.`, object: '/api/company/' },
  lines: { about: 'Its lines.', object: `/api/order/${kind}-line/`, isList: true },
  extra_lines: { about: 'Its other charges.', object: `/api/order/${kind}-extra-line/`, isList: true },
})

const modelVariables: Record<TemplateModel, Record<string, Variable>> = {
  part: {
    part: { about: 'The part.', ...PART },
    category: { about: 'Its category.', object: '/api/part/category/' },
    bom_items: { about: 'The lines of its BOM.', ...BOM_ITEMS },
    test_template_list: { about: 'Its tests.', ...TESTS },
    name: { about: 'Its name.' },
    description: { about: 'Its description.' },
    IPN: { about: 'Its internal part number.' },
    revision: { about: 'Its revision.' },
    qr_data: { about: 'The text for a QR code that a scan in Stockroom recognizes.' },
    qr_url: { about: 'The address of its page, for a QR code that any phone opens.' },
    parameters: { about: 'The values of its parameters by name: {{ parameters.Resistance }}.' },
  },
  stockitem: {
    item: { about: 'The stock item.', ...STOCK_ITEM },
    stock_item: { about: 'The same as item.', ...STOCK_ITEM },
    part: { about: 'Its part.', ...PART },
    name: { about: 'The full name of its part.' },
    ipn: { about: 'The internal part number of its part.' },
    revision: { about: 'The revision of its part.' },
    parameters: { about: 'The values of the parameters of its part by name.' },
    quantity: { about: 'Its quantity.' },
    serial: { about: 'Its serial number; empty for none.' },
    batch: { about: 'Its batch code; empty for none.' },
    barcode_hash: { about: 'The checksum of the barcode that is linked to it.' },
    barcode_data: { about: 'The text of the barcode that is linked to it.' },
    qr_data: { about: 'The text for a QR code that a scan in Stockroom recognizes.' },
    qr_url: { about: 'The address of its page, for a QR code that any phone opens.' },
    tests: { about: 'Its newest test results by key of the test.' },
    installed_items: { about: 'The items installed in it, at any depth.', ...STOCK_ITEMS },
    child_items: { about: 'The items split off from it.', ...STOCK_ITEMS },
    test_keys: { about: 'The keys of its tests and results.' },
    test_template_list: { about: 'The tests of its part, required ones first.', ...TESTS },
    test_template_map: { about: 'The tests of its part by key.' },
    test_templates: { about: 'The same as test_template_map.' },
    results: { about: 'The newest result of each test by key.' },
    result_list: { about: 'The newest result of each test.', ...TEST_RESULTS },
  },
  stocklocation: {
    location: { about: 'The location.', object: '/api/stock/location/' },
    stock_location: { about: 'The same as location.', object: '/api/stock/location/' },
    parent: { about: 'Its parent location.', object: '/api/stock/location/' },
    stock_items: { about: 'The stock in it and in the locations below it.', ...STOCK_ITEMS },
    qr_data: { about: 'The text for a QR code that a scan in Stockroom recognizes.' },
    qr_url: { about: 'The address of its page, for a QR code that any phone opens.' },
  },
  build: {
    build: { about: 'The build order.', object: '/api/build/' },
    part: { about: 'The part that is built.', ...PART },
    build_outputs: { about: 'Its outputs.', ...STOCK_ITEMS },
    line_items: { about: 'The components that it needs.', object: '/api/build/line/', isList: true },
    bom_items: { about: 'The lines of the BOM of its part.', ...BOM_ITEMS },
    reference: { about: 'Its reference, such as BO-0012.' },
    quantity: { about: 'The quantity to build.' },
    title: { about: 'Its description.' },
  },
  buildline: {
    build_line: { about: 'The component of a build order.', object: '/api/build/line/' },
    build: { about: 'The build order.', object: '/api/build/' },
    bom_item: { about: 'The BOM line.', object: '/api/bom/' },
    part: { about: 'The part of the component.', ...PART },
    quantity: { about: 'The quantity that the build order needs.' },
    allocated_quantity: { about: 'The quantity allocated to it.' },
    allocations: { about: 'The stock allocated to it.', object: '/api/build/item/', isList: true },
  },
  company: {
    company: { about: 'The company.', object: '/api/company/' },
    name: { about: 'Its name.' },
    description: { about: 'Its description.' },
    addresses: { about: 'Its addresses.', object: '/api/company/address/', isList: true },
    contacts: { about: 'Its contacts.', object: '/api/company/contact/', isList: true },
    qr_data: { about: 'The text for a QR code that a scan in Stockroom recognizes.' },
    qr_url: { about: 'The address of its page, for a QR code that any phone opens.' },
  },
  purchaseorder: orderVariables('po', 'supplier'),
  salesorder: orderVariables('so', 'customer'),
  returnorder: orderVariables('ro', 'customer'),
  transferorder: {
    order: { about: 'The transfer order.', object: '/api/order/transfer-order/' },
    reference: { about: 'Its reference, such as TO-0012.' },
    description: { about: 'Its description.' },
    title: { about: 'Its reference, as a heading.' },
    lines: { about: 'Its lines.', object: '/api/order/transfer-order-line/', isList: true },
    allocations: { about: 'The stock allocated to it.', object: '/api/order/transfer-order-allocation/', isList: true },
  },
  salesordershipment: {
    shipment: { about: 'The shipment.', object: '/api/order/so/shipment/' },
    reference: { about: 'Its reference.' },
    tracking_number: { about: 'Its tracking number; empty for none.' },
    order: { about: 'The sales order.', object: '/api/order/so/' },
    title: { about: 'The references of its order and of the shipment, as a heading.' },
    address: { about: 'The address that it goes to.', object: '/api/company/address/' },
    allocations: { about: 'The stock in it.', object: '/api/order/so-allocation/', isList: true },
  },
}

/** All variables of the templates of a kind, by name: those of its objects, and those of every template. A test compares them with a print. */
export const listVariables = (kind: TemplateKind): Readonly<Record<string, Variable>> => ({
  ...(isLabel(kind) ? labelVariables : reportVariables),
  ...modelVariables[getTemplateModel(kind)],
})
