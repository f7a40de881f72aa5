import { Type } from 'typebox'
import { link, notes } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import { buildThumbnailUrlSql, picture, remotePicture } from '../../kit/definition/media.ts'
import { resource } from '../../kit/definition/resource.ts'
import { tagFilters, tagSearch, tagsOnRequest } from '../../kit/definition/tags.ts'
import { webPageSql } from '../../web-pages.ts'
import { currencyField } from '../currency/currency-field.ts'
import { defaultCurrency } from '../currency/rates.ts'
import { importedFilter } from '../imported-filter.ts'
import { duplicateField, insertDuplicate } from '../parameter/duplicate.ts'
import { parameterFilters, parameterOrders, parametersField } from '../parameter/parameter-list.ts'
import { address } from './address/address.resource.ts'
import { company as table } from './company.table.ts'
import { companyErrors } from './company-errors.ts'
import { companyRoles } from './company-roles.ts'
import { requireNoStock } from './delete-company.ts'

const partsSupplied = '(select count(*) {from supplier_part} s where s.supplier = {pk})'
const partsManufactured = '(select count(*) {from manufacturer_part} m where m.manufacturer = {pk})'
const primaryAddress = '{from address} a where a.company = {pk} and a."primary"'
const addressLines = ['line1', 'line2', 'postal_code', 'postal_city', 'province', 'country']
const addressLine = `concat_ws(', ', ${addressLines.map((line) => `nullif(a.${line}, '')`).join(', ')})`

const NullableText = Type.Union([Type.String(), Type.Null()])

export const company = resource({
  path: '/api/company/',
  name: 'Company',
  description: 'A supplier, manufacturer or customer; a company can be all three.',
  remarks: {
    delete:
      'Deletes its contacts, addresses, supplier parts and manufacturer parts as well. Orders remain, without a supplier or customer. Rejected while the company, as a customer, has stock items: they would count as in stock again. Make the company inactive instead.',
  },
  example: {
    pk: 1,
    create: {
      name: 'Isar Sensors',
      description: 'Light and touch sensors, small quantities',
      website: 'https://isar-sensors.example',
      email: 'order@isar-sensors.example',
      currency: 'EUR',
      is_supplier: true,
      is_manufacturer: true,
    },
    replace: {
      name: 'Brightwell Components',
      description: 'Electronic parts by the reel and by the strip, next day',
      website: 'https://brightwell.example',
      email: 'sales@brightwell.example',
      phone: '+44 1632 960142',
      currency: 'GBP',
      notes: 'Free delivery above **£90**.',
    },
    change: { contact: 'Harriet, mornings', phone: '+44 1632 960142' },
    deletable: 8,
  },
  model: 'company',
  table,
  access: companyRoles,
  bulkUpdate: true,
  fields: {
    pk: f.pk(table.pk),
    url: f.computed(Type.String(), webPageSql('/api/company/'), { help: 'The path of its page in a web interface.' }),
    name: f.column(table.name, {
      required: true,
      label: 'Company name',
      filter: true,
      search: true,
      order: true,
      help: 'The name of the company. The combination of name and email address is unique.',
    }),
    description: f.column(table.description, {
      label: 'Company description',
      search: true,
      help: 'A short description, such as its products; may be empty.',
    }),
    website: link(table.website, { search: true, help: 'Its website, with http or https; empty for none.' }),
    phone: f.column(table.phone, { label: 'Phone number', help: 'Its phone number, as free text; empty for none.' }),
    address: f.computed(NullableText, `(select ${addressLine} ${primaryAddress})`, {
      type: 'field',
      help: 'Its primary address in one line; null without one.',
    }),
    email: f.column(table.email, {
      format: 'email',
      api530: { metadata: { default: '' } },
      help: 'Its email address; empty for none.',
    }),
    currency: currencyField(table.currency, {
      api530: { input: { required: true } },
      help: 'The currency of its quotes, and the default currency of its orders. The default is the default currency.',
    }),
    tax_id: f.column(table.tax_id, {
      search: true,
      label: 'Tax ID',
      help: 'The tax number of the company, such as its VAT number; empty for none.',
    }),
    contact: f.column(table.contact, {
      help: 'The main contact person, as free text; empty for none. Use contacts for people with their own phone number or email address.',
    }),
    link: link(table.link),
    image: picture(table.image, 'company_images'),
    active: f.column(table.active, {
      filter: true,
      order: true,
      help: 'Whether the company is in use. Lists can be filtered by it; it restricts nothing.',
    }),
    is_customer: f.column(table.is_customer, {
      filter: true,
      help: 'Whether it is a customer. Only customers can be assigned stock.',
    }),
    is_manufacturer: f.column(table.is_manufacturer, {
      filter: true,
      help: 'Whether it is a manufacturer. Only manufacturers can have manufacturer parts.',
    }),
    is_supplier: f.column(table.is_supplier, {
      filter: true,
      help: 'Whether it is a supplier. Only suppliers can have supplier parts and purchase orders.',
    }),
    notes: notes(table.notes),
    tags: tagsOnRequest(table.tags),
    parts_supplied: f.computed(Type.Integer(), partsSupplied, { order: true, help: 'The number of its supplier parts.' }),
    parts_manufactured: f.computed(Type.Integer(), partsManufactured, {
      order: true,
      help: 'The number of its manufacturer parts.',
    }),
    remote_image: remotePicture(table.image, 'company_images'),
    address_count: f.computed(Type.Integer(), '(select count(*) {from address} a where a.company = {pk})', {
      help: 'The number of its addresses.',
    }),
    primary_address: f.nested(`(select a.pk ${primaryAddress})`, () => address, {
      flag: { name: 'address_detail', list: true, detail: true, api530: false },
      help: 'Its primary address; null without one.',
    }),
    parameters: parametersField('company'),
    duplicate: duplicateField('company'),
  },
  orderFamily: parameterOrders('company'),
  filters: { ...importedFilter('company'), ...tagFilters, ...parameterFilters('company') },
  search: [tagSearch],
  defaultOrder: ['name'],
  constraints: {
    company_name_email_key: { non_field_errors: [companyErrors.company_name_taken] },
  },
  suggestValues: async (services) => ({ currency: defaultCurrency(services) }),
  deletesExclusively: true,
  beforeDelete: requireNoStock,
  completeBody: ({ services, body }) => (services.config.wire.emptyTexts ? { email: '', ...body } : body),
  insert: insertDuplicate('company', () => company),
})

/** A company inside another object. */
export const companyBrief = f.brief(
  () => company,
  ['pk', 'active', 'name', 'description', 'image', 'currency'],
  {
    thumbnail: f.computed(Type.String(), buildThumbnailUrlSql('{image}')),
  },
  ['tax_id'],
)
