import { type Body, isDeletion, type Write } from '../../kit/definition/resource.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, type Decimal, isWhole } from '../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { OrderDependentError } from '../../kit/writing/bulk-create.ts'
import { setting } from '../../settings/live.ts'
import type { LockContext } from '../part/delete-part.ts'
import { partErrors } from '../part/part-errors.ts'
import { bomErrors } from './bom-errors.ts'
import { completeQuantities } from './entered-quantity.ts'
import { trackAssemblies } from './track-assemblies.ts'

/**
 * Serializes changes to BOMs. The triggers that reject loops take this lock too. Take it before any row lock, so that a transaction that
 * waits for it holds no rows that others need. Locks on build orders come next, then those on part quantities.
 */
export const lockBom = (tx: Tx): Promise<unknown> => tx.query(`select pg_advisory_xact_lock(hashtext('bom'), 0)`)

/**
 * Takes the locks that a write of lines needs before the lines themselves; for deletions also those on all build orders, stock items and part
 * quantities that change with them, in the order of their keys.
 */
export async function lockLines(tx: Tx, pks: readonly number[], body: Body): Promise<void> {
  await lockBom(tx)
  if (isDeletion(body)) await tx.query('select lock_builds_of_lines($1::integer[])', [pks])
}

/** Rejects a change of the BOMs of locked parts. The caller holds the lock (`lockBom`), which a change of the flag takes, too. */
export async function requireUnlockedAssemblies(context: LockContext, assemblies: readonly unknown[]): Promise<void> {
  if (!setting(context, 'PART_ENABLE_LOCKING')) return
  if (await context.tx.first('select from part where pk = any($1::integer[]) and locked limit 1', [assemblies]))
    throw invalidObject(partErrors.part_locked)
}

/**
 * Makes all other writes wait before BOMs change in several steps, if these assemblies have active build orders: each step locks their stock
 * and part quantities. Call it after `lockBom`.
 */
export async function lockForSteps(tx: Tx, assemblies: readonly number[]): Promise<void> {
  const activeBuild = await tx.first(
    `select from build_order build join part on part.pk = build.part
     where part.path && $1::integer[] and is_active_build(build.status) limit 1`,
    [assemblies],
  )
  if (activeBuild) tx.lockExclusive()
}

/** Deletes the assemblies' own lines, before others replace them. The caller holds the lock (`lockBom`). */
export async function clearBom(tx: Tx, assemblies: readonly number[]): Promise<void> {
  await tx.pipeline(
    {
      text: 'select lock_builds_of_lines(array(select pk from bom_item where part = any($1::integer[])))',
      values: [assemblies],
    },
    { text: 'delete from bom_item where part = any($1::integer[])', values: [assemblies] },
  )
}

/** Returns the error of a line's quantity, if any. */
export function checkComponentQuantity(
  services: Pick<Services, 'settings'>,
  quantity: Decimal,
  isTrackable: boolean,
): ErrorMessage | undefined {
  const sign = compare(quantity, '0')
  if (sign < 0 || (sign === 0 && !setting(services, 'PART_BOM_ALLOW_ZERO_QUANTITY')))
    return bomErrors.component_quantity_must_be_positive
  if (isTrackable && !isWhole(quantity)) return bomErrors.whole_component_quantity_required
}

/**
 * Checks a line. The triggers of the table check that no assembly contains itself. Unchanged fields are not checked: a component may have
 * become trackable since.
 */
export async function checkLine(write: Write): Promise<void> {
  const { before, values, after } = write
  if (!before) return checkNewLines([write])
  await requireUnlockedAssemblies(write, [before.part, after('part')])
  // a value that a client sends is ignored: it is derived from the line
  values.validated = undefined
  await completeQuantities([write])
  const isChanged = (name: string) => after(name) !== before[name]
  if (isChanged('sub_part') || compare(after('quantity') as Decimal, before.quantity as Decimal) !== 0)
    await checkQuantities([write])
  if (isChanged('sub_part') || isChanged('part')) await checkSubstitutes(write, before.pk)
}

/** Checks new lines as `checkLine` checks one. */
export async function checkNewLines(writes: readonly Write[]): Promise<void> {
  for (const { values } of writes) values.validated = undefined
  const [first] = writes
  if (!first) return
  await lockBom(first.tx)
  await requireUnlockedAssemblies(
    first,
    writes.map(({ after }) => after('part')),
  )
  await completeQuantities(writes)
  await checkQuantities(writes)
}

async function checkQuantities(writes: readonly Write[]): Promise<void> {
  // locked, so that none becomes trackable concurrently
  const trackable = await writes[0]?.tx.query<{ pk: number }>(
    `select pk from (
       select pk, trackable from part where pk = any($1::integer[]) order by pk for share
     ) component where trackable`,
    [writes.map(({ after }) => after('sub_part'))],
  )
  const trackableParts = new Set(trackable?.map(({ pk }) => pk))
  for (const write of writes) {
    const { after, errors } = write
    const isTrackable = trackableParts.has(after('sub_part') as number)
    const quantityError = checkComponentQuantity(write, after('quantity') as Decimal, isTrackable)
    if (quantityError) errors.quantity = [quantityError]
  }
}

/**
 * Makes the assemblies of new lines trackable where their components require it (`trackAssemblies`).
 * @throws OrderMatters when a line takes a fraction of a component that another line makes trackable: the result depends on their order
 */
export async function trackNewLines(writes: readonly Write[]): Promise<void> {
  const [first] = writes
  if (!first) return
  const trackedParts = await trackAssemblies(
    first.tx,
    writes.map(({ after }) => after('sub_part') as number),
  )
  if (writes.some(({ after }) => trackedParts.has(after('sub_part') as number) && !isWhole(after('quantity') as Decimal)))
    throw new OrderDependentError()
}

/** Checks that no substitute of a line is its component or belongs to its assembly. */
async function checkSubstitutes({ tx, after, errors }: Write, line: number): Promise<void> {
  const substitutes = await tx.query<{ part: number; path: number[] }>(
    'select substitute.part, part.path from bom_item_substitute substitute join part on part.pk = substitute.part where substitute.bom_item = $1',
    [line],
  )
  if (substitutes.some(({ part }) => part === after('sub_part'))) errors.sub_part = [bomErrors.substitute_is_component]
  if (substitutes.some(({ path }) => path.includes(after('part') as number))) errors.part = [bomErrors.substitute_is_assembly]
}
