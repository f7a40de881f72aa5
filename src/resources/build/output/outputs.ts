import * as input from '../../../kit/definition/input.ts'
import { type Errors, unknownReference } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { lockInstallations } from '../../stock/installed.ts'
import type { LockedItem } from '../../stock/movement/locked-items.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { checkLocation } from '../../stock/stock-item-rules.ts'
import { buildErrors } from '../build-errors.ts'
import { type BuildRequest, type LockedBuild, lockWorkableBuild } from '../change-status.ts'
import { lockAllocatedItems, type OpenAllocation } from '../item/open-allocations.ts'

/** Maximum outputs per request. */
const MAX_OUTPUTS = 10_000

/** An output of a build order in a body. */
export const outputInput = input.reference(() => stockItem, {
  required: true,
  options: { model: 'stockitem', api_url: '/api/stock/' },
  label: 'Build Output',
  help: 'An incomplete output of this build order.',
})

/** Outputs in a body, each an object of this shape. */
export const outputList = <S extends input.Shape>(shape: S) =>
  input.list(input.object(shape), { required: true, max: MAX_OUTPUTS, help: 'The outputs, up to 10,000 of them.' })

/** A build order with some of its outputs, all its allocations, and the items of both, locked. */
export type LockedOutputs = {
  build: LockedBuild
  /** In the order of the body. */
  outputs: LockedItem[]
  /** Allocations to these outputs. */
  allocations: OpenAllocation[]
  items: Map<number, LockedItem>
}

/**
 * Locks the build order of an action's URL, the outputs that its body names, and the allocated stock. 400 on `outputs`, at its index, for
 * an output that is complete, duplicated or of another build order; and on `location` if that cannot hold stock.
 */
export async function lockOutputs(
  context: BuildRequest,
  outputKeys: readonly number[],
  location?: number,
  lock = lockWorkableBuild,
): Promise<LockedOutputs> {
  const { tx } = context
  await lockInstallations(tx)
  const build = await lock(context)
  if (outputKeys.length === 0) throw invalidObject(buildErrors.outputs_required)
  const problem = location === undefined ? undefined : await checkLocation(tx, location)
  if (problem) throw invalid({ location: [problem] })
  const { allocations, items } = await lockAllocatedItems(tx, build.pk, { further: outputKeys, consumes: true })
  rejectOutputs(outputKeys, (pk, index) => {
    const item = items.get(pk)
    if (!item) return unknownReference(pk)
    if (item.build !== build.pk) return buildErrors.output_of_other_build
    if (!item.is_building || item.belongs_to !== null) return buildErrors.output_completed
    return outputKeys.indexOf(pk) < index ? buildErrors.output_twice : undefined
  })
  const requestedOutputs = new Set(outputKeys)
  return {
    build,
    outputs: outputKeys.map((pk) => items.get(pk) as LockedItem),
    allocations: allocations.filter(({ install_into }) => install_into !== null && requestedOutputs.has(install_into)),
    items,
  }
}

/** Throws 400 with the error of each output; `check` returns the error for one that is not acceptable. */
export function rejectOutputs(
  outputKeys: readonly number[],
  check: (pk: number, index: number) => ErrorMessage | undefined,
  field = 'output',
): void {
  const errors = outputKeys.map((pk, index): Errors => {
    const problem = check(pk, index)
    return problem === undefined ? {} : { [field]: [problem] }
  })
  if (errors.some((entry) => field in entry)) throw invalid({ outputs: errors })
}
