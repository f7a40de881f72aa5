import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolClient } from 'pg'

type Lent = PoolClient & { isCounted?: true }

/**
 * Counts the database round trips of a function until it returns: work that it leaves for later is not counted, nor concurrent work of
 * others. Statements that are sent together, or pipelined behind unanswered ones, count as one.
 */
export function roundTrips(pool: Pool): (work: () => Promise<unknown>) => Promise<number> {
  const counting = new AsyncLocalStorage<{ trips: number }>()
  pool.on('acquire', (client: Lent) => {
    if (client.isCounted) return
    client.isCounted = true
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    let unanswered = 0
    const counted = (...given: unknown[]) => {
      const count = counting.getStore()
      if (count && !(client.pipeline && unanswered > 0)) count.trips++
      const answer = query(...given)
      if (client.pipeline && answer instanceof Promise) {
        unanswered++
        const done = () => void unanswered--
        answer.then(done, done)
      }
      return answer
    }
    client.query = counted as typeof client.query
  })
  return async (work) => {
    const count = { trips: 0 }
    await counting.run(count, work)
    return count.trips
  }
}
