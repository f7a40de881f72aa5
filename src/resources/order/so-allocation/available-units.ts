import { invalid, type Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { allocatedSql } from '../../stock/allocated-quantities.ts'
import { orderErrors } from '../order-errors.ts'

/** The rejection of units that are allocated already. */
export const serialsAllocatedProblem = (allocatedSerials: readonly string[]): Problem =>
  invalid({ serial_numbers: [orderErrors.serial_numbers_allocated({ serials: allocatedSerials })] })

/**
 * Finds the units of the part or of its variants in stock, by serial number.
 * @throws Problem 400 for units that are missing or allocated
 */
export async function findAvailableUnits(tx: Tx, part: number, serials: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ serial: string; pk: number; is_available: boolean }>(
    `select item.serial, item.pk, ${allocatedSql((column) => `item.${column}`)} < item.quantity as is_available
     from stock_item item join part on part.pk = item.part
     where item.serial = any($2::text[]) and item.in_stock and part.path @> array[$1::integer]`,
    [part, serials],
  )
  const units = new Map(rows.map((unit) => [unit.serial, unit]))
  const unknown = serials.filter((serial) => !units.has(serial))
  if (unknown.length) throw invalid({ serial_numbers: [orderErrors.serial_numbers_not_found({ serials: unknown })] })
  const allocatedSerials = serials.filter((serial) => units.get(serial)?.is_available === false)
  if (allocatedSerials.length) throw serialsAllocatedProblem(allocatedSerials)
  return new Map(rows.map(({ serial, pk }) => [serial, pk]))
}
