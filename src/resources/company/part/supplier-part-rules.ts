import type { Write } from '../../../kit/definition/resource.ts'
import { packQuantity, UnitError } from '../../units/physical-units.ts'
import { unitRegistry } from '../../units/unit-registry.ts'

/**
 * Checks and completes a supplier part (the reference description of orders and stock, section 8): its manufacturer part
 * makes the same part, its pack is measured in what fits the part's units, and each change leaves its moment.
 */
export async function supplierPartRules(write: Write): Promise<void> {
  const { values, hidden, before, after } = write
  await checkManufacturerPart(write)
  if (!before || values.pack_quantity !== undefined || values.part !== undefined) await completePackQuantity(write)

  const now = new Date().toISOString()
  hidden.updated = now
  if (values.available !== undefined && after('available') !== null) hidden.availability_updated = now
}

async function checkManufacturerPart({ tx, after, errors }: Write): Promise<void> {
  const pk = after('manufacturer_part')
  if (pk === null) return
  const found = await tx.first<{ part: number }>('select part from manufacturer_part where pk = $1 for share', [pk])
  if (found?.part !== after('part')) errors.manufacturer_part = ['Linked manufacturer part must reference the same base part']
}

/** A blank pack quantity means 1. What a pack holds in the part's units is stored beside the text. */
async function completePackQuantity({ tx, values, hidden, after, errors }: Write): Promise<void> {
  const part = await tx.first<{ units: string | null }>('select units from part where pk = $1 for share', [after('part')])
  const written = String(after('pack_quantity') ?? '').trim() || '1'
  try {
    hidden.pack_quantity_native = packQuantity(written, part?.units ?? null, await unitRegistry(tx))
    values.pack_quantity = written
  } catch (error) {
    if (!(error instanceof UnitError)) throw error
    errors.pack_quantity = [error.message]
  }
}
