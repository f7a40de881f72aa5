import type { Statement } from '../../../database/text-query.ts'
import { translateDatabaseError } from '../../../kit/request/constraint.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import type { Decimal } from '../../../kit/values/decimal.ts'
import { setting } from '../../../settings/live.ts'
import { toBarcodeColumns } from '../../barcode/barcode-hash.ts'
import { barcodeConstraints } from '../../barcode/duplicate-code.ts'
import { orderErrors } from '../../order/order-errors.ts'
import { checkStockItems, type StockReferences } from '../stock-item-rules.ts'
import { type HistoryContext, type HistoryEvent, toHistoryColumns } from './stock-history.ts'

/** A stock item to create. Omitted fields take the default of their column. */
export type NewStockItem = {
  /** The key of an item that existed before. */
  pk?: number
  part: number
  /** In the units of the part, not in packs. */
  quantity: Decimal
  location?: number | null
  /** Stock status code; 10, OK, by default. */
  status?: number
  /** Key of the custom state of that status. */
  status_custom_key?: number | null
  batch?: string | null
  /** Serial number of a single item; requires a quantity of 1. */
  serial?: string | null
  packaging?: string | null
  supplier_part?: number | null
  purchase_order?: number | null
  /** Purchase price of one unit of the part, in `purchase_price_currency`, which defaults to the default currency. */
  purchase_price?: Decimal | null
  purchase_price_currency?: string
  expiry_date?: string | null
  /** Text of a barcode to link to the item. */
  barcode?: string | null
  /** Defaults to the setting STOCK_DELETE_DEPLETED_DEFAULT. Always false for an item with a serial number. */
  delete_on_deplete?: boolean
  /** The item from which this one is split. */
  parent?: number | null
  belongs_to?: number | null
  customer?: number | null
  sales_order?: number | null
  build?: number | null
  consumed_by?: number | null
  is_building?: boolean
  owner?: number | null
  link?: string
  notes?: string | null
  tags?: readonly string[]
  /** The history entry for the item's creation. */
  history?: HistoryEvent & { backTo?: number }
}

/** Columns that are written as given, with their types and defaults. */
const columns = {
  part: 'integer',
  quantity: 'numeric',
  opening_quantity: 'numeric',
  location: 'integer',
  status: 'integer',
  status_custom_key: 'integer',
  batch: 'text',
  serial: 'text',
  packaging: 'text',
  supplier_part: 'integer',
  purchase_order: 'integer',
  purchase_price: 'numeric',
  purchase_price_currency: 'text',
  expiry_date: 'date',
  barcode_data: 'text',
  barcode_hash: 'text',
  barcode_key: 'text',
  delete_on_deplete: 'boolean',
  parent: 'integer',
  belongs_to: 'integer',
  customer: 'integer',
  sales_order: 'integer',
  build: 'integer',
  consumed_by: 'integer',
  is_building: 'boolean',
  owner: 'integer',
  link: 'text',
  notes: 'text',
  tags: 'text[]',
} as const

const columnNames = Object.keys(columns).join(', ')
const columnTypes = Object.entries(columns).map(([name, type]) => `${name} ${type}`)

/**
 * Inserts items and their first history entries in one statement. The history needs the keys of the items. They are taken from the sequence
 * only here, because nothing can be rejected any more.
 */
const INSERT = `with item as materialized (
    select coalesce(pk, nextval('stock_item_pk_seq')::integer) as key, *
    from json_to_recordset($1::json)
      new_item (item_index integer, pk integer, type integer, deltas json, entry_notes text, back_to integer, ${columnTypes.join(', ')})
    order by item_index
  ), inserted as (
    insert into stock_item (pk, ${columnNames}) select key, ${columnNames} from item order by item_index
  ), history as (
    insert into stock_tracking (item, tracking_type, deltas, quantity_change, notes, "user", back_to)
    select key, type, deltas, quantity, entry_notes, $2, back_to from item where type is not null order by item_index
  )
  select key as pk from item order by item_index`

type Context = Services & { tx: Tx } & HistoryContext

type Options = {
  /** Data about everything that the items refer to. */
  references?: StockReferences
  /** Called when the items satisfy all rules, before anything is written. */
  beforeInsert?: () => void
}

/**
 * Creates stock items and their first history entries. All stock is created here, so that every item satisfies the rules of
 * `checkStockItems`: 400 names the field of the item (`location`, `serial`, `quantity`, `part`, `supplier_part`), or the object as a whole
 * for a barcode that is already in use. Rejected items leave no gap in the keys.
 * @param options.furtherWrites writes that follow in the same round trip
 * @returns their primary keys, in order
 */
export async function createStockItems(
  context: Context,
  items: readonly NewStockItem[],
  { furtherWrites = [], ...options }: Options & { furtherWrites?: readonly Statement[] } = {},
): Promise<number[]> {
  const writes = await newStockWrites(context, items, options)
  try {
    const [rows = []] = await context.tx.pipeline(...writes, ...furtherWrites)
    return items.length > 0 ? rows.map(({ pk }) => pk) : []
  } catch (error) {
    const hasBarcode = items.some(({ barcode }) => barcode)
    throw hasBarcode
      ? translateDatabaseError(error, barcodeConstraints({ non_field_errors: [orderErrors.existing_barcode] }))
      : error
  }
}

/**
 * Checks stock items for `createStockItems`, and returns the statements that write them: for items without barcodes, whose keys are not
 * needed. The rows are the primary keys, in order.
 */
export async function newStockWrites(
  context: Context,
  items: readonly NewStockItem[],
  { references, beforeInsert }: Options = {},
): Promise<Statement[]> {
  const errors = items.length > 0 ? await checkStockItems(context, items, references) : {}
  if (Object.keys(errors).length) throw invalid(errors)
  beforeInsert?.()
  return items.length > 0 ? [{ text: INSERT, values: [JSON.stringify(toRows(context, items)), context.caller.pk] }] : []
}

function toRows(context: Context, items: readonly NewStockItem[]) {
  const deleteOnDeplete = setting(context, 'STOCK_DELETE_DEPLETED_DEFAULT')
  const currency = setting(context, 'INVENTREE_DEFAULT_CURRENCY')
  return items.map(({ barcode, history, ...item }, position) => ({
    status: 10,
    is_building: false,
    link: '',
    tags: [],
    ...item,
    item_index: position,
    // the history accounts for the whole quantity; an item without history opens with its quantity
    opening_quantity: history ? '0' : item.quantity,
    serial: item.serial || null,
    ...toBarcodeColumns(barcode ?? ''),
    delete_on_deplete: item.serial ? false : (item.delete_on_deplete ?? deleteOnDeplete),
    purchase_price_currency: item.purchase_price_currency ?? currency,
    ...(history ? toFirstEntry(context, history) : {}),
  }))
}

function toFirstEntry(context: Context, { backTo, ...event }: NonNullable<NewStockItem['history']>) {
  const { notes, ...entryColumns } = toHistoryColumns(context, event)
  return { ...entryColumns, entry_notes: notes, back_to: backTo }
}
