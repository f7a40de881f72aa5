import { builds } from './builds.ts'
import type { Client, Operation } from './client.ts'
import { objects } from './objects.ts'
import { orders } from './orders.ts'
import { purchasing } from './purchasing.ts'
import { scans } from './scans.ts'
import { stock } from './stock.ts'
import { transfers } from './transfers.ts'

/** All operations that lock rows, by name. */
const OPERATIONS: Record<string, Operation> = {
  ...stock,
  ...purchasing,
  ...orders,
  ...transfers,
  ...builds,
  ...objects,
  ...scans,
}

/** Statuses by operation, and durations of all requests in milliseconds. */
export type Storm = { statuses: Record<string, Record<number, number>>; times: number[] }

/**
 * Sends random operations from all clients concurrently until the time is over.
 * @param until `performance.now()` after which no new request is sent
 */
export async function runStorm(clients: readonly Client[], until: number): Promise<Storm> {
  const storm: Storm = { statuses: {}, times: [] }
  const names = Object.keys(OPERATIONS)
  const runClient = async (client: Client) => {
    while (performance.now() < until) {
      const name = names[Math.floor(Math.random() * names.length)] as string
      const startedAt = performance.now()
      const response = await OPERATIONS[name]?.(client)
      if (!response) continue
      storm.times.push(performance.now() - startedAt)
      storm.statuses[name] ??= {}
      const statuses = storm.statuses[name]
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
      if (response.status >= 500 || response.status === 409) throw new Error(`${name}: ${response.status} ${response.text}`)
    }
  }
  // waits for all clients to end
  const outcomes = await Promise.allSettled(clients.map(runClient))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return storm
}

/** Compares all derived values with the rows that they are computed from; returns a row for each difference. */
export const WRONG_SUMS_QUERY = `
  select 'quantities' as what, to_json(mismatch) as found from verify_quantities() mismatch
  union all select 'allocations', to_json(mismatch) from verify_allocations() mismatch
  union all select 'build allocations', to_json(mismatch) from verify_build_allocations() mismatch
  union all select 'lines', to_json(mismatch) from verify_line_counts() mismatch
  union all select 'sales lines', to_json(mismatch) from verify_sales_line_counts() mismatch
  union all select 'return lines', to_json(mismatch) from verify_return_line_counts() mismatch
  union all select 'transfer lines', to_json(mismatch) from verify_transfer_line_counts() mismatch
  union all select 'transfer allocations', to_json(mismatch) from verify_transfer_allocations() mismatch
  union all select 'transfer quantities', to_json(mismatch) from verify_transfer_quantities() mismatch
  union all select 'holdings', to_json(mismatch) from verify_holdings() mismatch
  union all select 'trees', to_json(mismatch) from verify_trees() mismatch`
