import assert from 'node:assert/strict'

const ROUNDS = 21

/**
 * Fails when one kind of request takes longer than another, beyond what the noise of a busy machine explains. They are measured
 * in turns; the median of the differences of two neighbours is compared with the time that either takes.
 * @param options.tolerance the part of that time by which they may differ
 * @param options.settle waits, unmeasured, until nothing of a request is left to do
 */
export async function assertSameTime(
  one: (round: number) => Promise<unknown>,
  other: (round: number) => Promise<unknown>,
  { tolerance, settle }: { tolerance: number; settle: () => Promise<unknown> },
): Promise<void> {
  const measure = async (act: (round: number) => Promise<unknown>, round: number) => {
    const start = performance.now()
    await act(round)
    const spent = performance.now() - start
    await settle()
    return spent
  }
  const pairs: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    // whoever comes second finds things warm: they take turns in that too
    const swapped = round % 2 === 1
    const first = await measure(swapped ? other : one, round)
    const second = await measure(swapped ? one : other, round)
    pairs.push(swapped ? [second, first] : [first, second])
  }
  const difference = median(pairs.map(([a, b]) => a - b))
  const typical = median(pairs.map(([a, b]) => Math.min(a, b)))
  assert.ok(Math.abs(difference) <= tolerance * typical, `${difference} ms more of ${typical} ms`)
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number
