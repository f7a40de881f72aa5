import type { Write } from '../../kit/definition/resource.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, type Decimal, isWhole } from '../../kit/values/decimal.ts'
import { lockStock } from '../stock/stock-item-rules.ts'

/**
 * Of two that change bills of materials one waits for the other. The triggers that refuse loops take this lock too: taken first, before
 * any row, nobody waits for it while others wait for him. Build orders follow, and with them the sums of parts.
 */
export function lockBom(tx: Tx): Promise<unknown> {
  lockStock(tx)
  return tx.query(`select pg_advisory_xact_lock(hashtext('bom'), 0)`)
}

/** What is wrong with the quantity of a line, if anything. */
export function quantityObjection(quantity: Decimal, ofTrackable: boolean): string | undefined {
  if (compare(quantity, '0') <= 0) return 'It must be greater than zero.'
  if (ofTrackable && !isWhole(quantity)) return 'Of a trackable component it must be a whole number.'
}

/** Checks a line. That no assembly contains itself is for the triggers of the table to check. */
export async function checkLine({ tx, before, values, after, errors }: Write): Promise<void> {
  // what is sent is not taken: it follows from the line
  values.validated = undefined
  if (!before) await lockBom(tx)
  // held, so that it does not become trackable meanwhile
  const component = await tx.first<{ trackable: boolean }>('select trackable from part where pk = $1 for share', [
    after('sub_part'),
  ])
  const objection = quantityObjection(after('quantity') as Decimal, component?.trackable === true)
  if (objection) errors.quantity = [objection]
  if (!before || after('sub_part') === before.sub_part) return
  const substitute = await tx.first('select from bom_item_substitute where bom_item = $1 and part = $2', [
    before.pk,
    after('sub_part'),
  ])
  if (substitute) errors.sub_part = ['This part stands among those that may be used in place of the component.']
}
