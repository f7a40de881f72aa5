import type { Database } from '../kit/sql/tx.ts'
import type { Day } from './data/order.ts'

/** Columns with a time, which the service sets to the current time or day. */
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
const days = [
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
  /** Start of the demo by the clock of the database: later rows are its own. */
  readonly #start: string
  readonly #today: string
  /** Number of events on each day. */
  readonly #happened = new Map<Day, number>()

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
  date(day: Day | undefined): string | undefined {
    return day === undefined ? undefined : this.#instant(day, 0).slice(0, 10)
  }

  /**
   * Moves the effects of the requests since the last call to a day in the past, some time after the other events of that day: the service
   * itself records today. All its rules were applied, and only the time changes.
   */
  async moveTo(day: Day): Promise<void> {
    const happened = this.#happened.get(day) ?? 0
    this.#happened.set(day, happened + 1)
    // between eight and ten for the first event, and 40 minutes later for each further one
    const instant = this.#instant(day, 480 + ((-37 * day) % 120) + 40 * happened)
    await this.#database.transaction(async (tx) => {
      for (const [table, column] of timestampColumns)
        await tx.query(`update ${table} set ${column} = $1 where ${column} >= $2`, [instant, this.#start])
      for (const [table, column] of days)
        await tx.query(`update ${table} set ${column} = $1 where ${column} >= $2`, [this.date(day), this.#today])
    })
  }

  #instant(day: Day, minutes: number): string {
    return new Date(Date.parse(this.#today) + (day * 24 * 60 + minutes) * 60_000).toISOString()
  }
}
