import type { Write } from '../../kit/definition/resource.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, type Decimal } from '../../kit/values/decimal.ts'
import { parsePackQuantity, UnitError } from '../../notation/units/physical-units.ts'
import { getUnitRegistry } from '../units/unit-registry.ts'
import { bomErrors } from './bom-errors.ts'

/** A number without a unit: it is the quantity, and is not stored once more. */
const NUMBER = /^\d*\.?\d+$/

/** The quantity of a new line that gives none. */
const DEFAULT_QUANTITY = '1'

/**
 * Completes the quantities of lines whose amount is entered with a unit (`raw_amount`), in the units of their components. An amount that a
 * client returns unchanged does not undo a new quantity; two new ones that contradict each other are an error of `raw_amount`.
 */
export async function completeQuantities(writes: readonly Write[]): Promise<void> {
  const entered: { write: Write; text: string }[] = []
  for (const write of writes) {
    const text = takeEnteredText(write)
    if (text !== undefined) entered.push({ write, text })
    else if (isNewQuantity(write)) write.hidden.entered_quantity = null
  }
  const [first] = entered
  if (!first) return
  const { tx } = first.write
  const [units, registry] = [
    await readUnits(
      tx,
      entered.map(({ write }) => write),
    ),
    await getUnitRegistry(tx),
  ]
  for (const { write, text } of entered) {
    const { values, hidden, errors, after } = write
    try {
      const amount = parsePackQuantity(text, units.get(after('sub_part') as number) ?? null, registry)
      const quantity = values.quantity as Decimal
      if (isNewQuantity(write) && compare(amount, quantity) !== 0)
        errors.raw_amount = [bomErrors.amounts_differ({ amount, quantity })]
      values.quantity = amount
      hidden.entered_quantity = toEnteredQuantity(text)
    } catch (error) {
      if (!(error instanceof UnitError)) throw error
      errors.raw_amount = [error.reason]
    }
  }
}

/** The stored form of an amount next to the quantity: its text, or null for a number. */
export const toEnteredQuantity = (text: string): string | null => (NUMBER.test(text.trim()) ? null : text.trim())

/** Removes the amount from the values, which have no column for it; returns its text if it is new. */
function takeEnteredText({ before, values }: Write): string | undefined {
  const text = (values.raw_amount as string | undefined)?.trim()
  values.raw_amount = undefined
  if (text === undefined || before === undefined) return text
  if (before.entered_quantity !== null) return text === before.entered_quantity ? undefined : text
  return NUMBER.test(text) && compare(text as Decimal, before.quantity as Decimal) === 0 ? undefined : text
}

/** Whether a write gives another quantity than the line has, or a new line the default. */
const isNewQuantity = ({ before, values: { quantity } }: Write): boolean =>
  quantity !== undefined && compare(quantity as Decimal, (before?.quantity ?? DEFAULT_QUANTITY) as Decimal) !== 0

/** The units of the components of lines, by part. */
async function readUnits(tx: Tx, writes: readonly Write[]): Promise<ReadonlyMap<number, string | null>> {
  const parts = await tx.query<{ pk: number; units: string | null }>(
    'select pk, units from part where pk = any($1::integer[]) order by pk for share',
    [writes.map(({ after }) => after('sub_part'))],
  )
  return new Map(parts.map(({ pk, units }) => [pk, units]))
}
