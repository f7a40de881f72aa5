import type { Caller } from '../../../kit/request/caller.ts'
import { translate } from '../../../kit/request/constraint.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import type { Decimal } from '../../../kit/values/decimal.ts'
import { barcodeColumns } from '../../barcode/barcode-hash.ts'
import { whereCodeIsTaken } from '../../barcode/code-taken.ts'
import { setting } from '../../settings/live.ts'
import { checkStockItems } from '../stock-item-rules.ts'
import { type HistoryEntry, type HistoryEvent, recordHistory } from './stock-history.ts'

/** A stock item to be made. What is left out takes the default of its column. */
export type NewStockItem = {
  /** The key of an item that was there before. */
  pk?: number
  part: number
  /** In the units of the part, not in packs. */
  quantity: Decimal
  location?: number | null
  /** Stock status code; 10, OK, by default. */
  status?: number
  batch?: string | null
  /** One item has one serial number, and then a quantity of 1. */
  serial?: string | null
  packaging?: string | null
  supplier_part?: number | null
  purchase_order?: number | null
  /** Paid for one unit of the part, in `purchase_price_currency`, which by default is the default currency. */
  purchase_price?: Decimal | null
  purchase_price_currency?: string
  expiry_date?: string | null
  /** The text of a barcode to be linked to the item. */
  barcode?: string | null
  /** By default as the setting STOCK_DELETE_DEPLETED_DEFAULT says. Never true of an item with a serial number. */
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
  /** How the item came to be. */
  history?: HistoryEvent & { backTo?: number }
}

/** The columns that are written as they are given, with their types and defaults. */
const columns = {
  part: 'integer',
  quantity: 'numeric',
  opening_quantity: 'numeric',
  location: 'integer',
  status: 'integer',
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

const names = Object.keys(columns).join(', ')
const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
const insertOf = (columns: string): string => `insert into stock_item (${columns})
  select ${columns} from json_to_recordset($1::json) item (place integer, pk integer, ${types.join(', ')}) order by place
  returning pk`
const INSERT = insertOf(names)
const INSERT_AGAIN = insertOf(`pk, ${names}`)

/**
 * Makes stock items, and their first entries of history; gives their primary keys in order. The only way in which stock
 * comes to be, so that every item keeps the rules of `checkStockItems`: 400 names the field of the item (`location`,
 * `serial`, `quantity`, `part`, `supplier_part`), for a barcode that is in use already the object as a whole.
 * @param also what else happened then, of which the history tells after it: given the new keys, in order
 */
export async function createStockItems(
  context: Services & { tx: Tx; caller: Caller },
  items: readonly NewStockItem[],
  also: (pks: readonly number[]) => readonly HistoryEntry[] = () => [],
): Promise<number[]> {
  const pks = items.length > 0 ? await insert(context, items) : []
  const first = items.flatMap(({ history, quantity }, at) =>
    history ? [{ ...history, item: pks[at] as number, change: quantity }] : [],
  )
  recordHistory(context, [...first, ...also(pks)])
  return pks
}

async function insert(context: Services & { tx: Tx }, items: readonly NewStockItem[]): Promise<number[]> {
  const errors = await checkStockItems(context, items)
  if (Object.keys(errors).length) throw invalid(errors)
  const deleteOnDeplete = setting(context, 'STOCK_DELETE_DEPLETED_DEFAULT')
  const currency = setting(context, 'INVENTREE_DEFAULT_CURRENCY')
  const rows = items.map(({ barcode, history, ...item }, place) => ({
    status: 10,
    is_building: false,
    link: '',
    tags: [],
    ...item,
    place,
    // its history tells of all of it; an item without one opens with what it is
    opening_quantity: history ? '0' : item.quantity,
    serial: item.serial || null,
    ...barcodeColumns(barcode ?? ''),
    delete_on_deplete: item.serial ? false : (item.delete_on_deplete ?? deleteOnDeplete),
    purchase_price_currency: item.purchase_price_currency ?? currency,
  }))
  const isAgain = items.every(({ pk }) => pk !== undefined)
  try {
    const made = await context.tx.query<{ pk: number }>(isAgain ? INSERT_AGAIN : INSERT, [JSON.stringify(rows)])
    // keys are given out in the order in which rows are inserted
    return made.map(({ pk }) => pk).sort((one, other) => one - other)
  } catch (error) {
    throw translate(error, whereCodeIsTaken({ non_field_errors: ['Existing barcode found'] }))
  }
}
