import type { Database } from '../../../kit/sql/tx.ts'

/** What rests on the prices of parts, at any height. */
const AFFECTED = `
  with recursive affected (pk) as (
    select pk from part where pk = any($1::integer[])
    union
    select dependent from affected join part using (pk) cross join lateral price_dependents(part.pk, part.path) dependent
  ) select pk from affected`

/** Which of these parts rest on which. */
const EDGES = `
  select part.pk as below, dependent as above
  from part cross join lateral price_dependents(part.pk, part.path) dependent
  where part.pk = any($1::integer[])`

/** Parts in the order in which their prices are worked out. */
export type Steps = {
  /** What a part rests on stands in a step before its own, so that each is worked out once. */
  steps: number[][]
  /** Parts that rest on themselves, over what may be used in place of a component or over variants: these came without waiting for that. */
  unsettled: number[]
}

/** The parts whose prices may change with those of the given ones, in the order in which they are worked out. */
export async function stepsOf(database: Pick<Database, 'read'>, parts: readonly number[]): Promise<Steps> {
  const affected = await database.read<{ pk: number }>({ text: AFFECTED, values: [parts] })
  const pks = affected.map(({ pk }) => pk)
  return inSteps(pks, await database.read<{ below: number; above: number }>({ text: EDGES, values: [pks] }))
}

/** Puts parts in steps by what each rests on: `above` rests on `below`, which is one of the parts. */
export function inSteps(parts: readonly number[], edges: readonly { below: number; above: number }[]): Steps {
  const waitsFor = new Map(parts.map((part) => [part, 0]))
  const restOn = new Map(parts.map((part) => [part, [] as number[]]))
  const restsOn = new Map(parts.map((part) => [part, [] as number[]]))
  for (const { below, above } of edges) {
    const waits = waitsFor.get(above)
    // what came since the parts were read is for the next run
    if (waits === undefined || !waitsFor.has(below)) continue
    waitsFor.set(above, waits + 1)
    restOn.get(below)?.push(above)
    restsOn.get(above)?.push(below)
  }
  /** A part of a loop, where none comes without waiting: from any of them down, until one comes again. */
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
