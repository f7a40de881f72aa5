import * as input from '../../../kit/definition/input.ts'
import { type Errors, unknownReference } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { lockInstallations } from '../../stock/installed.ts'
import type { LockedItem } from '../../stock/movement/locked-items.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { checkLocation } from '../../stock/stock-item-rules.ts'
import { buildErrors } from '../build-errors.ts'
import { type LockedBuild, lockActiveBuild, type OnBuild } from '../build-state.ts'
import { lockAllocated, type OpenAllocation } from '../item/open-allocations.ts'

/** The most outputs of one request. */
const MAX_OUTPUTS = 10_000

/** An output of a build order in a body. */
export const outputInput = input.reference(() => stockItem, {
  required: true,
  options: { model: 'stockitem', api_url: '/api/stock/' },
  label: 'Build Output',
  help: 'An incomplete output of this build order.',
})

/** Outputs in a body, each as an object of this shape. */
export const outputList = <S extends input.Shape>(shape: S) =>
  input.list(input.object(shape), { required: true, max: MAX_OUTPUTS, help: 'The outputs, up to 10,000 of them.' })

/** A build order with outputs of it, all that is put by for it, and the items of both, locked. */
export type Outputs = {
  build: LockedBuild
  /** As the body names them. */
  outputs: LockedItem[]
  /** What is to go into them. */
  allocations: OpenAllocation[]
  items: Map<number, LockedItem>
}

/**
 * Locks the build order of an action's address, the outputs that its body names, and what is put by. 400 on `outputs`, at its place, for
 * one that is complete, twice there, or of another build order; and on `location` where nothing can be put there.
 */
export async function lockOutputs(context: OnBuild, named: readonly number[], location?: number): Promise<Outputs> {
  const { tx } = context
  await lockInstallations(tx)
  const build = await lockActiveBuild(context)
  if (named.length === 0) throw invalidObject(buildErrors.outputs_required)
  const problem = location === undefined ? undefined : await checkLocation(tx, location)
  if (problem) throw invalid({ location: [problem] })
  const { allocations, items } = await lockAllocated(tx, build.pk, { further: named })
  refuseOutputs(named, (pk, at) => {
    const item = items.get(pk)
    if (!item) return unknownReference(pk)
    if (item.build !== build.pk) return buildErrors.output_of_other_build
    if (!item.is_building || item.belongs_to !== null) return buildErrors.output_completed
    return named.indexOf(pk) < at ? buildErrors.output_twice : undefined
  })
  const into = new Set(named)
  return {
    build,
    outputs: named.map((pk) => items.get(pk) as LockedItem),
    allocations: allocations.filter(({ install_into }) => install_into !== null && into.has(install_into)),
    items,
  }
}

/** Throws 400 with what is wrong with each output; `check` gives a text for one that cannot be taken. */
export function refuseOutputs(
  named: readonly number[],
  check: (pk: number, at: number) => ErrorMessage | undefined,
  field = 'output',
): void {
  const errors = named.map((pk, at): Errors => {
    const problem = check(pk, at)
    return problem === undefined ? {} : { [field]: [problem] }
  })
  if (errors.some((entry) => field in entry)) throw invalid({ outputs: errors })
}
