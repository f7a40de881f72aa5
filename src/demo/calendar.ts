import type { Database } from '../kit/sql/tx.ts'
import type { Day } from './data/order.ts'

/** Columns that the service sets to the current time, and below those that it sets to the current day. */
const timestampColumns = [
  ['stock_tracking', 'date'],
  ['stock_item', 'updated'],
  ['supplier_part', 'updated'],
  ['supplier_part', 'availability_updated'],
  ['supplier_price_break', 'updated'],
  ['user_account', 'date_joined'],
  ['notification', 'creation'],
  ['told_notice', 'told'],
  ['barcode_scan', 'timestamp'],
] as const
const dateColumns = [
  ['purchase_order', 'issue_date'],
  ['purchase_order', 'complete_date'],
  ['sales_order_shipment', 'shipment_date'],
  ['build_order', 'creation_date'],
  ['build_order', 'completion_date'],
  ['part', 'creation_date'],
  ['stock_item', 'stocktake_date'],
] as const

/** The days of the demo, relative to the day on which it runs. */
export class Calendar {
  readonly #database: Database
  /** Start of the demo by the clock of the database. All later rows were created by the demo. */
  readonly #start: string
  readonly #today: string
  /** Number of events on each day. */
  readonly #eventCounts = new Map<Day, number>()

  private constructor(database: Database, start: string, today: string) {
    this.#database = database
    this.#start = start
    this.#today = today
  }

  static async open(database: Database): Promise<Calendar> {
    const text = 'select now()::text as start, current_date::text as today'
    const [now] = await database.read<{ start: string; today: string }>({ text })
    if (now === undefined) throw new Error('the database returned no time')
    return new Calendar(database, now.start, now.today)
  }

  /** The date of a day; undefined for none, which omits a field. */
  formatDay(day: Day | undefined): string | undefined {
    return day === undefined ? undefined : this.#formatTime(day, 0).slice(0, 10)
  }

  /**
   * Moves the effects of the requests since the last call to a day in the past, after the other events of that day. The service recorded
   * them with the current time; only that changes.
   */
  async backdateTo(day: Day): Promise<void> {
    const eventCount = this.#eventCounts.get(day) ?? 0
    this.#eventCounts.set(day, eventCount + 1)
    // between 8:00 and 10:00 for the first event, and 40 minutes later for each further one
    const instant = this.#formatTime(day, 480 + ((-37 * day) % 120) + 40 * eventCount)
    await this.#database.transaction(async (tx) => {
      for (const [table, column] of timestampColumns)
        await tx.query(`update ${table} set ${column} = $1 where ${column} >= $2`, [instant, this.#start])
      for (const [table, column] of dateColumns)
        await tx.query(`update ${table} set ${column} = $1 where ${column} >= $2`, [this.formatDay(day), this.#today])
    })
  }

  #formatTime(day: Day, minutes: number): string {
    return new Date(Date.parse(this.#today) + (day * 24 * 60 + minutes) * 60_000).toISOString()
  }
}
