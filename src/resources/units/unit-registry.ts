import type { Tx } from '../../kit/sql/tx.ts'
import { buildUnitRegistry, type CustomUnit, type UnitRegistry } from './physical-units.ts'

let built: { from: string; registry: UnitRegistry } | undefined

/**
 * The units that can be used at this moment: the standard ones and those that users have added. The custom units are read
 * each time, because they are few; the registry is built again only when they differ from those it was built from. So it is
 * right inside the transaction that changes them, and on every node.
 */
export async function unitRegistry(tx: Pick<Tx, 'query'>): Promise<UnitRegistry> {
  const units = await readCustomUnits(tx)
  const from = JSON.stringify(units)
  if (built?.from !== from) built = { from, registry: buildUnitRegistry(units).registry }
  return built.registry
}

/** The units that users have added, without the one of that key. */
export const readCustomUnits = (tx: Pick<Tx, 'query'>, without = 0): Promise<CustomUnit[]> =>
  tx.query<CustomUnit>('select name, symbol, definition from custom_unit where pk <> $1 order by pk', [without])
