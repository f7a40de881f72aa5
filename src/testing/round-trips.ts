import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolClient } from 'pg'

type CountedClient = PoolClient & { isCounted?: true }

/**
 * Counts the database round trips of a function until it returns: work that it leaves for later is not counted, nor concurrent work of
 * others. Statements that are sent together, or pipelined behind unanswered ones, count as one.
 */
export function roundTrips(pool: Pool): (work: () => Promise<unknown>) => Promise<number> {
  const counting = new AsyncLocalStorage<{ trips: number }>()
  pool.on('acquire', (client: CountedClient) => {
    if (client.isCounted) return
    client.isCounted = true
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    let unanswered = 0
    const counted = (...args: unknown[]) => {
      const count = counting.getStore()
      if (count && !(client.pipeline && unanswered > 0)) count.trips++
      const result = query(...args)
      if (client.pipeline && result instanceof Promise) {
        unanswered++
        const onSettled = () => void unanswered--
        result.then(onSettled, onSettled)
      }
      return result
    }
    client.query = counted as typeof client.query
  })
  return async (work) => {
    const count = { trips: 0 }
    await counting.run(count, work)
    return count.trips
  }
}
