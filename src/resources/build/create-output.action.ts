import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { invalid } from '../../kit/request/problem.ts'
import { compare, type Decimal, isWhole, quantize, toJsonNumber } from '../../kit/values/decimal.ts'
import { MAX_SERIAL_NUMBERS } from '../../notation/serial/serial-numbers.ts'
import { itemsResponse, listCreated } from '../stock/created-items.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import { createStockItems, type NewStockItem } from '../stock/movement/create-stock-items.ts'
import { validateStockWithPlugins } from '../stock/movement/plugin-validation.ts'
import {
  MAX_SERIALS_TEXT_LENGTH,
  readSerialNumbers,
  requireUnusedSerials,
  SERIAL_NUMBERS_HELP,
} from '../stock/movement/read-serials.ts'
import { generateBatchCode, suggestBatchCode } from '../stock/serial/new-batch-code.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { readDefaultLocation, WHOLE_QUANTITY_FOR_COMPONENTS } from './build-rules.ts'
import { BUILD_STATUS } from './build-status.ts'
import { lockWorkableBuild } from './change-status.ts'
import { readTrackedLines } from './item/allocation-rules.ts'
import { allocateBySerial, lockUnits } from './output/allocate-by-serial.ts'

/** See docs/interface/builds.md#outputs. */
export const createBuildOutput = action({
  method: 'POST',
  path: '/api/build/{id}/create-output/',
  summary: 'Create build outputs',
  description:
    'Creates a stock item in production, or a single unit for each serial number; also individual units if components are tracked, with components allocated to each. A pending build order then is in production.',
  errors: {
    invalid:
      'The quantity is not above zero, or not whole although the part or a component is trackable; serial numbers of a trackable part are missing, in use, or do not match the quantity; or the location is structural.',
    wrong_state: 'The build order is on hold, complete or cancelled.',
  },
  versioned: true,
  example: { params: { id: 1 }, body: { quantity: 2, serial_numbers: '61-62', batch_code: 'Batch 3' } },
  access: BUILD_ORDER.access,
  body: {
    quantity: input.quantity({
      round: false,
      required: true,
      help: 'The quantity to produce, above zero, in units of the part.',
    }),
    batch_code: input.optional(
      input.text({
        max: 100,
        blank: true,
        label: 'Batch Code',
        help: 'The batch code; empty for that of the build order, otherwise the next code.',
      }),
    ),
    serial_numbers: input.optional(
      input.text({
        max: MAX_SERIALS_TEXT_LENGTH,
        blank: true,
        multiline: true,
        label: 'Serial Numbers',
        help: `As many serial numbers as the quantity; required for a trackable part. ${SERIAL_NUMBERS_HELP}`,
      }),
    ),
    location: input.reference(() => stockLocation, {
      nullable: true,
      default: null as never,
      options: { model: 'stocklocation', api_url: '/api/stock/location/' },
      help: 'The location of the outputs; by default the destination of the build order, otherwise the default location of the part.',
    }),
    auto_allocate: input.boolean({
      nullable: true,
      default: false,
      label: 'Auto Allocate Serial Numbers',
      help: 'Whether to allocate the tracked components whose serial number equals that of the output, if their status is OK and they are not expired.',
    }),
  },
  suggested: async (services) => ({ batch_code: await suggestBatchCode(services) }),
  api530: itemsResponse,
  response: Type.Object({
    quantity: Type.String({ format: 'decimal', description: 'In units of the part.' }),
    batch_code: Type.String(),
    serial_numbers: Type.Optional(Type.String()),
    location: Type.Union([Type.Integer(), Type.Null()]),
    auto_allocate: Type.Boolean(),
  }),
  async run(request) {
    const { tx, body } = request
    const { quantity } = body
    const build = await lockWorkableBuild(request)
    const tracked = await readTrackedLines(tx, build.pk)
    const part = await tx.first<{ trackable: boolean }>('select trackable from part where pk = $1', [build.part])
    if (compare(quantity, '0') <= 0) throw invalid({ quantity: [buildErrors.build_quantity_must_be_positive] })
    if ((part?.trackable || tracked.length > 0) && !isWhole(quantity))
      throw invalid({ quantity: [part?.trackable ? WHOLE_QUANTITY_REQUIRED : WHOLE_QUANTITY_FOR_COMPONENTS] })
    const text = (body.serial_numbers ?? '').trim()
    if (part?.trackable && text === '') throw invalid({ serial_numbers: [buildErrors.serial_numbers_required] })
    const serials = text === '' ? undefined : await readSerialNumbers(request, build.part, text, quantity)
    if (serials) await requireUnusedSerials(request, build.part, serials)

    const location = body.location ?? build.destination ?? (await readDefaultLocation(tx, build.part))
    const batch = body.batch_code ?? (build.batch || (await generateBatchCode(request)))
    const createOutput = (outputQuantity: Decimal, serial?: string): NewStockItem => ({
      part: build.part,
      quantity: outputQuantity,
      serial,
      location,
      batch,
      build: build.pk,
      is_building: true,
      history: {
        type: 'BUILD_OUTPUT_CREATED',
        deltas: {
          buildorder: build.pk,
          quantity: toJsonNumber(outputQuantity),
          ...(location === null ? {} : { location }),
          ...(batch ? { batch } : {}),
          ...(serial === undefined ? {} : { serial }),
        },
      },
    })
    const items = serials
      ? serials.map((serial) => createOutput('1', serial))
      : tracked.length > 0
        ? Array.from({ length: countSingleUnits(quantity) }, () => createOutput('1'))
        : [createOutput(quantity)]
    await validateStockWithPlugins(request, items, { batch: 'batch_code', serial: 'serial_numbers' })
    const allocatesBySerial = body.auto_allocate && serials
    const units = allocatesBySerial ? await lockUnits(request, tracked, serials, build.part) : []
    const createdKeys = await createStockItems(request, items)
    if (allocatesBySerial) {
      const outputs = new Map(serials.map((serial, index) => [serial, createdKeys[index] as number]))
      allocateBySerial(tx, tracked, units, outputs)
    }
    if (build.status === BUILD_STATUS.PENDING.key)
      await tx.query('update build_order set status = $2 where pk = $1', [build.pk, BUILD_STATUS.PRODUCTION.key])
    if (request.config.wire.changedResponses) return listCreated(request, createdKeys)
    return { ...body, quantity: quantize(quantity, 5), batch_code: batch, auto_allocate: body.auto_allocate ?? false }
  },
})

const WHOLE_QUANTITY_REQUIRED = buildErrors.whole_build_quantity_required

/** Number of individual units in a whole quantity. */
function countSingleUnits(quantity: Decimal): number {
  if (compare(quantity, String(MAX_SERIAL_NUMBERS)) > 0)
    throw invalid({ quantity: [buildErrors.max_single_units({ max_units: MAX_SERIAL_NUMBERS })] })
  return Number(quantity)
}
