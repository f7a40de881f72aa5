import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { fileAddress, pictureInput, remotePicture, thumbnailAddress } from '../../kit/definition/media.ts'
import { resource } from '../../kit/definition/resource.ts'
import { currencyField } from '../currency/currency-field.ts'
import { defaultCurrency } from '../currency/rates.ts'
import { address } from './address/address.resource.ts'
import { company as table } from './company.table.ts'
import { companyRoles } from './company-roles.ts'

const partsSupplied = '(select count(*) from supplier_part s where s.supplier = {pk})'
const partsManufactured = '(select count(*) from manufacturer_part m where m.manufacturer = {pk})'
const primaryAddress = 'from address a where a.company = {pk} and a."primary"'
const addressLines = ['line1', 'line2', 'postal_code', 'postal_city', 'province', 'country']
const addressLine = `concat_ws(', ', ${addressLines.map((line) => `nullif(a.${line}, '')`).join(', ')})`

const NullableText = Type.Union([Type.String(), Type.Null()])

/** Companies: suppliers, manufacturers and customers; one may be all three. */
export const company = resource({
  path: '/api/company/',
  name: 'Company',
  model: 'company',
  table,
  access: companyRoles,
  fields: {
    pk: f.pk(table.pk),
    url: f.computed(Type.String(), `'/company/' || {pk} || '/'`),
    name: f.column(table.name, { required: true, label: 'Company name', filter: true, search: true, order: true }),
    description: f.column(table.description, { label: 'Company description', search: true }),
    website: f.column(table.website, { format: 'url', search: true }),
    phone: f.column(table.phone, { label: 'Phone number' }),
    /** The primary address in one line; null without one. */
    address: f.computed(NullableText, `(select ${addressLine} ${primaryAddress})`, { type: 'field' }),
    email: f.column(table.email, { format: 'email' }),
    currency: currencyField(table.currency),
    contact: f.column(table.contact),
    link: f.column(table.link, { format: 'url' }),
    image: f.writeOnly(pictureInput(), { shown: fileAddress('{image}'), schema: NullableText }),
    active: f.column(table.active, { filter: true, order: true }),
    is_customer: f.column(table.is_customer, { filter: true }),
    is_manufacturer: f.column(table.is_manufacturer, { filter: true }),
    is_supplier: f.column(table.is_supplier, { filter: true }),
    notes: f.column(table.notes, { multiline: true }),
    parts_supplied: f.computed(Type.Integer(), partsSupplied, { order: true }),
    parts_manufactured: f.computed(Type.Integer(), partsManufactured, { order: true }),
    remote_image: remotePicture(),
    address_count: f.computed(Type.Integer(), '(select count(*) from address a where a.company = {pk})'),
    primary_address: f.nested(`(select a.pk ${primaryAddress})`, () => address),
  },
  defaultOrder: ['name'],
  constraints: {
    company_name_email_key: { non_field_errors: ['A company with this name and e-mail address already exists.'] },
  },
  suggested: async (services) => ({ currency: defaultCurrency(services) }),
  rules({ values, hidden, errors }) {
    if (values.image === null) hidden.image = null
    if (values.remote_image !== undefined) errors.remote_image = ['This service does not fetch pictures from other addresses.']
  },
})

/** A company inside another object. */
export const companyBrief = f.brief(() => company, ['pk', 'active', 'name', 'description', 'image', 'currency'], {
  thumbnail: f.computed(Type.String(), thumbnailAddress('{image}')),
})
