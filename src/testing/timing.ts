import assert from 'node:assert/strict'

/** Measures the processor time of a function on all threads of this process, in milliseconds. Other load on the machine does not count. */
export async function measureProcessorTime(callback: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await callback()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

type SendRequest = (round: number) => Promise<unknown>
type Options = {
  /** Permitted difference, as a share of the time of either. */
  tolerance: number
  /** Waits, unmeasured, until a request has no remaining work. */
  settle: () => Promise<unknown>
}

/** Pairs of requests in a measurement: few, as most compared requests are expensive. A measurement that shows a difference is repeated. */
const ROUNDS = 11
const MAX_ATTEMPTS = 6

/**
 * Fails when one kind of request takes longer than another. They are measured alternately, and the median of the differences of neighboring
 * pairs is compared with the time that either takes. Other load on the machine can cause a difference once; a real one shows each time.
 */
export async function assertSameTime(left: SendRequest, right: SendRequest, options: Options): Promise<void> {
  const differences: string[] = []
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const pairs = await measurePairs(left, right, options.settle, attempt * ROUNDS)
    const difference = median(pairs.map(([a, b]) => a - b))
    const typical = median(pairs.map(([a, b]) => Math.min(a, b)))
    if (Math.abs(difference) <= options.tolerance * typical) return
    differences.push(`${difference.toFixed(1)} ms more of ${typical.toFixed(1)} ms`)
  }
  assert.fail(differences.join(', '))
}

async function measurePairs(
  left: SendRequest,
  right: SendRequest,
  settle: Options['settle'],
  firstRound: number,
): Promise<[number, number][]> {
  const measure = async (send: SendRequest, round: number) => {
    const start = performance.now()
    await send(round)
    const elapsed = performance.now() - start
    await settle()
    return elapsed
  }
  const pairs: [number, number][] = []
  for (let round = firstRound; round < firstRound + ROUNDS; round++) {
    // the second of a pair benefits from warm caches: the order alternates as well
    const isSwapped = round % 2 === 1
    const first = await measure(isSwapped ? right : left, round)
    const second = await measure(isSwapped ? left : right, round)
    pairs.push(isSwapped ? [second, first] : [first, second])
  }
  return pairs
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number
