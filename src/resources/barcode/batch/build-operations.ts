import { Reply } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { buildOrder } from '../../build/build.table.ts'
import { buildErrors } from '../../build/build-errors.ts'
import { BUILD_ORDER } from '../../build/build-kind.ts'
import { ACTIVE_STATES } from '../../build/build-status.ts'
import { buildLine } from '../../build/line/build-line.table.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { checkExpiryInput } from '../../stock/usable-stock.ts'
import { barcodeInput } from '../barcode-input.ts'
import { allocateScanned } from '../build-allocate/allocate-scanned.ts'
import { type Operation, operation } from '../operation.ts'
import { toScanFields } from '../response.ts'
import { requireStockItem, scan } from '../scan.ts'

/** Allocates the stock item of a code to a build order. */
export const allocateToBuild: Operation = operation({
  name: 'build-allocate',
  access: BUILD_ORDER.access,
  body: {
    barcode: barcodeInput,
    build: input.reference(() => buildOrder, {
      required: true,
      options: { model: 'build', api_url: '/api/build/' },
      label: 'Build order',
      help: 'The build order to which stock is allocated, or which the barcode belongs to.',
    }),
    build_line: input.reference(() => buildLine, {
      nullable: true,
      options: { model: 'buildline', api_url: '/api/build/line/' },
      label: 'Build Line Item',
      help: 'The build order line; empty for the only one that is short of the part. Lines of the part itself come before those where it is a variant or substitute.',
    }),
    output: input.reference(() => stockItem, {
      nullable: true,
      options: { model: 'stockitem', api_url: '/api/stock/' },
      label: 'Build Output',
      help: 'The output for a tracked component; empty for the only one that is short of it, and for components that are not tracked.',
    }),
    quantity: input.optional(
      input.quantity({ help: 'The quantity to allocate, in units of the part; empty for as much as is missing and available.' }),
    ),
    check_expiry: checkExpiryInput('build'),
  },
  prepare: scan,
  async run(request) {
    const { tx, prepared, body } = request
    const { build, build_line = null, output = null, quantity, check_expiry: checkExpiry } = body
    const order = await tx.first<{ status: number }>('select status from build_order where pk = $1', [build])
    // the error is final, so that clients do not resend a queued scan forever
    if (!ACTIVE_STATES.includes(order?.status ?? 0)) throw invalid({ build: [buildErrors.build_closed] })
    const item = requireStockItem(request, prepared)
    const allocationRequest = { item, line: build_line, output, quantity, checkExpiry, scanFields: toScanFields(prepared) }
    const { allocation, undo } = await allocateScanned({ ...request, pk: build, ifMatch: undefined }, allocationRequest)
    return {
      reply: new Reply(201, { ...allocation, success: 'Stock item allocated to build order' }),
      objects: [
        { kind: 'stockitem', pk: item },
        { kind: 'build', pk: build },
      ],
      undo,
    }
  },
})
