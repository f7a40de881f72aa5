import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { companyRoles } from '../company-roles.ts'
import { address as table } from './address.table.ts'

/** Addresses of companies. A company's first address is its primary one; making another primary demotes the one before. */
export const address = resource({
  path: '/api/company/address/',
  name: 'Address',
  model: 'address',
  table,
  access: companyRoles,
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    company: f.ref(table.company, { required: true, filter: true, model: 'company', address: '/api/company/' }),
    title: f.column(table.title, { required: true, order: true }),
    primary: f.column(table.primary, { label: 'Primary address' }),
    line1: f.column(table.line1, { label: 'Line 1' }),
    line2: f.column(table.line2, { label: 'Line 2' }),
    postal_code: f.column(table.postal_code),
    postal_city: f.column(table.postal_city, { label: 'City/Region' }),
    province: f.column(table.province, { label: 'State/Province' }),
    country: f.column(table.country),
    shipping_notes: f.column(table.shipping_notes, { label: 'Courier shipping notes' }),
    internal_shipping_notes: f.column(table.internal_shipping_notes),
    link: f.column(table.link, { format: 'url' }),
  },
  defaultOrder: ['title'],
  async rules({ tx, values, before, after }) {
    const company = after('company')
    // the company's row is what two writers of its addresses meet at
    await tx.query('select 1 from company where pk = $1 for update', [company])
    const others = await tx.query<{ primary: boolean }>('select "primary" from address where company = $1 and pk <> $2', [
      company,
      before?.pk ?? 0,
    ])
    if (others.length === 0) values.primary = true
    else if (after('primary'))
      await tx.query('update address set "primary" = false where company = $1 and "primary" and pk <> $2', [
        company,
        before?.pk ?? 0,
      ])
  },
})

/** An address inside another object. */
export const addressDetail = f.brief(
  () => address,
  ['pk', 'line1', 'line2', 'postal_code', 'postal_city', 'province', 'country', 'shipping_notes', 'internal_shipping_notes'],
)
