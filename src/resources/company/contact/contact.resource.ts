import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { companyRoles } from '../company-roles.ts'
import { contact as table } from './contact.table.ts'

export const contact = resource({
  path: '/api/company/contact/',
  name: 'Contact',
  model: 'contact',
  table,
  access: companyRoles,
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    company: f.ref(table.company, { required: true, filter: true, model: 'company', address: '/api/company/' }),
    name: f.column(table.name, { required: true, search: true, order: true }),
    phone: f.column(table.phone),
    email: f.column(table.email, { format: 'email' }),
    role: f.column(table.role),
  },
  search: ['{company.name}'],
  defaultOrder: ['name'],
})

/** A contact inside another object. */
export const contactDetail = f.brief(() => contact, ['pk', 'company', 'name', 'phone', 'email', 'role'])
