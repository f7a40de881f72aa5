import * as input from '../../../kit/definition/input.ts'
import { salesOrderShipment } from './shipment/shipment.table.ts'

/** Shipment that the allocated stock ships with. */
export const shipmentInput = input.reference(() => salesOrderShipment, {
  required: true,
  options: { model: 'salesordershipment', api_url: '/api/order/so/shipment/' },
  help: 'The shipment of this order to ship it with, one that has not been shipped.',
})

/** See docs/configuration.md#wire-form. */
export const allowOverAllocation = input.boolean({
  default: false,
  help: 'Whether to allow allocating more than a line is short of; otherwise that is rejected.',
})
