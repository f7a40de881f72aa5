import * as input from '../../../kit/definition/input.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { salesOrderShipment } from './shipment/shipment.table.ts'

/** Shipment that the allocated stock ships with. */
export const shipmentInput = input.reference(() => salesOrderShipment, {
  required: true,
  nullable: true,
  options: { model: 'salesordershipment', api_url: '/api/order/so/shipment/' },
  help: 'The shipment of this order to ship it with, one that has not been shipped.',
})

/** Rejects an allocation without a shipment, which only clients of API 530 select later. */
export function requireShipment({ config }: Services, shipment: number | null): void {
  if (shipment === null && !config.wire.changedRequirements) throw invalid({ shipment: [valueErrors.null_not_allowed] })
}

/** See docs/configuration.md#wire-form. */
export const allowOverAllocation = input.boolean({
  default: false,
  help: 'Whether to allow allocating more than a line is short of; otherwise that is rejected.',
})
