import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolClient } from 'pg'

type CountedClient = PoolClient & { isCounted?: true }

/**
 * Counts the database round trips of a function until it returns: work that it leaves for later is not counted, nor concurrent work of
 * others. Statements that are sent together, or pipelined behind pending ones, count as one.
 */
export function createRoundTripCounter(pool: Pool): (work: () => Promise<unknown>) => Promise<number> {
  const counting = new AsyncLocalStorage<{ trips: number }>()
  pool.on('acquire', (client: CountedClient) => {
    if (client.isCounted) return
    client.isCounted = true
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    let pending = 0
    const countedQuery = (...args: unknown[]) => {
      const count = counting.getStore()
      if (count && !(client.pipeline && pending > 0)) count.trips++
      const result = query(...args)
      if (client.pipeline && result instanceof Promise) {
        pending++
        const onSettled = () => void pending--
        result.then(onSettled, onSettled)
      }
      return result
    }
    client.query = countedQuery as typeof client.query
  })
  return async (work) => {
    const count = { trips: 0 }
    await counting.run(count, work)
    return count.trips
  }
}
