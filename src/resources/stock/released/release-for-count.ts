import type { Statement } from '../../../database/text-query.ts'
import type { Errors } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { compare, type Decimal, isZero, normalize, subtract, toJsonNumber } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { allocatedQuantity, type LockedItem, type StockContext } from '../movement/locked-items.ts'
import type { HistoryEntry } from '../movement/stock-history.ts'
import { stockErrors } from '../stock-errors.ts'
import type { ReleaseAllocations } from './release-input.ts'
import { RELEASE_KINDS, type ReleaseKind, toOrderColumns } from './release-kinds.ts'

/** An open allocation of a locked stock item. */
type Allocation = {
  pk: number
  kind: ReleaseKind
  item: number
  /** The order, followed by its reference. */
  order: number
  reference: string
  line: number
  shipment: number | null
  install_into: number | null
  quantity: Decimal
}

/** The released quantity of an allocation. */
type Release = { allocation: Allocation; quantity: Decimal }

/** A released allocation, as the response reports it. */
export type ReleasedEntry = {
  /** Its key in `/api/stock/released/`, the history of its order. */
  pk: number
  allocation: string
  sales_order: number | null
  build: number | null
  transfer_order: number | null
  reference: string
  /** Released quantity, in units of the part, followed by the quantity that stays allocated. */
  quantity: Decimal
  remaining: Decimal
}

/** Open allocations of the items in the first value, newest first. */
const ALLOCATIONS_QUERY = `select pk, kind, item, "order", reference, line, shipment, install_into, quantity::text from (
    select a.pk, 'sales' as kind, a.item, o.pk as "order", o.reference, a.line, a.shipment, null::integer as install_into, a.quantity, a.created
    from sales_order_allocation a join sales_order_line l on l.pk = a.line join sales_order o on o.pk = l."order"
    where a.is_open and a.item = any($1::integer[])
    union all
    select a.pk, 'transfer', a.item, o.pk, o.reference, a.line, null, null, a.quantity, a.created
    from transfer_order_allocation a join transfer_order_line l on l.pk = a.line join transfer_order o on o.pk = l."order"
    where a.is_open and a.item = any($1::integer[])
    union all
    select a.pk, 'build', a.stock_item, o.pk, o.reference, a.build_line, null, a.install_into, a.quantity, a.created
    from build_allocation a join build_line l on l.pk = a.build_line join build_order o on o.pk = l.build
    where a.is_open and a.stock_item = any($1::integer[])
  ) allocation order by created desc, pk desc, kind`

const toName = ({ kind, pk }: Allocation): string => `${kind}-${pk}`

/**
 * Releases allocations of items that were counted below their allocated quantity, before the items are stored. It reads nothing when there
 * are no such items. For an item that is listed twice, the last entry decides.
 * @param choices the allocations that each entry allows to release
 * @returns released allocations by item, and the history entries of the items
 * @throws Problem 400 `below_allocated` at each entry that permits no release, or not enough
 */
export async function releaseForCount(
  context: StockContext & Services,
  items: readonly LockedItem[],
  choices: readonly (ReleaseAllocations | undefined)[],
): Promise<{ released: ReadonlyMap<LockedItem, ReleasedEntry[]>; entries: HistoryEntry[] }> {
  const { tx, config } = context
  const lastIndexes = new Map(items.map((item, index) => [item, index]))
  const overallocated = [...lastIndexes.keys()].filter((item) => compare(item.quantity, allocatedQuantity(item)) < 0)
  if (overallocated.length === 0) return { released: new Map(), entries: [] }
  const rows = await tx.query<Allocation>(ALLOCATIONS_QUERY, [overallocated.map(({ pk }) => pk)])
  const errors = items.map((): Errors => ({}))
  const releases = new Map<LockedItem, Release[]>()
  for (const item of overallocated) {
    const itemAllocations = rows.filter((row) => row.item === item.pk)
    const index = lastIndexes.get(item) as number
    // existing clients cannot state which allocations to release
    const choice = choices[index] ?? (config.wire.releasesForCounts ? true : [])
    const unknown = choice === true ? [] : choice.filter((name) => itemAllocations.filter(matchesName(name)).length !== 1)
    const chosen =
      choice === true ? itemAllocations : [...new Set(choice)].flatMap((name) => itemAllocations.filter(matchesName(name)))
    const { selection, missing } = selectReleases(chosen, subtract(allocatedQuantity(item), item.quantity))
    if (unknown.length > 0) errors[index] = { release_allocations: [stockErrors.unknown_allocations({ allocations: unknown })] }
    else if (!isZero(missing)) errors[index] = { quantity: [belowAllocatedError(item, itemAllocations)] }
    else releases.set(item, selection)
  }
  if (errors.some((entry) => Object.keys(entry).length > 0)) throw invalid({ items: errors })
  return applyReleases(context, releases)
}

const matchesName = (name: string) => (allocation: Allocation) => name === toName(allocation) || name === String(allocation.pk)

/** Takes a quantity from allocations, in their order. `missing` is the rest that they cannot cover. */
function selectReleases(
  allocations: readonly Allocation[],
  requiredQuantity: Decimal,
): { selection: Release[]; missing: Decimal } {
  const selection: Release[] = []
  let missing = requiredQuantity
  for (const allocation of allocations) {
    if (compare(missing, '0') <= 0) break
    const quantity = compare(allocation.quantity, missing) < 0 ? allocation.quantity : missing
    selection.push({ allocation, quantity })
    missing = subtract(missing, quantity)
  }
  return { selection, missing }
}

const belowAllocatedError = (item: LockedItem, allocations: readonly Allocation[]): ErrorMessage =>
  stockErrors.below_allocated({ allocated: normalize(allocatedQuantity(item)), allocations: allocations.map(describeAllocation) })

function describeAllocation(allocation: Allocation): ErrorMessage {
  const { kind, reference, order, quantity } = allocation
  const parameters = { quantity: normalize(quantity), reference, order, allocation: toName(allocation) }
  return {
    sales: stockErrors.allocated_to_sales_order,
    build: stockErrors.allocated_to_build_order,
    transfer: stockErrors.allocated_to_transfer_order,
  }[kind](parameters)
}

const INSERT = `insert into released_allocation
    (sales_order, build, transfer_order, part, stock_item, allocation, line, shipment, install_into, quantity, "user")
  select sales_order, build, transfer_order, part, stock_item, allocation, line, shipment, install_into, quantity, $2
  from json_to_recordset($1::json) released (
    sales_order integer, build integer, transfer_order integer, part integer, stock_item integer, allocation integer, line integer, shipment integer,
    install_into integer, quantity numeric
  ) returning pk`

/** Emits one notification per order, which names the first new entry of its history. */
const NOTIFY = `insert into notice (kind, model, target, actor)
  select 'released', 'releasedallocation', target, $2 from unnest($1::integer[]) target`

async function applyReleases(context: StockContext & Services, releases: ReadonlyMap<LockedItem, readonly Release[]>) {
  const { tx, caller } = context
  const all = [...releases].flatMap(([item, released]) => released.map((release) => ({ item, ...release })))
  for (const { item, allocation, quantity } of all) {
    const name = RELEASE_KINDS[allocation.kind].sum
    item[name] = subtract(item[name], quantity)
  }
  const writes = Object.entries(RELEASE_KINDS).flatMap(([kind, { allocations }]) =>
    reduceAllocations(
      allocations,
      all.filter(({ allocation }) => allocation.kind === kind),
    ),
  )
  await tx.pipeline(...writes)
  const pks = await tx.query<{ pk: number }>(INSERT, [
    JSON.stringify(
      all.map(({ item, allocation, quantity }) => ({
        ...toOrderColumns(allocation.kind, allocation.order),
        part: item.part,
        stock_item: item.pk,
        allocation: allocation.pk,
        line: allocation.line,
        shipment: allocation.shipment,
        install_into: allocation.install_into,
        quantity,
      })),
    ),
    caller.pk,
  ])
  const firstReleaseByOrder = new Map<string, number>()
  const released = new Map<LockedItem, ReleasedEntry[]>()
  for (const [index, { item, allocation, quantity }] of all.entries()) {
    const pk = (pks[index] as { pk: number }).pk
    const order = `${allocation.kind}-${allocation.order}`
    if (!firstReleaseByOrder.has(order)) firstReleaseByOrder.set(order, pk)
    const entry = {
      pk,
      allocation: toName(allocation),
      ...toOrderColumns(allocation.kind, allocation.order),
      reference: allocation.reference,
      quantity: normalize(quantity),
      remaining: normalize(subtract(allocation.quantity, quantity)),
    }
    released.set(item, [...(released.get(item) ?? []), entry])
  }
  tx.atCommit({ text: NOTIFY, values: [[...firstReleaseByOrder.values()], caller.pk] })
  const entries = all.map(
    ({ item, allocation, quantity }): HistoryEntry => ({
      item: item.pk,
      type: 'STOCK_UPDATE',
      deltas: {
        released: toJsonNumber(quantity),
        [RELEASE_KINDS[allocation.kind].delta]: allocation.order,
      },
    }),
  )
  return { released, entries }
}

/** Reduces or deletes allocations. Their items are locked. */
function reduceAllocations(table: string, released: readonly Release[]): Statement[] {
  const isFullRelease = ({ allocation, quantity }: Release) => compare(allocation.quantity, quantity) === 0
  const deleted = released.filter(isFullRelease)
  const reduced = released.filter((release) => !isFullRelease(release))
  return [
    {
      text: `delete from ${table} where pk = any($1::integer[])`,
      values: [deleted.map(({ allocation }) => allocation.pk)],
    },
    {
      text: `update ${table} allocation set quantity = allocation.quantity - reduced.quantity
        from unnest($1::integer[], $2::numeric[]) reduced (pk, quantity) where allocation.pk = reduced.pk`,
      values: [reduced.map(({ allocation }) => allocation.pk), reduced.map(({ quantity }) => quantity)],
    },
  ]
}
