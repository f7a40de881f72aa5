import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { MAX_SERIALS_TEXT_LENGTH, readSerialNumbers, SERIAL_NUMBERS_HELP } from '../../stock/movement/read-serials.ts'
import { orderErrors } from '../order-errors.ts'
import { allowOverAllocation } from '../so/allocation-input.ts'
import { canOverAllocate, findOverAllocationError } from '../so-allocation/allocation-rules.ts'
import { findAvailableUnits, serialsAllocatedProblem } from '../so-allocation/available-units.ts'
import { allocate, lockIssuedOrder, readLines } from '../transfer-order-allocation/allocate.ts'
import { transferOrderLine } from '../transfer-order-line/transfer-order-line.table.ts'
import { TRANSFER_ORDER } from './transfer-order-kind.ts'

/** See docs/interface/orders.md#transfer-orders. */
export const allocateSerialsToTransferOrder = action({
  method: 'POST',
  path: '/api/order/transfer-order/{id}/allocate-serials/',
  summary: 'Allocate serialized stock to a transfer order line',
  description: 'Allocates individual units, named by their serial numbers, to a line of an issued order: all of them or none.',
  errors: {
    invalid:
      'The number of serial numbers does not match the quantity; stock of the part of the line or its variants does not include one of them, or it is already allocated; they exceed the shortage of the line, without `allow_over_allocation`; or the line has no part or belongs to another order.',
    wrong_state: 'The order is not issued.',
  },
  versioned: true,
  example: { params: { id: 1 }, body: { line_item: 2, quantity: 1, serial_numbers: '1' } },
  access: TRANSFER_ORDER.access,
  body: {
    line_item: input.reference(() => transferOrderLine, {
      required: true,
      options: { model: 'transferorderlineitem', api_url: '/api/order/transfer-order-line/' },
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
    allow_over_allocation: allowOverAllocation,
  },
  response: Type.Object({
    line_item: Type.Integer(),
    quantity: Type.Integer(),
    serial_numbers: Type.String(),
    allow_over_allocation: Type.Boolean(),
  }),
  async run(request) {
    const { tx, pk, body } = request
    await lockIssuedOrder(request)
    const line = (await readLines(tx, [body.line_item])).get(body.line_item)
    if (line?.order !== pk) throw invalid({ line_item: [orderErrors.line_of_other_order] })
    if (line.part === null) throw invalid({ line_item: [orderErrors.line_without_part] })
    const serials = await readSerialNumbers(request, line.part, body.serial_numbers, String(body.quantity))
    const units = await findAvailableUnits(tx, line.part, serials)
    const quantityError = findOverAllocationError(line, String(body.quantity))
    if (quantityError && !canOverAllocate(request, body.allow_over_allocation)) throw invalid({ quantity: [quantityError] })
    await allocate(request, {
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
