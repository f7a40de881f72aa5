import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { orNull } from '../../kit/definition/input.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { MAX_SERIAL_NUMBERS } from '../../notation/serial/serial-numbers.ts'
import { buildOrder } from '../build/build.table.ts'
import { purchaseOrder } from '../order/po/po.table.ts'
import { part } from '../part/part.table.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import { generateBatchCode } from '../stock/serial/new-batch-code.ts'
import { computeNextSerial } from '../stock/serial/next-serial.ts'
import { readLatestSerial } from '../stock/serial/serials-in-use.ts'
import { stockItem } from '../stock/stock-item.table.ts'

/** @param heading what clients of API 530 call it, if not by its name */
const reference = (
  table: Parameters<typeof input.reference>[0],
  model: string,
  api_url: string,
  help: string,
  heading?: string,
) =>
  input.reference(table, {
    nullable: true,
    default: null as never,
    options: { model, api_url },
    help,
    ...(heading && { api530: { metadata: { label: heading } } }),
  })

const partInput = reference(() => part, 'part', '/api/part/', 'The part of the stock; empty for any.')

/** The other fields are those of InvenTree: the template of batch codes depends on the date only. */
const newBatchCode = action({
  method: 'POST',
  path: '/api/generate/batch-code/',
  summary: 'Generate a batch code',
  description:
    'Returns the batch code that new stock would get: of a plugin, else of the setting STOCK_BATCH_CODE_TEMPLATE; empty for none. Nothing is stored.',
  errors: { unavailable: 'A plugin failed.' },
  example: { body: { part: 1, quantity: 10 } },
  access: signedIn,
  body: {
    build_order: reference(
      () => buildOrder,
      'build',
      '/api/build/',
      'The build order that makes the stock; empty for none.',
      'Build Order',
    ),
    item: reference(() => stockItem, 'stockitem', '/api/stock/', 'The stock item; empty for a new one.', 'Stock Item'),
    location: reference(
      () => stockLocation,
      'stocklocation',
      '/api/stock/location/',
      'The location of the stock; empty for any.',
    ),
    part: partInput,
    purchase_order: reference(
      () => purchaseOrder,
      'purchaseorder',
      '/api/order/po/',
      'The purchase order that the stock comes with; empty for none.',
      'Purchase Order',
    ),
    quantity: input.optional(
      input.quantity({
        nullable: true,
        api530: { metadata: { type: 'float' } },
        help: 'The quantity of the stock; empty for any.',
      }),
    ),
  },
  api530: { metadata: { batch_code: { label: 'Batch Code' } } },
  response: Type.Object({ batch_code: Type.String({ description: 'The batch code; empty for none.' }) }),
  run: async (request) => ({ batch_code: await generateBatchCode(request) }),
})

const newSerialNumber = action({
  method: 'POST',
  path: '/api/generate/serial-number/',
  summary: 'Generate serial numbers',
  description: 'Returns the next serial numbers of a part, separated by commas. They are not reserved. Nothing is stored.',
  errors: { unavailable: 'A plugin failed.' },
  example: { body: { part: 42, quantity: 3 } },
  access: signedIn,
  body: {
    part: partInput,
    quantity: input.integer({
      default: 1,
      min: 0,
      max: MAX_SERIAL_NUMBERS,
      help: 'How many serial numbers: at least one, and at most 5,000.',
    }),
  },
  response: Type.Object({
    serial_number: orNull(
      Type.String({ description: 'The serial numbers; null without a part, or if the last one in use does not end in a digit.' }),
    ),
  }),
  async run(request) {
    const { body } = request
    if (body.part === null) return { serial_number: null }
    let last: string | null = (await readLatestSerial(request, body.part)) ?? ''
    const serials: string[] = []
    while (serials.length < Math.max(body.quantity, 1)) {
      last = await computeNextSerial(request, body.part, last)
      if (last === null) return { serial_number: null }
      serials.push(last)
    }
    return { serial_number: serials.join(',') }
  },
})

export const generateActions = [newBatchCode, newSerialNumber]
