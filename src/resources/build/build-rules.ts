import type { Body, Deletion, Row, Write, WriteRequest } from '../../kit/definition/resource.ts'
import { outOfRangeErrors } from '../../kit/request/constraint.ts'
import type { Errors } from '../../kit/request/errors.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { leadsTo } from '../../kit/sql/chains.ts'
import { Parameters, Scope, toPlainSql } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, type Decimal, isWhole } from '../../kit/values/decimal.ts'
import { setting } from '../../settings/live.ts'
import { parseReferenceInteger } from '../../settings/reference-pattern.ts'
import { notify } from '../notifications/notify.ts'
import { getReferencePattern, reserveNextReference } from '../order/next-reference.ts'
import { orderErrors } from '../order/order-errors.ts'
import { defaultLocationSql } from '../part/category/part-category.resource.ts'
import { IS_BOM_VALIDATED } from '../part/part.filters.ts'
import { part } from '../part/part.table.ts'
import { stockErrors } from '../stock/stock-errors.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { BUILD_STATUS } from './build-status.ts'

/** Error for a fraction of a unit when components are tracked. */
export const WHOLE_QUANTITY_FOR_COMPONENTS = buildErrors.whole_build_quantity_for_components

const BELOW_ITSELF = buildErrors.build_below_itself

/** Errors for violated constraints. */
export const constraints: Record<string, Errors> = {
  ...outOfRangeErrors('quantity'),
  build_order_reference_key: { reference: [buildErrors.build_reference_taken] },
  build_order_parent_check: { parent: [BELOW_ITSELF] },
}

/** For existing clients, sets a missing quantity to 1 and a missing reference to the next one (docs/configuration.md#wire-form). */
export async function addDefaults({ services, tx, caller, body: ownBody }: WriteRequest): Promise<Body> {
  const { nextReference, quantityOne, issuesByCaller } = services.config.wire
  const body = issuesByCaller ? { ...ownBody, issued_by: caller.pk } : ownBody
  const bodyWithQuantity = quantityOne ? { quantity: 1, ...body } : body
  return nextReference && body.reference === undefined
    ? { ...bodyWithQuantity, reference: await reserveNextReference(services, tx, BUILD_ORDER) }
    : bodyWithQuantity
}

/** Checks and completes a write of a build order. Its reference fits the pattern already (`referenceField`). */
export async function checkBuild(write: Write): Promise<void> {
  const { tx, before, values, hidden, errors, after } = write
  const reference = values.reference as string | undefined
  if (reference !== undefined && reference !== before?.reference)
    hidden.reference_int = parseReferenceInteger(getReferencePattern(write, BUILD_ORDER), reference)
  if (setting(write, 'BUILDORDER_REQUIRE_RESPONSIBLE') && after('responsible') === null)
    errors.responsible = [orderErrors.responsible_required]
  const [start, target] = [after('start_date'), after('target_date')] as (string | null)[]
  const changesDates = values.start_date !== undefined || values.target_date !== undefined
  if (changesDates && start && target && start > target) errors.target_date = [buildErrors.build_starts_after_target]
  const parent = values.parent as number | null | undefined
  if (before && changesParentOrQuantity(before, values)) tx.lockExclusive()
  if (before && parent && parent !== before.parent && (await leadsTo(tx, 'build_order', 'parent', parent, before.pk)))
    errors.parent = [BELOW_ITSELF]
  await checkQuantity(write)
  if (before) return
  await checkPart(write)
  hidden.creation_date = new Date().toISOString().slice(0, 10)
  values.destination ??= await readDefaultLocation(tx, values.part)
}

/**
 * Whether a write changes the parent or the quantity: concurrent changes of parents could form a cycle, and an order's lines and the part
 * quantities follow its quantity.
 */
const changesParentOrQuantity = (before: Row, { parent, quantity }: Write['values']): boolean =>
  (parent !== undefined && parent !== before.parent) ||
  (quantity !== undefined && compare(quantity as Decimal, before.quantity as Decimal) !== 0)

const scope = new Scope(part, 'part', new Parameters())
const isBomValidated = scope.expression(IS_BOM_VALIDATED)

/** Checks that the part of a new build order is ready to be built, as far as the settings require that. */
async function checkPart(write: Write): Promise<void> {
  const requiresLocked = setting(write, 'BUILDORDER_REQUIRE_LOCKED_PART')
  const requiresBom = setting(write, 'BUILDORDER_REQUIRE_VALID_BOM')
  if (!requiresLocked && !requiresBom) return
  // locked, so that it does not change before the order is there
  const buildPart = await write.tx.first<{ locked: boolean; is_bom_validated: boolean }>(
    `select locked, ${isBomValidated} as is_bom_validated from part where pk = $1 for share of part`,
    [write.after('part')],
  )
  if (!buildPart) return
  if (requiresLocked && !buildPart.locked) write.errors.part = [buildErrors.build_part_unlocked]
  else if (requiresBom && !buildPart.is_bom_validated) write.errors.part = [buildErrors.build_bom_not_validated]
}

async function checkQuantity({ tx, before, values, after, errors }: Write): Promise<void> {
  const quantity = values.quantity as Decimal | undefined
  if (quantity === undefined || quantity === before?.quantity || isWhole(quantity)) return
  // a part with tracked components is trackable too, except some imported ones
  const buildPart = await tx.first<{ trackable: boolean; has_tracked_component: boolean }>(
    `select part.trackable, exists (
       select from bom_lines(part.pk) line join part component on component.pk = line.sub_part
       where component.trackable and not line.consumable and not component.consumable
     ) as has_tracked_component from part where pk = $1`,
    [after('part')],
  )
  if (buildPart?.trackable) errors.quantity = [stockErrors.whole_quantity_required]
  else if (buildPart?.has_tracked_component) errors.quantity = [WHOLE_QUANTITY_FOR_COMPONENTS]
}

/** Returns the location for new stock of a part: the part's default location, otherwise that of its category. */
export async function readDefaultLocation(tx: Tx, part: unknown): Promise<number | null> {
  const row = await tx.first<{ location: number | null }>(
    `select coalesce(part.default_location, ${toPlainSql(defaultLocationSql('category.path'))}) as location
     from part left join part_category category on category.pk = part.category where part.pk = $1`,
    [part],
  )
  return row?.location ?? null
}

/** Notifies the responsible owner of a new build order, unless they issued it, and the subscribers of its part if components are missing. */
export async function notifyOfCreation(write: Write, pk: number): Promise<void> {
  await notify(write, 'lacks_stock', BUILD_ORDER.model, pk)
  if (write.after('responsible') !== null) await notify(write, 'new', BUILD_ORDER.model, pk)
}

/** Notifies a newly responsible owner. */
export async function notifyResponsible(write: Write, pk: number): Promise<void> {
  const responsible = write.after('responsible')
  if (responsible !== null && responsible !== write.before?.responsible) await notify(write, 'responsible', BUILD_ORDER.model, pk)
}

export function requireCancelled({ row }: Deletion): void {
  if (row.status !== BUILD_STATUS.CANCELLED.key) throw invalidObject(buildErrors.build_not_cancelled)
}
