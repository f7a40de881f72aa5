import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { companyRoles } from '../company-roles.ts'
import { contact as table } from './contact.table.ts'

export const contact = resource({
  path: '/api/company/contact/',
  name: 'Contact',
  description: 'A contact person at a company. An order can name a contact of its supplier or customer.',
  remarks: { delete: 'Orders that name the contact remain, without a contact.' },
  example: {
    pk: 2,
    create: { company: 9, name: 'Ingrid Moen', role: 'Samples', email: 'ingrid@halden.example' },
    replace: { company: 1, name: 'Tom Ashdown', role: 'Returns', email: 'returns@brightwell.example', phone: '+44 1632 960144' },
    change: { role: 'Returns and repairs' },
    deletable: 8,
  },
  model: 'contact',
  table,
  access: companyRoles,
  deletesExclusively: true,
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    company: f.ref(table.company, {
      required: true,
      filter: true,
      model: 'company',
      apiUrl: '/api/company/',
      help: 'The company of the contact.',
    }),
    company_name: f.extended(
      f.computed(Type.String(), '{company.name}', { label: 'Company Name', help: 'The name of the company.' }),
    ),
    name: f.column(table.name, { required: true, search: true, order: true, help: 'The name of the contact.' }),
    phone: f.column(table.phone, { help: 'The phone number, as free text; empty for none.' }),
    email: f.column(table.email, { format: 'email', help: 'The email address; empty for none.' }),
    role: f.column(table.role, { help: 'The role at the company, such as Sales; may be empty.' }),
  },
  search: ['{company.name}'],
  defaultOrder: ['name'],
})

/** A contact inside another object. */
export const contactDetail = f.brief(() => contact, ['pk', 'company', 'name', 'phone', 'email', 'role'], {}, ['company_name'])
