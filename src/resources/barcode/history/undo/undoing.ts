import type { Caller } from '../../../../kit/request/caller.ts'
import type { Exchange } from '../../../../kit/request/exchange.ts'
import type { Services } from '../../../../kit/services/services.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'

/** The caller and the transaction in which a scan is undone. */
export type UndoContext = Services & {
  tx: Tx
  caller: Caller
  exchange: Exchange
  /** The scanned code. */
  code: string
  /** Notes for the stock history. */
  notes: string
}
