import type { Row, Write } from '../../kit/definition/resource.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import type { Decimal } from '../../kit/values/decimal.ts'
import { objectionTo } from '../../kit/values/regular-expression.ts'
import { setting } from '../../settings/live.ts'
import { lockBom } from '../bom/bom-rules.ts'
import { trackableComponents } from '../bom/track-assemblies.ts'
import { measurePack, type Pack, packsOf, storeMeasures } from '../company/part/measure-packs.ts'
import { unitRegistry } from '../units/unit-registry.ts'
import { type Duplicate, newPartRules } from './new-part.ts'
import { partErrors } from './part-errors.ts'

/** Checks and completes a part. (The reference description of parts, sections 1 and 4.) */
export async function partRules(write: Write): Promise<void> {
  const { before, values } = write
  if (!before && copiesBomLines(values)) {
    if (typeof values.variant_of === 'number') await write.tx.query(`select lock_tree('part')`)
    await lockBom(write.tx)
  }
  if (before && values.variant_of === before.variant_of) values.variant_of = undefined
  if (before && isReshaped(before, values)) write.tx.lockExclusive()
  if (before && values.variant_of !== undefined) await checkMove(write, before.pk)
  if (before?.trackable && values.trackable === false) await checkComponents(write, before.pk)
  if (before && values.units !== undefined) await measureInUnits(write, before)
  await checkCategory(write)
  await choosePicture(write)
  if (!before) await newPartRules(write)
  // last, as its lock comes after row locks
  await checkNumber(write)
}

/**
 * Whether a change of a part requires changes of other rows: with a new template those of its variants, its stock sums and its BOM; with a
 * new unit its packs and their ordered quantities; when trackable its assemblies.
 */
const isReshaped = (before: Row, { variant_of, units, trackable }: Write['values']): boolean =>
  variant_of !== undefined ||
  (units !== undefined && (units || null) !== (before.units || null)) ||
  (trackable !== undefined && trackable !== before.trackable)

/** Whether a new part starts with BOM lines: inherited ones, or a copy of another part's. */
const copiesBomLines = ({ variant_of, duplicate }: Write['values']): boolean =>
  typeof variant_of === 'number' || (duplicate as Duplicate | undefined)?.copy_bom === true

/** Checks that the serial numbers of a part and its variants are unused in the tree that it moves to, where each must be unique. */
async function checkMove({ tx, values, errors }: Write, pk: number): Promise<void> {
  const twice = await tx.first<{ serial: string }>(
    `select item.serial
     from part moved
     join stock_item item on item.part = moved.pk and item.serial <> ''
     join stock_item other on other.serial = item.serial
     join part on part.pk = other.part
     where moved.path @> array[$1::integer] and not part.path @> array[$1::integer]
       and part.path[1] = (select path[1] from part where pk = $2)
       and part.path[1] <> moved.path[1]
     limit 1`,
    [pk, values.variant_of],
  )
  if (twice) errors.variant_of = [partErrors.serial_number_twice_among_variants({ serial: twice.serial })]
}

/** Checks that a part with a trackable component is trackable. */
async function checkComponents({ tx, errors }: Write, pk: number): Promise<void> {
  const components = await trackableComponents(tx, pk)
  if (components.length) errors.trackable = [partErrors.part_must_be_trackable]
}

/** Converts the pack quantities to a new unit: 5 m become 5000 mm. The numbers of stock stay the same, as if the unit had only been missing. */
async function measureInUnits({ tx, values, errors }: Write, { pk, units: former }: Row): Promise<void> {
  const units = (values.units as string | null) || null
  if (units === (former || null)) return
  const registry = await unitRegistry(tx)
  const measured = (await packsOf(tx, pk)).map((pack) => [pack, measurePack({ ...pack, units }, registry)] as const)
  const [other] = measured.find(([, amount]) => amount === undefined) ?? []
  if (other) errors.units = [partErrors.pack_not_in_unit({ sku: other.SKU, pack_quantity: other.pack_quantity })]
  else await storeMeasures(tx, measured as [Pack, Decimal][])
}

/** Rejects structural categories, which hold no parts. Locks the row, so that the category cannot become structural concurrently. */
async function checkCategory({ tx, before, values, errors }: Write): Promise<void> {
  const { category } = values
  if (category === undefined || category === before?.category) return
  const categoryRow = await tx.first<{ structural: boolean }>('select structural from part_category where pk = $1 for share', [
    category,
  ])
  if (categoryRow?.structural !== false) errors.category = [partErrors.structural_category]
}

async function checkNumber(write: Write): Promise<void> {
  const { tx, before, values, errors } = write
  const number = values.IPN as string | null | undefined
  if (!number || number === before?.IPN) return
  const pattern = setting(write, 'PART_IPN_REGEX').trim()
  if (pattern) {
    // an imported setting may predate the rules for expressions
    const objection = objectionTo(pattern)
    if (objection) throw invalidObject(partErrors.ipn_pattern_unusable({ reasons: [objection] }))
    const match = await tx.first<{ fits: boolean }>('select $1::text ~ $2 as fits', [number, pattern])
    if (!match?.fits) errors.non_field_errors = [partErrors.ipn_pattern({ pattern })]
  }
  if (setting(write, 'PART_ALLOW_DUPLICATE_IPN')) return
  // prevents concurrent creation of two parts with the same IPN
  await tx.query(`select pg_advisory_xact_lock(hashtext('part_IPN'), hashtext(lower($1)))`, [number])
  const other = await tx.first('select 1 from part where lower("IPN") = lower($1) and pk <> $2 limit 1', [
    number,
    before?.pk ?? 0,
  ])
  if (other) errors.IPN = [partErrors.ipn_taken]
}

/**
 * Sets the image of another part, by the name or URL of its file. Locks that part, so that it does not drop the image concurrently; without
 * waiting, as this part is locked already.
 */
async function choosePicture({ tx, values, errors }: Write): Promise<void> {
  if (values.existing_image === undefined) return
  const path = `part_images/${String(values.existing_image).split('/').at(-1)}`
  if (await tx.first('select 1 from part where image = $1 limit 1 for share skip locked', [path])) values.image = path
  else if (await tx.first('select 1 from part where image = $1 limit 1', [path])) {
    // a concurrent transaction changes the part with the image
    tx.lockExclusive()
    values.image = path
  } else errors.existing_image = [partErrors.unknown_part_picture]
}
