import type { PgColumn } from 'drizzle-orm/pg-core'
import * as f from '../../kit/definition/field.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { tagSearch } from '../../kit/definition/tags.ts'
import { companyBrief } from '../company/company.resource.ts'
import { COMPANY_ROLE_RESTRICTIONS } from '../company/company-roles.ts'
import { orderErrors } from './order-errors.ts'

/** The fields of orders with a customer. @param role what the customer does, as the end of a sentence */
export const customerFields = (table: { customer: PgColumn; customer_reference: PgColumn }, role: string): f.Fields => ({
  customer: f.ref(table.customer, {
    only: COMPANY_ROLE_RESTRICTIONS.customer,
    extraColumns: ['currency'],
    filter: true,
    model: 'company',
    apiUrl: '/api/company/',
    filters: { is_customer: true },
    help: `The company that ${role}; it must be a customer.`,
  }),
  customer_reference: f.column(table.customer_reference, {
    search: true,
    order: true,
    label: 'Customer Reference ',
    help: 'The reference of the customer; empty if unknown.',
  }),
  customer_detail: f.nested(table.customer, () => companyBrief(), { flag: { name: 'customer_detail' } }),
})

/** Search and sort expressions of their lists, in addition to those of their own fields. */
export const customerLists: Required<Pick<Resource, 'search' | 'order' | 'defaultOrder'>> = {
  search: ['{customer.name}', '{project_code.code}', tagSearch],
  order: {
    reference: ['{reference_int}', '{reference}'],
    customer__name: ['{customer.name}'],
    project_code: ['{project_code.code}'],
  },
  defaultOrder: ['-reference'],
}

/** Rules for an order that requires a customer, unless that company was deleted. */
export const requireCustomer = ({ rules }: Required<Pick<Resource, 'rules'>>): Pick<Resource, 'rules'> => ({
  rules(write) {
    if (write.after('customer') === null && (!write.before || write.values.customer === null))
      write.errors.customer = [orderErrors.customer_required]
    else return rules(write)
  },
})
