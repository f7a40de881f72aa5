import type { Tx } from '../../../kit/sql/tx.ts'
import { compare, type Decimal } from '../../../kit/values/decimal.ts'
import { packQuantity, UnitError, type UnitRegistry } from '../../units/physical-units.ts'

/** A supplier part, with the contents of its pack. */
export type Pack = { pk: number; SKU: string; pack_quantity: string; pack_quantity_native: Decimal; units: string | null }

const PACKS = `select sold.pk, sold."SKU", sold.pack_quantity, sold.pack_quantity_native, part.units
  from supplier_part sold join part on part.pk = sold.part`

/** The packs of a part, locked against concurrent writes. */
export const packsOf = (tx: Tx, part: number): Promise<Pack[]> =>
  tx.query<Pack>(`${PACKS} where sold.part = $1 order by sold.pk for no key update of sold`, [part])

/** All packs measured in a custom unit, locked as well. */
export const lockPacksWithUnits = (tx: Tx): Promise<Pack[]> =>
  tx.query<Pack>(`${PACKS} where sold.pack_quantity !~ '^\\s*[\\d.]*\\s*$' order by sold.pk for no key update of sold`)

/** Returns the contents of a pack in the unit of its part; undefined if the units do not match. */
export function measurePack(pack: Pick<Pack, 'pack_quantity' | 'units'>, registry: UnitRegistry): Decimal | undefined {
  try {
    return packQuantity(pack.pack_quantity.trim() || '1', pack.units, registry)
  } catch (error) {
    if (error instanceof UnitError) return undefined
    throw error
  }
}

/** Stores the contents of packs that have changed. */
export async function storeMeasures(tx: Tx, measured: readonly (readonly [Pack, Decimal])[]): Promise<void> {
  const changed = measured.filter(([pack, amount]) => compare(pack.pack_quantity_native, amount) !== 0)
  if (changed.length === 0) return
  await tx.query(
    `update supplier_part sold set pack_quantity_native = found.amount
     from unnest($1::integer[], $2::numeric[]) found (pk, amount) where sold.pk = found.pk`,
    [changed.map(([{ pk }]) => pk), changed.map(([, amount]) => amount)],
  )
}
