import { within } from '../../../kit/sql/run-query.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { barcodeHash, barcodeKey } from '../barcode-hash.ts'
import { kinds } from '../kinds.ts'
import { findNamed } from '../linked.ts'
import type { PendingLine } from './pending-line.ts'

/** The kind of what a code is linked to by which goods came. */
export const stockItems = kinds.filter(({ key }) => key === 'stockitem')

/** What is known of a label whose order is locked. */
type Known = {
  /** It stands for a stock item, or is that of a delivery that came. */
  came: boolean
  /** It stands for an object. */
  stands: boolean
  /** The lines of the order for its supplier part of which goods are still to come. */
  lines: PendingLine[]
}

const LINKED = 'select from linked_code where (hash = $1 or key = $2)'
const KNOWN = `select
    exists (select from received_code where key = $2 and is_delivery) or exists (${LINKED} and kind = 'stockitem') as came,
    exists (${LINKED}) as stands,
    (select coalesce(json_agg(json_build_object('pk', pk, 'quantity', quantity::text, 'received', received::text) order by pk), '[]')
      from purchase_order_line where "order" = $3 and part = $4 and received < quantity) as lines`

type Label = { text: string; order: number; supplierPart: number }

/** Looks up in one statement, under the lock of the order, what is known of a label. */
export async function knownOfLabel(tx: Tx, { text, order, supplierPart }: Label): Promise<Known> {
  const [row] = await tx.query<Known>(KNOWN, [barcodeHash(text), barcodeKey(text), order, supplierPart])
  const known = row as Known
  const read = within(tx)
  return {
    ...known,
    came: known.came || (await findNamed(read, text, stockItems)) !== undefined,
    stands: known.stands || (await findNamed(read, text, kinds)) !== undefined,
  }
}
