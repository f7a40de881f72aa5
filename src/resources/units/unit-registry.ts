import type { Tx } from '../../kit/sql/tx.ts'
import { buildUnitRegistry, type CustomUnit, type UnitRegistry } from '../../notation/units/physical-units.ts'

let cached: { from: string; registry: UnitRegistry } | undefined

/**
 * Returns the available units: the standard ones and those added by users. The custom units are read each time, because they are few; the
 * registry is rebuilt only when they differ from those it was built from. So it is correct inside the transaction that changes them, and on
 * every node.
 */
export async function getUnitRegistry(tx: Pick<Tx, 'query'>): Promise<UnitRegistry> {
  const units = await readCustomUnits(tx)
  const from = JSON.stringify(units)
  if (cached?.from !== from) cached = { from, registry: buildUnitRegistry(units).registry }
  return cached.registry
}

/** Reads the units added by users, except for the one with that key. */
export const readCustomUnits = (tx: Pick<Tx, 'query'>, exceptPk = 0): Promise<CustomUnit[]> =>
  tx.query<CustomUnit>('select name, symbol, definition from custom_unit where pk <> $1 order by pk', [exceptPk])
