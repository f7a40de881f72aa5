import * as f from '../../../../kit/definition/field.ts'
import { addressDetail } from '../../../company/address/address.resource.ts'
import { userBrief } from '../../../user/user.resource.ts'
import { salesOrderShipment as table } from './shipment.table.ts'

/** A shipment inside an allocation. */
export const shipmentBrief = (): f.ReadShape => ({
  table,
  fields: {
    pk: f.pk(table.pk),
    order: f.readonly(table.order),
    allocated_items: f.uncomputed(),
    shipment_date: f.readonly(table.shipment_date),
    shipment_address: f.readonly(table.shipment_address),
    shipment_address_detail: f.nested(table.shipment_address, addressDetail),
    delivery_date: f.readonly(table.delivery_date),
    checked_by: f.readonly(table.checked_by),
    checked_by_detail: f.nested(table.checked_by, userBrief),
    reference: f.readonly(table.reference),
    tracking_number: f.readonly(table.tracking_number),
    invoice_number: f.readonly(table.invoice_number),
    barcode_hash: f.readonly(table.barcode_hash),
    link: f.readonly(table.link),
    notes: f.readonly(table.notes),
  },
})
