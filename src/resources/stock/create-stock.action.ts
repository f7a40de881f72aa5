import { type TSchema, Type } from 'typebox'
import { action, type Json, type Request } from '../../kit/definition/action.ts'
import { type Reading, readShape, type Shape } from '../../kit/definition/input.ts'
import { responseSchema } from '../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../kit/reading/detail.ts'
import { readWriteFlags } from '../../kit/reading/select.ts'
import { roles } from '../../kit/request/caller.ts'
import { type ErrorEntry, QUANTITY_TOO_LARGE } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, type Decimal, divide, isTooLarge, multiply, quantize, toJsonNumber } from '../../kit/values/decimal.ts'
import { parseReferencedKey } from '../../kit/values/json.ts'
import { checkReferences } from '../../kit/writing/references.ts'
import { getWriteShape } from '../../kit/writing/write.ts'
import { rejectNegativePrices } from '../currency/price-rule.ts'
import { itemsResponse, listCreated } from './created-items.ts'
import { createStockItems, type NewStockItem } from './movement/create-stock-items.ts'
import { validateStockWithPlugins } from './movement/plugin-validation.ts'
import { readSerialNumbers, requireUnusedSerials } from './movement/read-serials.ts'
import { completeStatus, statusDeltas } from './read-status.ts'
import { generateBatchCode } from './serial/new-batch-code.ts'
import { stockErrors } from './stock-errors.ts'
import { stockItem } from './stock-item.resource.ts'
import { BUILD_OF_OTHER_PART } from './stock-item-change.ts'
import { lockBuilds, readReferences } from './stock-item-rules.ts'

/** What creating stock needs of a request. */
type Context = Services & Pick<Request<Shape>, 'caller' | 'raw' | 'exchange'> & { tx: Tx }

/** Rows that the checks of the whole request look up. */
type Lookup = {
  part: { pk: number; trackable: boolean; default_expiry: number; default_location: number | null }
  /** Pack quantity of the supplier part, in units of the part, if there is a supplier part. */
  pack: Decimal | undefined
}

/** The fields of a new stock item. */
export const getNewStockShape = (): Shape => {
  const { quantity, part, ...rest } = getWriteShape(stockItem)
  return {
    ...rest,
    part,
    quantity,
  } as Shape
}

/** Creates one item, or one for each serial number (docs/interface/stock.md#rules-of-items). */
export const createStock = action({
  method: 'POST',
  path: '/api/stock/',
  summary: 'Create stock items',
  description:
    'Creates a stock item, and returns it like GET; or, with `serial_numbers` of a trackable part, an item of quantity 1 for each number, and returns `quantity` and the numbers. Quantity and price are per pack if `use_pack_size` is set, and are stored in units of the part. Missing values come from the part and the settings: location, expiry date, batch code. Creates everything or nothing, with an entry in the history of each item.',
  errors: {
    invalid:
      'A field is invalid; each field has its errors. Quantity, part, supplier part and pack size are checked first: their error is a text, not a list of texts.',
  },
  example: {
    body: {
      part: 30,
      quantity: 4,
      supplier_part: 25,
      use_pack_size: true,
      location: 10,
      purchase_price: '5.20',
      purchase_price_currency: 'EUR',
    },
  },
  access: roles('stock'),
  get body() {
    return getNewStockShape()
  },
  api530: itemsResponse,
  get response(): TSchema {
    const serialized = Type.Object({ quantity: Type.Number(), serial_numbers: Type.Array(Type.String()) })
    return Type.Union([responseSchema(stockItem), serialized])
  },
  readsBody: true,
  async run(context) {
    const { pks, quantity, serials } = await createItemsOfBody(context)
    if (context.config.wire.changedResponses) return listCreated(context, pks)
    return serials ? { quantity: toJsonNumber(quantity), serial_numbers: serials } : itemResponse(context, pks[0] as number)
  },
})

/** Creates the items of a body (`raw`). Returns their keys, the quantity of all in units of the part, and their serial numbers, if it lists them. */
export async function createItemsOfBody(
  context: Context,
): Promise<{ pks: readonly number[]; quantity: Decimal; serials?: readonly string[] }> {
  const { tx, raw } = context
  if (raw.is_building) await lockBuilds(tx, [], parseReferencedKey(raw.build))
  const lookup = await lookUpReferences(tx, raw)
  const { values, references } = await readValues(context, lookup)
  const item = await completeItem(context, lookup, values)
  if (!values.serial_numbers) {
    await validateStockWithPlugins(context, [item], { batch: 'batch', serial: 'serial' })
    return { pks: await createStockItems(context, [item], { references }), quantity: item.quantity }
  }
  if (!lookup.part.trackable) throw invalid({ serial_numbers: [stockErrors.serial_numbers_not_allowed] })
  const serials = await readSerialNumbers(context, item.part, values.serial_numbers as string, item.quantity)
  const items = serials.map((serial) => ({
    ...item,
    quantity: '1',
    serial,
    history: createdEvent({ ...item, quantity: '1' }, serial),
  }))
  await validateStockWithPlugins(context, items, { batch: 'batch', serial: 'serial_numbers' })
  await requireUnusedSerials(context, item.part, serials)
  const pks = await createStockItems(context, items, { references })
  return { pks, quantity: item.quantity, serials }
}

async function lookUpReferences(tx: Tx, raw: Context['raw']): Promise<Lookup> {
  const rejectField = (name: string, problem: ErrorEntry): never => {
    throw invalid({ [name]: problem })
  }
  if (raw.quantity === undefined || raw.quantity === null) rejectField('quantity', stockErrors.quantity_required)
  const part = await tx.first<Lookup['part']>(
    `select p.pk, p.trackable, p.default_expiry, coalesce(p.default_location, (
       select above.default_location from part_category own join part_category above on above.pk = any(own.path)
       where own.pk = p.category and above.default_location is not null order by above.level desc limit 1
     )) as default_location
     from part p where p.pk = $1`,
    [parseKey(raw.part)],
  )
  if (!part) return rejectField('part', stockErrors.part_required)
  if (raw.supplier_part === undefined || raw.supplier_part === null || raw.supplier_part === '') return { part, pack: undefined }
  const supplierPart = await tx.first<{ pack: Decimal }>(
    'select pack_quantity_native::text as pack from supplier_part where pk = $1',
    [parseKey(raw.supplier_part)],
  )
  if (!supplierPart) return rejectField('supplier_part', stockErrors.unknown_supplier_part)
  const input = raw.use_pack_size
  if (compare(supplierPart.pack, '1') !== 0 && (input === undefined || input === null || input === ''))
    rejectField('use_pack_size', stockErrors.pack_size_undecided)
  return { part, pack: supplierPart.pack }
}

/** Parses a primary key in a body, given as a number or a string; returns 0, which no row has, for anything else. */
function parseKey(value: unknown): number {
  const pk = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof pk === 'number' && Number.isInteger(pk) && pk > 0 && pk <= 2_147_483_647 ? pk : 0
}

/** Reads the values of the request, and the rows that the rules of stock need. */
async function readValues(context: Context, { part }: Lookup) {
  const reading: Reading = { references: [], services: context }
  const { values, errors } = readShape(getNewStockShape(), context.raw, reading)
  rejectNegativePrices(values, errors, 'purchase_price')
  Object.assign(errors, await completeStatus(context.tx, values))
  if (values.is_building && !values.build) errors.build ??= [stockErrors.build_required_in_production]
  const supplier_part = values.supplier_part as number | null | undefined
  const { build } = await checkReferences(context.tx, reading)
  if (build && build.part !== values.part) errors.build ??= [BUILD_OF_OTHER_PART]
  if (Object.keys(errors).length) throw invalid(errors)
  // the location is locked before serial numbers
  const references = await readReferences(context.tx, [{ part: part.pk, supplier_part, location: getLocation(values, part) }])
  return { values, references }
}

/** Location of the item: the one in the request, which may be none, otherwise the part's default location. */
const getLocation = ({ location = undefined }: Record<string, unknown>, part: Lookup['part']) =>
  location === undefined ? part.default_location : (location as number | null)

/** Completes the item for storing, in units of the part, with all defaults. */
async function completeItem(context: Context, { part, pack }: Lookup, values: Record<string, unknown>): Promise<NewStockItem> {
  const { serial_numbers: _, use_pack_size, ...input } = values
  const item = input as unknown as NewStockItem
  if (use_pack_size && pack !== undefined) {
    item.quantity = quantize(multiply(item.quantity, pack), 5)
    if (isTooLarge(item.quantity)) throw invalid({ quantity: [QUANTITY_TOO_LARGE] })
    if (item.purchase_price) item.purchase_price = quantize(divide(item.purchase_price, pack), 6)
  }
  if (item.serial && compare(item.quantity, '0') === 0) item.quantity = '1'
  item.location = getLocation(values, part)
  if (item.batch === undefined) item.batch = await generateBatchCode(context)
  if (!item.expiry_date && part.default_expiry > 0) {
    // computed by the database, so that no date leaves its range
    const row = await context.tx.first<{ day: string | null }>(
      `select case when $1 < 1000000 then (current_date + $1::integer)::text end as day`,
      [part.default_expiry],
    )
    item.expiry_date = row?.day ?? null
  }
  return { ...item, history: createdEvent(item) }
}

function createdEvent(item: NewStockItem, serial?: string): NewStockItem['history'] {
  const { status = 10, status_custom_key = null, location } = item
  const deltas = {
    ...statusDeltas({ status, status_custom_key }),
    ...(location ? { location } : {}),
    quantity: toJsonNumber(item.quantity),
  }
  return { type: 'CREATED', deltas: serial === undefined ? deltas : { ...deltas, serial } }
}

async function itemResponse(context: Context & Pick<Request<Shape>, 'query'>, pk: number): Promise<Json> {
  const { tx, caller, query } = context
  const flags = readWriteFlags(stockItem, query, context.config.wire)
  return toDetailJson(await readDetail(stockItem, pk, flags, { caller, services: context, executor: tx }))
}
