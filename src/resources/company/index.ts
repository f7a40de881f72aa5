import type { Area } from '../area.ts'
import { address } from './address/address.resource.ts'
import { company as companyResource } from './company.resource.ts'
import { contact } from './contact/contact.resource.ts'

export const company: Area = { resources: [companyResource, address, contact], actions: [] }
