import {
  any,
  arrayOf,
  boolean,
  date,
  dateTime,
  decimal,
  detailOf,
  email,
  type Field,
  integer,
  number,
  object,
  oneOf,
  type Shape,
  string,
  uri,
} from './fields.ts'
import { make } from './test-data.ts'

// The section "Resources and their fields" of the specification.

const required = true
const nullable = true
const output = true

/** A boolean that is accepted, but returned with its default: it controls the write, or is not trusted. */
const ignoredBoolean = (initial: boolean): Field => ({ ...boolean({ default: initial }), isIgnored: true })

export const CURRENCIES = ['AUD', 'CAD', 'CNY', 'EUR', 'GBP', 'JPY', 'NZD', 'USD'] as const

export const Detail: Shape = { detail: string({ output }) }

export const Metadata: Shape = { metadata: any({ required }) }

export const EmailAddress: Shape = {
  email: email({ max: 254, required }),
  id: integer({ output }),
  primary: ignoredBoolean(false),
  user: integer({ required, createTarget: (_, { user }) => Promise.resolve(user as number) }),
  verified: ignoredBoolean(false),
}

export const SocialProviderListResponse: Shape = {
  mfa_required: boolean({ output }),
  password_forgotten_enabled: boolean({ output }),
  providers: arrayOf({
    configured: boolean(),
    connect: string(),
    display_name: string(),
    id: string(),
    login: string(),
    name: string(),
  }),
  registration_enabled: boolean({ output }),
  sso_enabled: boolean({ output }),
  sso_registration: boolean({ output }),
}

export const SocialAccount: Shape = {
  id: integer({ output }),
  provider: string({ output }),
  uid: string({ output }),
  date_joined: dateTime(),
  last_login: dateTime(),
}

export const Token: Shape = { key: string({ min: 50, max: 100, output }) }

export const PurchaseOrder: Shape = {
  pk: integer({ output }),
  // the default pattern of references is defined by the service
  reference: string({ required, generate: () => make.reference() }),
  description: string({ max: 250 }),
  supplier: integer({ required, nullable, createTarget: make.supplier }),
  supplier_reference: string({ max: 64 }),
  status: integer({ output }),
  status_text: string({ output }),
  overdue: boolean({ output }),
  creation_date: date({ nullable }),
  target_date: date({ nullable }),
  issue_date: date({ output, nullable }),
  complete_date: date({ output, nullable }),
  line_items: integer({ output }),
  completed_lines: integer({ output }),
  total_price: decimal({ output, nullable }),
  order_currency: oneOf(CURRENCIES, { blank: true, nullable }),
  link: uri({ max: 200 }),
  notes: string({ max: 50_000, nullable }),
  contact: integer({ nullable, createTarget: (fixture, { supplier }) => make.contact(fixture, supplier as number) }),
  contact_detail: detailOf('contact'),
  address: integer({ nullable, createTarget: (fixture, { supplier }) => make.address(fixture, supplier as number) }),
  address_detail: detailOf('address'),
  project_code: integer({ nullable, createTarget: make.projectCode }),
  project_code_detail: detailOf('project_code'),
  responsible: integer({ nullable, createTarget: make.owner }),
  responsible_detail: detailOf('responsible'),
  barcode_hash: string({ output }),
}

export const PurchaseOrderLineItem: Shape = {
  pk: integer({ output }),
  order: integer({ required, createTarget: make.order }),
  part: integer({ nullable, createTarget: make.supplierPartOfOrder }),
  reference: string({ max: 100 }),
  quantity: number({ minimum: 0, required }),
  received: number({ output, default: 0 }),
  purchase_price: decimal({ nullable }),
  purchase_price_currency: oneOf(CURRENCIES),
  auto_pricing: ignoredBoolean(true),
  merge_items: ignoredBoolean(true),
  destination: integer({ nullable, createTarget: make.location }),
  destination_detail: detailOf('destination'),
  target_date: date({ nullable }),
  notes: string({ max: 500 }),
  link: uri({ max: 200 }),
  overdue: boolean({ output }),
  total_price: number({ output }),
}

export const PurchaseOrderExtraLine: Shape = {
  pk: integer({ output }),
  order: integer({ required, createTarget: make.order }),
  quantity: number({ required }),
  reference: string({ max: 100 }),
  description: string({ max: 250 }),
  price: decimal({ nullable }),
  price_currency: oneOf(CURRENCIES),
  link: uri({ max: 200 }),
  notes: string({ max: 500 }),
  context: any(),
}

export const PluginConfig: Shape = {
  pk: integer({ output }),
  key: string({ output }),
  name: string({ nullable, max: 255 }),
  package_name: string({ nullable, max: 255 }),
  active: boolean(),
  is_builtin: boolean({ output }),
  is_installed: boolean({ output }),
  is_package: boolean({ output }),
  is_sample: boolean({ output }),
  meta: object(),
  mixins: object(),
}

/** The JSON text of a list of choices (docs/configuration.md#wire-form). */
const choices: Field = {
  ...string({ output }),
  matches: (value) => typeof value === 'string' && Array.isArray(JSON.parse(value)),
}

/** Fields of all settings. A boolean may be sent for a `value` (docs/decisions.md#types-in-bodies). */
const Setting = (value: Field): Shape => ({
  pk: integer({ output }),
  key: string({ output }),
  value,
  name: string({ output }),
  description: string({ output }),
  choices,
  model_name: string({ output }),
  api_url: string({ output }),
  typ: string({ output }),
  type: string({ output }),
})

const freeText = string({ required, rejects: [{}, []] })
const booleanString = string({ required, generate: () => 'True', rejects: [{}, []] })

export const PluginSetting: Shape = { ...Setting(booleanString), plugin: string({ output }), required: boolean({ output }) }
export const GlobalSettings: Shape = { ...Setting(freeText), units: string({ output }) }
export const NotificationUserSetting: Shape = {
  ...Setting(booleanString),
  method: string({ output }),
  required: boolean({ output }),
}

/** `filters` of a template: pairs of a field of the printed object and its value. */
const filters = (name: string) => string({ max: 250, generate: (length) => `${name}=`.padEnd(length, 'x') })

/** Fields of a label template; `printed` is a field of the printed object, for its filters. */
export const LabelTemplate = (printed: string): Shape => ({
  pk: integer({ output }),
  name: string({ max: 100, required }),
  label: uri({ required }),
  description: string({ nullable, max: 250 }),
  enabled: boolean(),
  filters: filters(printed),
})

/** Fields of all report templates. */
export const ReportTemplate = (printed: string): Shape => ({
  pk: integer({ output }),
  name: string({ max: 100, required }),
  description: string({ max: 250, required }),
  template: uri({ required }),
  enabled: boolean(),
  filters: filters(printed),
})

export const BomReport: Shape = {
  ...ReportTemplate('name'),
  landscape: boolean(),
  page_size: oneOf(['A4', 'A3', 'Legal', 'Letter']),
}

export const ReportAsset: Shape = {
  pk: integer({ output }),
  asset: uri({ required }),
  description: string({ max: 250, required }),
}
