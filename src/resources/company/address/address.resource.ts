import { link } from '../../../kit/definition/common.ts'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { parseReferencedKey } from '../../../kit/values/json.ts'
import { companyRoles } from '../company-roles.ts'
import { address as table } from './address.table.ts'

const primaryRule = 'The only address of a company is its primary address; a new primary address replaces the previous one.'

export const address = resource({
  path: '/api/company/address/',
  name: 'Address',
  description: 'A postal address of a company. One of its addresses is the primary one; an order can use any of them.',
  remarks: {
    create: primaryRule,
    update: primaryRule,
    delete:
      'If it was the primary address, the company has none until another one is set. Orders with the address remain, without an address.',
  },
  example: {
    pk: 2,
    create: {
      company: 11,
      title: 'Sales office',
      line1: '2-4 Nishiki-machi',
      postal_code: '460-0003',
      postal_city: 'Nagoya',
      country: 'Japan',
    },
    replace: {
      company: 1,
      title: 'Returns',
      line1: 'Unit 6, Lock Lane',
      postal_code: 'BW2 7LL',
      postal_city: 'Brightwell',
      country: 'United Kingdom',
      internal_shipping_notes: 'Write the return number on the outside',
    },
    change: { shipping_notes: 'Deliveries until 16:00' },
    deletable: 10,
  },
  model: 'address',
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
      help: 'The company of the address.',
    }),
    title: f.column(table.title, {
      required: true,
      order: true,
      label: 'Address title',
      help: 'The name of the address, such as Head office or Returns.',
    }),
    primary: f.column(table.primary, {
      label: 'Primary address',
      help: 'Whether it is the primary address of the company. An only address always is.',
    }),
    line1: f.column(table.line1, { label: 'Line 1', help: 'Street and number, or the first line of the address.' }),
    line2: f.column(table.line2, { label: 'Line 2', help: 'The second line, such as a building or a floor; may be empty.' }),
    postal_code: f.column(table.postal_code, { help: 'The postal code, in the format of the country.' }),
    postal_city: f.column(table.postal_city, { label: 'City/Region', help: 'The town or city.' }),
    province: f.column(table.province, {
      label: 'State/Province',
      help: 'The state, province or county; may be empty.',
    }),
    country: f.column(table.country, { help: 'The name of the country.' }),
    shipping_notes: f.column(table.shipping_notes, {
      label: 'Courier shipping notes',
      help: 'Notes for the carrier, such as opening hours; may be empty.',
    }),
    internal_shipping_notes: f.column(table.internal_shipping_notes, {
      help: 'Internal shipping notes, not for the carrier; may be empty.',
    }),
    link: link(table.link),
  },
  search: ['{title}', '{line1}', '{line2}', '{postal_code}', '{postal_city}', '{province}', '{country}'],
  defaultOrder: ['title'],
  // writers of a company's addresses serialize on the company's row
  locksFirst: (tx, pks, body) =>
    tx.query(
      `select from company where pk in (select company from address where pk = any($1::integer[]) union all select $2::integer)
       order by pk for no key update`,
      [pks, parseReferencedKey(body.company)],
    ),
  async rules({ tx, values, before, after }) {
    const company = after('company')
    const otherAddresses = await tx.query<{ primary: boolean }>('select "primary" from address where company = $1 and pk <> $2', [
      company,
      before?.pk ?? 0,
    ])
    if (otherAddresses.length === 0) values.primary = true
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
