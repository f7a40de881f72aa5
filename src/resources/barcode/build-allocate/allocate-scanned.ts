import { invalid } from '../../../kit/request/problem.ts'
import { compare, type Decimal, normalize } from '../../../kit/values/decimal.ts'
import { lockActiveBuild, type OnBuild } from '../../build/build-state.ts'
import { storeAllocations } from '../../build/item/allocate.ts'
import { type AllocatableLine, allocationErrors } from '../../build/item/allocation-rules.ts'
import { lockStockItems, unallocated } from '../../stock/movement/locked-items.ts'
import { refusal } from '../answer.ts'
import type { BuildAllocationMade } from '../history/undo/build-allocation.ts'
import { NO_STOCK_ITEM } from '../scan.ts'
import { lackingOf, linesFor, meantFirst, outputsFor, partOf, type ScannedPart } from './choose-line.ts'

/** What a scan asks for. */
type Wanted = {
  item: number
  line: number | null
  output: number | null
  /** In units of the part; as much as fits when it is not said. */
  quantity: Decimal | undefined
  /** What is said of the scan, which stands beside some errors. */
  about: Record<string, unknown>
}

/** What was put by, as the operation answers it. */
export type ScannedAllocation = {
  stock_item: number
  part: number
  build: number
  build_line: number
  /** Into which output it goes; null for one that is not tracked. */
  output: number | null
  quantity: Decimal
}

/**
 * Puts a scanned stock item by for the build order `pk`, as allocating by the order does, which it is, but never more than the line, or the
 * output, still lacks: the order is locked before anything of it is read, then the item and the output.
 * @throws Problem 400 with `error`
 */
export async function allocateScanned(
  context: OnBuild,
  wanted: Wanted,
): Promise<{ allocation: ScannedAllocation; made: BuildAllocationMade }> {
  const { tx } = context
  const refuse = (error: string, more: Record<string, unknown> = {}) => refusal(context, error, { ...wanted.about, ...more })
  const build = await lockActiveBuild(context)
  const of = await partOf(tx, wanted.item)
  if (!of) throw refuse(NO_STOCK_ITEM)
  const line = await lineOf(context, of, wanted.line)
  const { output, lacking } = await outputOf(context, line, wanted.output)
  const items = await lockStockItems(tx, output === null ? [wanted.item] : [wanted.item, output])
  const item = items.get(wanted.item)
  if (!item) throw refuse(NO_STOCK_ITEM)
  const free = unallocated(item)
  const most = compare(lacking, free) < 0 ? lacking : free
  const quantity = item.serial ? '1' : (wanted.quantity ?? normalize(most))
  const allocation = { stock_item: item.pk, part: item.part, build: build.pk, build_line: line.pk, output, quantity }
  // what is not in stock has nothing free either: that it is not there is what is to be said
  if (item.in_stock && compare(free, '0') <= 0) throw refuse(ALL_PUT_BY, allocation)
  if (compare(quantity, lacking) > 0) throw refuse(`The line lacks only ${normalize(lacking)}`, allocation)
  const into = output === null ? null : items.get(output)
  const errors = allocationErrors(line, item, of.trackable, quantity, into, { output: 'output' })
  const [text] = Object.values(errors).flat()
  if (text !== undefined) throw typeof text === 'string' ? refuse(text, allocation) : invalid(errors)
  storeAllocations(tx, [{ build_line: line.pk, stock_item: item.pk, quantity, output }])
  const stored = await tx.first<{ pk: number; quantity: Decimal }>(
    `select pk, quantity::text from build_allocation
     where build_line = $1 and stock_item = $2 and install_into is not distinct from $3`,
    [line.pk, item.pk, output],
  )
  const { pk, quantity: after } = stored as { pk: number; quantity: Decimal }
  return {
    allocation,
    made: { kind: 'build-allocation', allocation: pk, line: line.pk, item: item.pk, output, quantity, after },
  }
}

const ALL_PUT_BY = 'All of the stock item is put by already'

/** The line that is asked for, else the only one for which the part is meant first. @throws Problem 400 when there is none, or several are */
async function lineOf(context: OnBuild, of: ScannedPart, asked: number | null): Promise<AllocatableLine> {
  const fitting = await linesFor(context.tx, context.pk, of)
  const lines = asked === null ? fitting : fitting.filter(({ pk }) => pk === asked)
  if (lines.length === 0) throw refusal(context, 'No line of the build order takes this part')
  if (lines.every(({ consumable }) => consumable)) throw refusal(context, 'Consumables are not put by')
  const candidates = meantFirst(lines, of)
  const [line, another] = candidates
  if (line === undefined) throw refusal(context, 'The build order has as much of this part as it takes')
  if (another === undefined) return line
  throw refusal(context, 'Multiple matching line items found', {
    candidates: candidates.map(({ pk }) => pk),
    action_required: true,
  })
}

/** Into which output it goes, and how much of it is lacking: of a tracked component the output that is asked for, or the only one that lacks some. */
async function outputOf(
  context: OnBuild,
  line: AllocatableLine,
  asked: number | null,
): Promise<{ output: number | null; lacking: Decimal }> {
  if (!line.trackable) return { output: asked, lacking: lackingOf(line) }
  const outputs = await outputsFor(context.tx, line)
  if (outputs.length === 0) throw refusal(context, 'A tracked part goes into an output of the build order: none is begun yet')
  const named = asked === null ? outputs : outputs.filter(({ pk }) => pk === asked)
  if (named.length === 0) throw refusal(context, 'Build output must point to the same build')
  const candidates = named.filter(({ lacking }) => compare(lacking, '0') > 0)
  const [output, another] = candidates
  if (output === undefined) throw refusal(context, 'What is begun of the build order has as much of this part as it takes')
  if (another !== undefined)
    throw refusal(context, 'Not enough information', {
      build_line: line.pk,
      candidates: candidates.map(({ pk }) => pk),
      action_required: true,
    })
  return { output: output.pk, lacking: output.lacking }
}
