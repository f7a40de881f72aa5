import type { Tx } from '../../../kit/sql/tx.ts'
import { compare, type Decimal } from '../../../kit/values/decimal.ts'
import { parsePackQuantity, UnitError, type UnitRegistry } from '../../../notation/units/physical-units.ts'

/** A supplier part, with the contents of its pack. */
export type Pack = { pk: number; SKU: string; pack_quantity: string; pack_quantity_native: Decimal; units: string | null }

const SELECT_PACKS = `select supplier_part.pk, supplier_part."SKU", supplier_part.pack_quantity, supplier_part.pack_quantity_native, part.units
  from supplier_part join part on part.pk = supplier_part.part`

/** Locks and reads the packs of a part. */
export const lockPacks = (tx: Tx, part: number): Promise<Pack[]> =>
  tx.query<Pack>(`${SELECT_PACKS} where supplier_part.part = $1 order by supplier_part.pk for no key update of supplier_part`, [
    part,
  ])

/** Locks and reads all packs whose quantity has a unit. */
export const lockPacksWithUnits = (tx: Tx): Promise<Pack[]> =>
  tx.query<Pack>(
    `${SELECT_PACKS} where supplier_part.pack_quantity !~ '^\\s*[\\d.]*\\s*$' order by supplier_part.pk for no key update of supplier_part`,
  )

/** Returns the contents of a pack in the unit of its part; undefined if the units do not match. */
export function measurePack(pack: Pick<Pack, 'pack_quantity' | 'units'>, registry: UnitRegistry): Decimal | undefined {
  try {
    return parsePackQuantity(pack.pack_quantity.trim() || '1', pack.units, registry)
  } catch (error) {
    if (error instanceof UnitError) return undefined
    throw error
  }
}

/** Stores the contents of packs that have changed. */
export async function storePackContents(tx: Tx, measured: readonly (readonly [Pack, Decimal])[]): Promise<void> {
  const changed = measured.filter(([pack, amount]) => compare(pack.pack_quantity_native, amount) !== 0)
  if (changed.length === 0) return
  await tx.query(
    `update supplier_part set pack_quantity_native = measured.amount
     from unnest($1::integer[], $2::numeric[]) measured (pk, amount) where supplier_part.pk = measured.pk`,
    [changed.map(([{ pk }]) => pk), changed.map(([, amount]) => amount)],
  )
}
