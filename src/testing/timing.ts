import assert from 'node:assert/strict'

/** Milliseconds of processor time that this process spends on some work, on all its threads: what else runs on the machine does not count. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

type Act = (round: number) => Promise<unknown>
type Options = {
  /** The part of the time of either by which they may differ. */
  tolerance: number
  /** Waits, unmeasured, until nothing of a request is left to do. */
  settle: () => Promise<unknown>
}

/** Few of each, as most requests that are compared work hard; whoever is unlucky has more attempts. */
const ROUNDS = 11
const ATTEMPTS = 6

/**
 * Fails when one kind of request takes longer than another. They are measured in turns, and the median of the differences of two
 * neighbours is compared with the time that either takes. Other work on the machine can make a difference once; one that is
 * really there shows each time.
 */
export async function assertSameTime(one: Act, other: Act, options: Options): Promise<void> {
  const found: string[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const pairs = await measurePairs(one, other, options.settle, attempt * ROUNDS)
    const difference = median(pairs.map(([a, b]) => a - b))
    const typical = median(pairs.map(([a, b]) => Math.min(a, b)))
    if (Math.abs(difference) <= options.tolerance * typical) return
    found.push(`${difference.toFixed(1)} ms more of ${typical.toFixed(1)} ms`)
  }
  assert.fail(found.join(', '))
}

async function measurePairs(one: Act, other: Act, settle: Options['settle'], from: number): Promise<[number, number][]> {
  const measure = async (act: Act, round: number) => {
    const start = performance.now()
    await act(round)
    const spent = performance.now() - start
    await settle()
    return spent
  }
  const pairs: [number, number][] = []
  for (let round = from; round < from + ROUNDS; round++) {
    // whoever comes second finds things warm: they take turns in that too
    const isSwapped = round % 2 === 1
    const first = await measure(isSwapped ? other : one, round)
    const second = await measure(isSwapped ? one : other, round)
    pairs.push(isSwapped ? [second, first] : [first, second])
  }
  return pairs
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number
