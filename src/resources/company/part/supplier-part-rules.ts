import type { Body, Write, WriteRequest } from '../../../kit/definition/resource.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { parseReferencedKey } from '../../../kit/values/json.ts'
import { parsePackQuantity, UnitError } from '../../../notation/units/physical-units.ts'
import { getUnitRegistry } from '../../units/unit-registry.ts'
import { companyErrors } from '../company-errors.ts'

/**
 * Resolves the manufacturer part of a new supplier part that clients such as Ki-nTree name by the manufacturer's name and MPN instead of
 * its key. @throws Problem 400 if the part has no such manufacturer part, because the supplier part would then have none
 */
export async function findManufacturerPart({ tx, body }: WriteRequest): Promise<Body> {
  const { part, manufacturer, MPN, manufacturer_part } = body
  if (manufacturer_part || !MPN || !manufacturer || typeof MPN !== 'string' || typeof manufacturer !== 'string') return body
  const manufacturerPart = await tx.first<{ pk: number }>(
    `select m.pk from manufacturer_part m join company c on c.pk = m.manufacturer
     where m.part = $1 and c.name = $2 and m."MPN" = $3 order by m.pk limit 1`,
    [parseReferencedKey(part), manufacturer, MPN],
  )
  if (!manufacturerPart) throw invalid({ MPN: [companyErrors.manufacturer_part_not_found] })
  return { ...body, manufacturer_part: manufacturerPart.pk }
}

/**
 * Checks and completes a supplier part: its manufacturer part belongs to the same part, its pack quantity fits the part's units, and each
 * change sets `updated`.
 */
export async function checkSupplierPart(write: Write): Promise<void> {
  const { tx, values, hidden, before, after } = write
  await checkManufacturerPart(write)
  // its part refers to the primary supplier part: locked before rows are inserted
  if (changesPrimary(write))
    await tx.query('select from part where pk = any($1::integer[]) order by pk for no key update', [
      [before?.part, after('part')],
    ])
  const isPartChanged = before && values.part !== undefined && values.part !== before.part
  // quantities on order of its part, and concurrent receipts, depend on the part and the pack quantity
  if (isPartChanged || (before && values.pack_quantity !== undefined && values.pack_quantity !== before.pack_quantity))
    tx.lockExclusive()
  if (isPartChanged) await checkStock(write, before.pk)
  if (!before || values.pack_quantity !== undefined || values.part !== undefined) await completePackQuantity(write)

  const now = new Date().toISOString()
  hidden.updated = now
  if (values.available !== undefined && after('available') !== null) hidden.availability_updated = now
}

const changesPrimary = ({ before, values }: Write): boolean =>
  values.primary !== undefined || (before !== undefined && values.part !== undefined && values.part !== before.part)

/** Makes a supplier part the primary one of its part, in place of the previous one, or no longer. The parts are locked. */
export async function storePrimary(write: Write, pk: number): Promise<void> {
  const { tx, values, after } = write
  if (!write.before && write.config.wire.firstSupplierPartIsPrimary)
    await tx.query(
      `update part set default_supplier = $1 where pk = $2
         and not exists (select from supplier_part other where other.part = $2 and other.pk <> $1)`,
      [pk, after('part')],
    )
  if (!changesPrimary(write)) return
  const part = values.primary === false ? null : after('part')
  await tx.query('update part set default_supplier = null where default_supplier = $1 and pk is distinct from $2::integer', [
    pk,
    part,
  ])
  if (values.primary === true)
    await tx.query('update part set default_supplier = $1 where pk = $2 and default_supplier is distinct from $1', [pk, part])
}

/** Checks that stock bought by it is of its part: stock of another part could no longer be split. */
async function checkStock({ tx, values, errors }: Write, pk: number): Promise<void> {
  const purchasedItem = await tx.first('select 1 from stock_item where supplier_part = $1 and part <> $2 limit 1', [
    pk,
    values.part,
  ])
  if (purchasedItem) errors.part = [companyErrors.supplier_part_has_stock]
}

async function checkManufacturerPart({ tx, after, errors }: Write): Promise<void> {
  const pk = after('manufacturer_part')
  if (pk === null) return
  const manufacturerPart = await tx.first<{ part: number }>('select part from manufacturer_part where pk = $1 for share', [pk])
  if (manufacturerPart?.part !== after('part')) errors.manufacturer_part = [companyErrors.manufacturer_part_of_other_part]
}

/** Completes the pack quantity: blank means 1, and the contents in the part's units are stored next to the text. */
async function completePackQuantity({ tx, values, hidden, after, errors }: Write): Promise<void> {
  const part = await tx.first<{ units: string | null }>('select units from part where pk = $1 for share', [after('part')])
  const packText = String(after('pack_quantity') ?? '').trim() || '1'
  try {
    hidden.pack_quantity_native = parsePackQuantity(packText, part?.units ?? null, await getUnitRegistry(tx))
    values.pack_quantity = packText
  } catch (error) {
    if (!(error instanceof UnitError)) throw error
    errors.pack_quantity = [error.reason]
  }
}
