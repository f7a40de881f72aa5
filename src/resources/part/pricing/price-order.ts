import type { Database } from '../../../kit/sql/tx.ts'

/** All parts whose prices depend on those of the given parts, at any level. */
const AFFECTED = `
  with recursive affected (pk) as (
    select pk from part where pk = any($1::integer[])
    union
    select dependent from affected join part using (pk) cross join lateral price_dependents(part.pk, part.path) dependent
  ) select pk from affected`

/** Dependencies among the given parts. */
const EDGES = `
  select part.pk as below, dependent as above
  from part cross join lateral price_dependents(part.pk, part.path) dependent
  where part.pk = any($1::integer[])`

/** Parts in the order of their price calculation. */
export type Steps = {
  /** A part is in a later step than its dependencies, so that each is calculated once. */
  steps: number[][]
  /** Parts that depend on themselves, through substitutes or variants: these are calculated without waiting for that dependency. */
  unsettled: number[]
}

/** Returns the parts whose prices may change with those of the given ones, in the order of calculation. */
export async function stepsOf(database: Pick<Database, 'read'>, parts: readonly number[]): Promise<Steps> {
  const affected = await database.read<{ pk: number }>({ text: AFFECTED, values: [parts] })
  const pks = affected.map(({ pk }) => pk)
  return inSteps(pks, await database.read<{ below: number; above: number }>({ text: EDGES, values: [pks] }))
}

/** Sorts parts into steps by their dependencies: `above` depends on `below`, which is one of the parts. */
export function inSteps(parts: readonly number[], edges: readonly { below: number; above: number }[]): Steps {
  const waitsFor = new Map(parts.map((part) => [part, 0]))
  const restOn = new Map(parts.map((part) => [part, [] as number[]]))
  const restsOn = new Map(parts.map((part) => [part, [] as number[]]))
  for (const { below, above } of edges) {
    const waits = waitsFor.get(above)
    // dependencies added since the parts were read are left to the next run
    if (waits === undefined || !waitsFor.has(below)) continue
    waitsFor.set(above, waits + 1)
    restOn.get(below)?.push(above)
    restsOn.get(above)?.push(below)
  }
  /** Finds a part of a loop, when every remaining part waits for another: follows dependencies down from any of them until one repeats. */
  const inLoop = (): number => {
    const met = new Set<number>()
    let part = waitsFor.keys().next().value as number
    while (!met.has(part)) {
      met.add(part)
      part = restsOn.get(part)?.find((below) => waitsFor.has(below)) as number
    }
    return part
  }
  const steps: number[][] = []
  const unsettled: number[] = []
  let step = parts.filter((part) => waitsFor.get(part) === 0)
  while (waitsFor.size > 0) {
    if (step.length === 0) {
      const next = inLoop()
      step = [next]
      unsettled.push(next)
    }
    steps.push(step)
    for (const part of step) waitsFor.delete(part)
    step = step.flatMap((part) =>
      (restOn.get(part) ?? []).filter((above) => {
        const waits = waitsFor.get(above)
        if (waits === undefined) return false
        waitsFor.set(above, waits - 1)
        return waits === 1
      }),
    )
  }
  return { steps, unsettled }
}
