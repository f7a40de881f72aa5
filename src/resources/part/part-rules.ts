import { type Body, isDeletion, type Row, type Write } from '../../kit/definition/resource.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, type Decimal } from '../../kit/values/decimal.ts'
import { findRegularExpressionError } from '../../kit/values/regular-expression.ts'
import { OrderDependentError } from '../../kit/writing/bulk-create.ts'
import { setting } from '../../settings/live.ts'
import { lockBom } from '../bom/bom-rules.ts'
import { readTrackableComponents } from '../bom/track-assemblies.ts'
import { lockPacks, measurePack, type Pack, storePackContents } from '../company/part/measure-packs.ts'
import { getUnitRegistry } from '../units/unit-registry.ts'
import { checkNewPart, type DuplicateOptions } from './new-part.ts'
import { partErrors } from './part-errors.ts'

/**
 * Takes the locks that come before the row: that on all BOMs for a change of `locked`, which their writers read, and that on revisions, so
 * that concurrent changes form no cycle.
 */
export async function lockPart(tx: Tx, pks: readonly number[], body: Body): Promise<void> {
  if (isDeletion(body) || pks.length === 0) return
  if (body.revision_of) await tx.query(`select pg_advisory_xact_lock(hashtext('part_revision'), 0)`)
  if (body.locked !== undefined) await lockBom(tx)
}

/** Checks and completes a part (docs/interface/parts.md#rules-of-parts). */
export async function checkPart(write: Write): Promise<void> {
  await checkFields(write, () => checkCategories([write]))
  // last, as its lock comes after row locks
  await checkIpns([write])
}

/**
 * Checks and completes several new parts together.
 * @throws OrderDependentError if two have an IPN that only one may have
 */
export async function checkNewParts(writes: readonly Write[]): Promise<void> {
  await checkCategories(writes)
  for (const write of writes) await checkFields(write, () => {})
  await checkIpns(writes)
}

/** Checks all fields of a part but its IPN. */
async function checkFields(write: Write, checkCategory: () => unknown): Promise<void> {
  const { before, values } = write
  if (!before && copiesBomLines(values)) {
    if (typeof values.variant_of === 'number') await write.tx.query(`select lock_tree('part')`)
    await lockBom(write.tx)
  }
  if (before && values.variant_of === before.variant_of) values.variant_of = undefined
  if (before && changesOtherRows(before, values)) write.tx.lockExclusive()
  if (before && values.variant_of !== undefined) await checkMove(write, before.pk)
  if (before?.trackable && values.trackable === false) await checkComponents(write, before.pk)
  if (before && values.units !== undefined) await convertPackQuantities(write, before)
  if (!before && values.testable === undefined) values.testable = write.after('trackable') === true
  checkStockLimits(write)
  await checkRevision(write)
  await checkCategory()
  await copyExistingImage(write)
  if (!before) await checkNewPart(write)
}

/**
 * Whether a change of a part requires changes of other rows: with a new template those of its variants, its stock sums and its BOM; with a
 * new unit its packs and their ordered quantities; when trackable its assemblies.
 */
const changesOtherRows = (before: Row, { variant_of, units, trackable }: Write['values']): boolean =>
  variant_of !== undefined ||
  (units !== undefined && (units || null) !== (before.units || null)) ||
  (trackable !== undefined && trackable !== before.trackable)

/** Whether a new part starts with BOM lines: inherited ones, or a copy of another part's. */
const copiesBomLines = ({ variant_of, duplicate }: Write['values']): boolean =>
  typeof variant_of === 'number' || (duplicate as DuplicateOptions | undefined)?.copy_bom === true

/** Checks that the minimum stock is at most the maximum stock, if there is one. The error names the field that the request changes. */
function checkStockLimits({ before, values, after, errors }: Write): void {
  const [minimum, maximum] = [after('minimum_stock') ?? '0', after('maximum_stock') ?? '0'] as [Decimal, Decimal]
  const isChanged = (name: string) =>
    values[name] !== undefined && compare(values[name] as Decimal, (before?.[name] ?? '0') as Decimal) !== 0
  const changed = ['maximum_stock', 'minimum_stock'].find(isChanged)
  if (changed && compare(maximum, '0') > 0 && compare(minimum, maximum) > 0)
    errors[changed] = [partErrors.minimum_stock_above_maximum]
}

/** Checks a revision: of another part that is no template, with its own text, and with the same template. */
async function checkRevision(write: Write): Promise<void> {
  const { tx, before, values, after, errors } = write
  const revised = after('revision_of')
  const isChanged = (name: string) => values[name] !== undefined && values[name] !== (before?.[name] ?? null)
  if (revised === null || !['revision_of', 'revision', 'variant_of'].some(isChanged)) return
  if (!after('revision')) {
    errors.revision = [partErrors.revision_required]
    return
  }
  const other = await tx.first<{ assembly: boolean; is_template: boolean; variant_of: number | null; is_below: boolean }>(
    `with recursive above (pk, revision_of) as (
       select pk, revision_of from part where pk = $1
       union select part.pk, part.revision_of from above join part on part.pk = above.revision_of
     )
     select assembly, is_template, variant_of, exists (select from above where pk = $2) as is_below from part where pk = $1`,
    [revised, before?.pk ?? 0],
  )
  if (other?.is_below) errors.revision_of = [partErrors.revision_of_itself]
  else if (other?.is_template) errors.revision_of = [partErrors.revision_of_template]
  else if (other && other.variant_of !== after('variant_of')) errors.revision_of = [partErrors.revision_of_other_template]
  else if (other && !other.assembly && isChanged('revision_of') && setting(write, 'PART_REVISION_ASSEMBLY_ONLY'))
    errors.revision_of = [partErrors.revision_of_component]
}

/** Checks that the serial numbers of a part and its variants are unused in the tree that it moves to, where each must be unique. */
async function checkMove({ tx, values, errors }: Write, pk: number): Promise<void> {
  const duplicate = await tx.first<{ serial: string }>(
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
  if (duplicate) errors.variant_of = [partErrors.serial_number_twice_among_variants({ serial: duplicate.serial })]
}

/** Checks that a part with a trackable component is trackable. */
async function checkComponents({ tx, errors }: Write, pk: number): Promise<void> {
  const components = await readTrackableComponents(tx, pk)
  if (components.length) errors.trackable = [partErrors.part_must_be_trackable]
}

/** Converts the pack quantities to a new unit: 5 m become 5000 mm. Stock quantities keep their numbers. */
async function convertPackQuantities({ tx, values, errors }: Write, { pk, units: formerUnits }: Row): Promise<void> {
  const units = (values.units as string | null) || null
  if (units === (formerUnits || null)) return
  const registry = await getUnitRegistry(tx)
  const measured = (await lockPacks(tx, pk)).map((pack) => [pack, measurePack({ ...pack, units }, registry)] as const)
  const [unconvertible] = measured.find(([, amount]) => amount === undefined) ?? []
  if (unconvertible)
    errors.units = [partErrors.pack_not_in_unit({ sku: unconvertible.SKU, pack_quantity: unconvertible.pack_quantity })]
  else await storePackContents(tx, measured as [Pack, Decimal][])
}

/** Rejects structural categories, which hold no parts. Locks the rows, so that no category can become structural concurrently. */
async function checkCategories(writes: readonly Write[]): Promise<void> {
  const changed = writes.filter(
    ({ before, values: { category } }) => category !== undefined && category !== null && category !== before?.category,
  )
  const [first] = changed
  if (!first) return
  const rows = await first.tx.query<{ pk: number; structural: boolean }>(
    'select pk, structural from part_category where pk = any($1::integer[]) order by pk for share',
    [[...new Set(changed.map(({ values: { category } }) => category))]],
  )
  const allowed = new Set<unknown>(rows.flatMap(({ pk, structural }) => (structural ? [] : [pk])))
  for (const { values, errors } of changed) if (!allowed.has(values.category)) errors.category = [partErrors.structural_category]
}

/** Checks the pattern of new IPNs and, if the settings ask for it, that no other part has them. */
async function checkIpns(writes: readonly Write[]): Promise<void> {
  const changed = writes.filter(({ before, values: { IPN } }) => IPN && IPN !== before?.IPN)
  const [first] = changed
  if (!first) return
  const { tx } = first
  const ipns = changed.map(({ values }) => values.IPN as string)
  const pattern = setting(first, 'PART_IPN_REGEX').trim()
  if (pattern) {
    // an imported setting may predate the rules for expressions
    const patternError = findRegularExpressionError(pattern)
    if (patternError) throw invalidObject(partErrors.ipn_pattern_unusable({ reasons: [patternError] }))
    const matches = await tx.query<{ ipn: string }>('select ipn from unnest($1::text[]) as new (ipn) where ipn ~ $2', [
      ipns,
      pattern,
    ])
    const matching = new Set(matches.map(({ ipn }) => ipn))
    for (const { values, errors } of changed)
      if (!matching.has(values.IPN as string)) errors.non_field_errors = [partErrors.ipn_pattern({ pattern })]
  }
  if (setting(first, 'PART_ALLOW_DUPLICATE_IPN')) return
  if (new Set(ipns.map((ipn) => ipn.toLowerCase())).size < ipns.length) throw new OrderDependentError()
  // prevents concurrent creation of two parts with the same IPN
  await tx.query(
    `select pg_advisory_xact_lock(hashtext('part_IPN'), key) from (
       select distinct hashtext(lower(ipn)) as key from unnest($1::text[]) as new (ipn) order by key
     ) as keys`,
    [ipns],
  )
  const others = await tx.query<{ ipn: string; pk: number }>(
    `select new.ipn, part.pk from unnest($1::text[]) as new (ipn) join part on lower(part."IPN") = lower(new.ipn)`,
    [ipns],
  )
  for (const { before, values, errors } of changed)
    if (others.some(({ ipn, pk }) => ipn === values.IPN && pk !== before?.pk)) errors.IPN = [partErrors.ipn_taken]
}

/**
 * Sets the image of another part, by the name or URL of its file. Locks that part, so that it does not drop the image concurrently; without
 * waiting, as this part is locked already.
 */
async function copyExistingImage({ tx, values, errors }: Write): Promise<void> {
  if (values.existing_image === undefined) return
  const path = `part_images/${String(values.existing_image).split('/').at(-1)}`
  if (await tx.first('select 1 from part where image = $1 limit 1 for share skip locked', [path])) values.image = path
  else if (await tx.first('select 1 from part where image = $1 limit 1', [path])) {
    // a concurrent transaction changes the part with the image
    tx.lockExclusive()
    values.image = path
  } else errors.existing_image = [partErrors.unknown_part_picture]
}
