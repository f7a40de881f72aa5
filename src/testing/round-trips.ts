import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolClient } from 'pg'

type CountedClient = PoolClient & { isCounted?: true }

/**
 * Creates a function that counts the database round trips of a callback until it returns. Work that the callback defers is not counted, nor
 * is other concurrent work. Statements that are sent together, or pipelined behind pending ones, count as one.
 */
export function createRoundTripCounter(pool: Pool): (callback: () => Promise<unknown>) => Promise<number> {
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
  return async (callback) => {
    const count = { trips: 0 }
    await counting.run(count, callback)
    return count.trips
  }
}
