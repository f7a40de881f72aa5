import type { Database } from '../../../kit/sql/tx.ts'

/** All parts whose prices depend on those of the given parts, at any level. */
const AFFECTED_PARTS_QUERY = `
  with recursive affected (pk) as (
    select pk from part where pk = any($1::integer[])
    union
    select dependent from affected join part using (pk) cross join lateral price_dependents(part.pk, part.path) dependent
  ) select pk from affected`

/** Dependencies among the given parts. */
const DEPENDENCIES_QUERY = `
  select part.pk as below, dependent as above
  from part cross join lateral price_dependents(part.pk, part.path) dependent
  where part.pk = any($1::integer[])`

/** Parts in the order of their price calculation. */
export type Steps = {
  /** A part is in a later step than its dependencies, so that each is calculated once. */
  steps: number[][]
  /** Parts that depend on themselves, through substitutes or variants: these are calculated without waiting for that dependency. */
  cyclicParts: number[]
}

/** Returns the parts whose prices may change with those of the given ones, in the order of calculation. */
export async function planSteps(database: Pick<Database, 'read'>, parts: readonly number[]): Promise<Steps> {
  const affected = await database.read<{ pk: number }>({ text: AFFECTED_PARTS_QUERY, values: [parts] })
  const pks = affected.map(({ pk }) => pk)
  return sortIntoSteps(pks, await database.read<{ below: number; above: number }>({ text: DEPENDENCIES_QUERY, values: [pks] }))
}

/** Sorts parts into steps by their dependencies: `above` depends on `below`, which is one of the parts. */
export function sortIntoSteps(parts: readonly number[], edges: readonly { below: number; above: number }[]): Steps {
  const pendingCounts = new Map(parts.map((part) => [part, 0]))
  const dependents = new Map(parts.map((part) => [part, [] as number[]]))
  const dependencies = new Map(parts.map((part) => [part, [] as number[]]))
  for (const { below, above } of edges) {
    const pendingCount = pendingCounts.get(above)
    // dependencies added since the parts were read are left to the next run
    if (pendingCount === undefined || !pendingCounts.has(below)) continue
    pendingCounts.set(above, pendingCount + 1)
    dependents.get(below)?.push(above)
    dependencies.get(above)?.push(below)
  }
  /** Finds a part of a loop, when every remaining part waits for another: follows dependencies down from any of them until one repeats. */
  const findLoopPart = (): number => {
    const visited = new Set<number>()
    let part = pendingCounts.keys().next().value as number
    while (!visited.has(part)) {
      visited.add(part)
      part = dependencies.get(part)?.find((below) => pendingCounts.has(below)) as number
    }
    return part
  }
  const steps: number[][] = []
  const cyclicParts: number[] = []
  let step = parts.filter((part) => pendingCounts.get(part) === 0)
  while (pendingCounts.size > 0) {
    if (step.length === 0) {
      const next = findLoopPart()
      step = [next]
      cyclicParts.push(next)
    }
    steps.push(step)
    for (const part of step) pendingCounts.delete(part)
    step = step.flatMap((part) =>
      (dependents.get(part) ?? []).filter((above) => {
        const pendingCount = pendingCounts.get(above)
        if (pendingCount === undefined) return false
        pendingCounts.set(above, pendingCount - 1)
        return pendingCount === 1
      }),
    )
  }
  return { steps, cyclicParts }
}
