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

/**
 * Checks a line. That no assembly contains itself is for the triggers of the table to check. What a change does not touch stays as it
 * is: a component may have become trackable since.
 */
export async function checkLine(write: Write): Promise<void> {
  const { tx, before, values, after } = write
  // what is sent is not taken: it follows from the line
  values.validated = undefined
  if (!before) await lockBom(tx)
  const changes = (name: string) => !before || after(name) !== before[name]
  if (changes('sub_part') || !before || compare(after('quantity') as Decimal, before.quantity as Decimal) !== 0)
    await checkQuantity(write)
  if (before && (changes('sub_part') || changes('part'))) await checkSubstitutes(write, before.pk)
}

async function checkQuantity({ tx, after, errors }: Write): Promise<void> {
  // held, so that it does not become trackable meanwhile
  const component = await tx.first<{ trackable: boolean }>('select trackable from part where pk = $1 for share', [
    after('sub_part'),
  ])
  const objection = quantityObjection(after('quantity') as Decimal, component?.trackable === true)
  if (objection) errors.quantity = [objection]
}

/** A part that may be used in place of the component is neither the component nor of the assembly. */
async function checkSubstitutes({ tx, after, errors }: Write, line: number): Promise<void> {
  const substitutes = await tx.query<{ part: number; path: number[] }>(
    'select other.part, part.path from bom_item_substitute other join part on part.pk = other.part where other.bom_item = $1',
    [line],
  )
  if (substitutes.some(({ part }) => part === after('sub_part')))
    errors.sub_part = ['This part stands among those that may be used in place of the component.']
  if (substitutes.some(({ path }) => path.includes(after('part') as number)))
    errors.part = ['This part, or a variant of it, stands among those that may be used in place of the component.']
}
