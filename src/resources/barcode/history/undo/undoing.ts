import type { Caller } from '../../../../kit/request/caller.ts'
import type { Exchange } from '../../../../kit/request/exchange.ts'
import type { Services } from '../../../../kit/services/services.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'

/** Who takes a scan back, and in which transaction. */
export type Undoing = Services & {
  tx: Tx
  caller: Caller
  exchange: Exchange
  /** The code that was scanned. */
  code: string
  /** What the history of the stock says of it. */
  notes: string
}
