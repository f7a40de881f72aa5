import type { Area } from '../area.ts'
import { address } from './address/address.resource.ts'
import { companyAttachment } from './attachment/company-attachment.resource.ts'
import { company as companyResource } from './company.resource.ts'
import { contact } from './contact/contact.resource.ts'
import { manufacturerPartAttachment } from './part/manufacturer/attachment/manufacturer-part-attachment.resource.ts'
import { manufacturerPart } from './part/manufacturer/manufacturer-part.resource.ts'
import { manufacturerPartParameter } from './part/manufacturer/parameter/manufacturer-part-parameter.resource.ts'
import { supplierPart } from './part/supplier-part.resource.ts'
import { supplierPriceBreak } from './price-break/supplier-price-break.resource.ts'

export const company: Area = {
  resources: [
    companyResource,
    address,
    contact,
    supplierPart,
    manufacturerPart,
    manufacturerPartParameter,
    supplierPriceBreak,
    companyAttachment,
    manufacturerPartAttachment,
  ],
  actions: [],
}
