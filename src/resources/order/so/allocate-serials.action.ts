import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { orNull } from '../../../kit/definition/input.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { MAX_SERIALS_TEXT_LENGTH, readSerialNumbers, SERIAL_NUMBERS_HELP } from '../../stock/movement/read-serials.ts'
import { orderErrors } from '../order-errors.ts'
import { allocate, checkShipment, lockOpenOrder } from '../so-allocation/allocate.ts'
import { canOverAllocate, findOverAllocationError, readLines } from '../so-allocation/allocation-rules.ts'
import { findAvailableUnits, serialsAllocatedProblem } from '../so-allocation/available-units.ts'
import { salesOrderLine } from '../so-line/so-line.table.ts'
import { allowOverAllocation, requireShipment, shipmentInput } from './allocation-input.ts'
import { SALES_ORDER } from './so-kind.ts'

const ALLOCATED = Type.Object({
  line_item: Type.Integer(),
  quantity: Type.Integer(),
  serial_numbers: Type.String(),
  shipment: orNull(Type.Integer()),
  allow_over_allocation: Type.Boolean(),
})

/** See docs/interface/orders.md#allocating-and-shipping. */
export const allocateSerials = action({
  method: 'POST',
  path: '/api/order/so/{id}/allocate-serials/',
  summary: 'Allocate serialized stock to a sales order line',
  description:
    'Allocates individual units, named by their serial numbers, to a line of an open order, for one of its shipments: all of them or none.',
  errors: {
    invalid:
      'The number of serial numbers does not match the quantity; stock of the part of the line or its variants does not include one of them, or it is already allocated; they exceed the shortage of the line, without `allow_over_allocation`; the line has no part or belongs to another order; or the shipment was shipped or belongs to another order.',
    wrong_state: 'The order is neither pending nor in progress.',
  },
  versioned: true,
  example: { params: { id: 2 }, body: { line_item: 3, quantity: 1, serial_numbers: '7', shipment: 3 } },
  access: SALES_ORDER.access,
  body: {
    line_item: input.reference(() => salesOrderLine, {
      required: true,
      options: { model: 'salesorderlineitem', api_url: '/api/order/so-line/' },
      label: 'Line Item',
      help: 'The line of this order to allocate to.',
    }),
    quantity: input.integer({ required: true, min: 1, help: 'The number of units.' }),
    serial_numbers: input.text({
      required: true,
      max: MAX_SERIALS_TEXT_LENGTH,
      multiline: true,
      label: 'Serial Numbers',
      help: `As many serial numbers as the quantity. ${SERIAL_NUMBERS_HELP}`,
    }),
    shipment: shipmentInput,
    allow_over_allocation: allowOverAllocation,
  },
  api530: { response: ALLOCATED, defaults: { shipment: null } },
  response: ALLOCATED,
  async run(request) {
    const { tx, pk, body } = request
    requireShipment(request, body.shipment)
    await lockOpenOrder(request)
    const line = (await readLines(tx, [body.line_item], body.shipment)).get(body.line_item)
    if (line?.order !== pk) throw invalid({ line_item: [orderErrors.line_of_other_order] })
    if (line.part === null) throw invalid({ line_item: [orderErrors.line_without_part] })
    checkShipment(request, line, body.shipment)
    const serials = await readSerialNumbers(request, line.part, body.serial_numbers, String(body.quantity))
    const units = await findAvailableUnits(tx, line.part, serials)
    const quantityError = findOverAllocationError(line, String(body.quantity))
    if (quantityError && !canOverAllocate(request, body.allow_over_allocation)) throw invalid({ quantity: [quantityError] })
    await allocate(request, {
      shipment: body.shipment,
      entries: serials.map((serial) => ({
        line_item: body.line_item,
        stock_item: units.get(serial) as number,
        quantity: '1',
      })),
      allowOverAllocation: true,
      toProblem: (errors) => serialsAllocatedProblem(serials.filter((_, index) => Object.keys(errors[index] ?? {}).length > 0)),
    })
    return body
  },
})
