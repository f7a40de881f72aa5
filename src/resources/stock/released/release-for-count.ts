import type { Statement } from '../../../database/text-query.ts'
import type { Errors } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { compare, type Decimal, isZero, jsonNumber, normalize, subtract } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { allocatedQuantity, type LockedItem, type StockContext } from '../movement/locked-items.ts'
import type { HistoryEntry } from '../movement/stock-history.ts'
import { stockErrors } from '../stock-errors.ts'
import type { ReleaseAllocations } from './release-input.ts'

/** An open allocation of a locked stock item. */
type Allocation = {
  pk: number
  kind: 'sales' | 'build'
  item: number
  /** The sales order or build order, followed by its reference. */
  order: number
  reference: string
  line: number
  shipment: number | null
  install_into: number | null
  quantity: Decimal
}

/** The released quantity of an allocation. */
type Released = { allocation: Allocation; quantity: Decimal }

/** A released allocation, as the response reports it. */
export type ReleasedEntry = {
  /** Its key in `/api/stock/released/`, the history of its order. */
  pk: number
  allocation: string
  sales_order: number | null
  build: number | null
  reference: string
  /** Released quantity, in units of the part, followed by the quantity that stays allocated. */
  quantity: Decimal
  remaining: Decimal
}

/** Open allocations of the items in the first value, newest first. */
const ALLOCATIONS = `select pk, kind, item, "order", reference, line, shipment, install_into, quantity::text from (
    select a.pk, 'sales' as kind, a.item, o.pk as "order", o.reference, a.line, a.shipment, null::integer as install_into, a.quantity, a.created
    from sales_order_allocation a join sales_order_line l on l.pk = a.line join sales_order o on o.pk = l."order"
    where a.is_open and a.item = any($1::integer[])
    union all
    select a.pk, 'build', a.stock_item, o.pk, o.reference, a.build_line, null, a.install_into, a.quantity, a.created
    from build_allocation a join build_line l on l.pk = a.build_line join build_order o on o.pk = l.build
    where a.is_open and a.stock_item = any($1::integer[])
  ) allocation order by created desc, pk desc, kind`

const nameOf = ({ kind, pk }: Allocation): string => `${kind}-${pk}`

/**
 * Releases allocations of items that were counted below their allocated quantity, before the items are stored. It reads nothing when there
 * are no such items. For an item that is listed twice, the last entry decides.
 * @param choices allocations that each entry permits to release
 * @returns released allocations by item, and the history entries of the items
 * @throws Problem 400 `below_allocated` at each entry that permits no release, or not enough
 */
export async function releaseForCount(
  context: StockContext & Services,
  items: readonly LockedItem[],
  choices: readonly (ReleaseAllocations | undefined)[],
): Promise<{ released: ReadonlyMap<LockedItem, ReleasedEntry[]>; entries: HistoryEntry[] }> {
  const { tx, config } = context
  const last = new Map(items.map((item, at) => [item, at]))
  const short = [...last.keys()].filter((item) => compare(item.quantity, allocatedQuantity(item)) < 0)
  if (short.length === 0) return { released: new Map(), entries: [] }
  const rows = await tx.query<Allocation>(ALLOCATIONS, [short.map(({ pk }) => pk)])
  const errors = items.map((): Errors => ({}))
  const releases = new Map<LockedItem, Released[]>()
  for (const item of short) {
    const own = rows.filter((row) => row.item === item.pk)
    const at = last.get(item) as number
    // existing clients cannot state which allocations to release
    const choice = choices[at] ?? (config.wireForm === 'inventree' ? true : [])
    const unknown = choice === true ? [] : choice.filter((name) => own.filter(matchesName(name)).length !== 1)
    const chosen = choice === true ? own : [...new Set(choice)].flatMap((name) => own.filter(matchesName(name)))
    const { selection, missing } = selectReleases(chosen, subtract(allocatedQuantity(item), item.quantity))
    if (unknown.length > 0) errors[at] = { release_allocations: [stockErrors.unknown_allocations({ allocations: unknown })] }
    else if (!isZero(missing)) errors[at] = { quantity: [belowAllocated(item, own)] }
    else releases.set(item, selection)
  }
  if (errors.some((entry) => Object.keys(entry).length > 0)) throw invalid({ items: errors })
  return applyReleases(context, releases)
}

const matchesName = (name: string) => (allocation: Allocation) => name === nameOf(allocation) || name === String(allocation.pk)

/** Takes a quantity from allocations, in their order. `missing` is the rest that they cannot cover. */
function selectReleases(allocations: readonly Allocation[], needed: Decimal): { selection: Released[]; missing: Decimal } {
  const selection: Released[] = []
  let missing = needed
  for (const allocation of allocations) {
    if (compare(missing, '0') <= 0) break
    const quantity = compare(allocation.quantity, missing) < 0 ? allocation.quantity : missing
    selection.push({ allocation, quantity })
    missing = subtract(missing, quantity)
  }
  return { selection, missing }
}

const belowAllocated = (item: LockedItem, allocations: readonly Allocation[]): ErrorMessage =>
  stockErrors.below_allocated({ allocated: normalize(allocatedQuantity(item)), allocations: allocations.map(describe) })

function describe(allocation: Allocation): ErrorMessage {
  const { kind, reference, order, quantity } = allocation
  const parameters = { quantity: normalize(quantity), reference, order, allocation: nameOf(allocation) }
  return kind === 'sales' ? stockErrors.allocated_to_sales_order(parameters) : stockErrors.allocated_to_build_order(parameters)
}

const INSERT = `insert into released_allocation
    (sales_order, build, part, stock_item, allocation, line, shipment, install_into, quantity, "user")
  select sales_order, build, part, stock_item, allocation, line, shipment, install_into, quantity, $2
  from json_to_recordset($1::json) released (
    sales_order integer, build integer, part integer, stock_item integer, allocation integer, line integer, shipment integer,
    install_into integer, quantity numeric
  ) returning pk`

/** Emits one notice per order, which names the first entry of its history. */
const NOTIFY = `insert into notice (kind, model, target, actor)
  select 'released', 'releasedallocation', target, $2 from unnest($1::integer[]) target`

async function applyReleases(context: StockContext & Services, releases: ReadonlyMap<LockedItem, readonly Released[]>) {
  const { tx, caller } = context
  const all = [...releases].flatMap(([item, released]) => released.map((one) => ({ item, ...one })))
  for (const { item, allocation, quantity } of all) {
    const name = allocation.kind === 'sales' ? 'allocated_to_sales_orders' : 'allocated_to_build_orders'
    item[name] = subtract(item[name], quantity)
  }
  const writes = (['sales', 'build'] as const).flatMap((kind) =>
    shrink(
      kind === 'sales' ? 'sales_order_allocation' : 'build_allocation',
      all.filter(({ allocation }) => allocation.kind === kind),
    ),
  )
  await tx.pipeline(...writes)
  const pks = await tx.query<{ pk: number }>(INSERT, [
    JSON.stringify(
      all.map(({ item, allocation, quantity }) => ({
        ...ordersOf(allocation),
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
  const firstOf = new Map<string, number>()
  const released = new Map<LockedItem, ReleasedEntry[]>()
  for (const [at, { item, allocation, quantity }] of all.entries()) {
    const pk = (pks[at] as { pk: number }).pk
    const order = `${allocation.kind}-${allocation.order}`
    if (!firstOf.has(order)) firstOf.set(order, pk)
    const entry = {
      pk,
      allocation: nameOf(allocation),
      ...ordersOf(allocation),
      reference: allocation.reference,
      quantity: normalize(quantity),
      remaining: normalize(subtract(allocation.quantity, quantity)),
    }
    released.set(item, [...(released.get(item) ?? []), entry])
  }
  tx.atCommit({ text: NOTIFY, values: [[...firstOf.values()], caller.pk] })
  const entries = all.map(
    ({ item, allocation, quantity }): HistoryEntry => ({
      item: item.pk,
      type: 'STOCK_UPDATE',
      deltas: {
        released: jsonNumber(quantity),
        ...(allocation.kind === 'sales' ? { salesorder: allocation.order } : { buildorder: allocation.order }),
      },
    }),
  )
  return { released, entries }
}

const ordersOf = ({ kind, order }: Allocation) => ({
  sales_order: kind === 'sales' ? order : null,
  build: kind === 'build' ? order : null,
})

/** Reduces or deletes allocations. Their items are locked. */
function shrink(table: string, released: readonly Released[]): Statement[] {
  const isGone = ({ allocation, quantity }: Released) => compare(allocation.quantity, quantity) === 0
  const deleted = released.filter(isGone)
  const less = released.filter((one) => !isGone(one))
  return [
    {
      text: `delete from ${table} where pk = any($1::integer[])`,
      values: [deleted.map(({ allocation }) => allocation.pk)],
    },
    {
      text: `update ${table} allocation set quantity = allocation.quantity - less.quantity
        from unnest($1::integer[], $2::numeric[]) less (pk, quantity) where allocation.pk = less.pk`,
      values: [less.map(({ allocation }) => allocation.pk), less.map(({ quantity }) => quantity)],
    },
  ]
}
